import type { ReadableTree } from './content-store.ts';
import type { Resource } from './resource.ts';

export interface ResourceAddress {
  readonly resource: Resource;
  readonly selectors: readonly string[];
  /** `''` where the address has none. */
  readonly extension: string;
}

/** A path as the content tree writes it: percent signs decoded, `_jcr_content` as `jcr:content`; undefined where it is malformed. */
export function contentPath(pathname: string): string | undefined {
  try {
    const decoded = decodeURIComponent(pathname).replaceAll(/\/_(jcr|cq|sling)_/g, '/$1:');
    return /\/\.{1,2}(\/|$)|\/\/|\0/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
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
