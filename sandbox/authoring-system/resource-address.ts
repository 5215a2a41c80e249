import type { ReadableTree } from './content-store.ts';
import type { Resource } from './resource.ts';

export interface ResourceAddress {
  readonly resource: Resource;
  readonly selectors: readonly string[];
  /** `''` where the address has none. */
  readonly extension: string;
}

/** The prefixes that the names of nodes may carry. */
export const NAMESPACES: ReadonlySet<string> = new Set(['jcr', 'nt', 'mix', 'rep', 'sling', 'cq', 'dam', 'dc', 'granite', 'wcm']);

/** A path as the content tree writes it: percent signs decoded, `_jcr_content` as `jcr:content`; undefined where it is malformed. */
export function contentPath(pathname: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(pathname)) return undefined;
  const decoded = percentDecoded(pathname).replaceAll(MANGLED, (all, prefix: string) => (NAMESPACES.has(prefix) ? `/${prefix}:` : all));
  return /\/\.{1,2}(\/|$)|\/\/|\0/.test(decoded) ? undefined : decoded;
}

/** The other way round: a path as Sling writes it into an answer's addresses. */
export function addressOf(path: string): string {
  const mangled = path.replaceAll(/\/([a-z]+):/g, (all, prefix: string) => (NAMESPACES.has(prefix) ? `/_${prefix}_` : all));
  return mangled.split('/').map(encodeURIComponent).join('/');
}

/** Sling's way from an address to a resource: the longest path that exists, then selectors and extension from its dots. */
export function resolveAddress(tree: ReadableTree, path: string): ResourceAddress | undefined {
  const whole = tree.read(path);
  if (whole !== undefined) return { resource: whole, selectors: [], extension: '' };
  for (let end = path.lastIndexOf('.'); end > path.lastIndexOf('/'); end = path.lastIndexOf('.', end - 1)) {
    const resource = tree.read(path.slice(0, end).replace(/(?<=.)\/$/, ''));
    if (resource === undefined) continue;
    const parts = path.slice(end + 1).split('.');
    return { resource, selectors: parts.slice(0, -1), extension: parts.at(-1) ?? '' };
  }
  return undefined;
}

const MANGLED = /\/_([a-z]+)_/g;

/** Bytes that are no UTF-8 name nothing that exists, but make an address no worse. */
function percentDecoded(text: string): string {
  return text.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}
