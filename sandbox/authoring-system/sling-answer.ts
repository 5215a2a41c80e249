import type { Response } from 'express';
import { parentOf, type ReadableTree, type Resource } from './content-store.ts';

export interface Change {
  readonly type: 'created' | 'modified' | 'deleted' | 'copied' | 'moved' | 'ordered';
  /** A path; for a moved resource, both its paths. */
  readonly argument: string | readonly string[];
}

/** The result of a write, as Sling reports it. */
export interface SlingOutcome {
  readonly status: number;
  readonly message: string;
  /** Absent if Sling failed before resolving a resource. */
  readonly path?: string;
  readonly title?: string;
  /** Absent if Sling does not say. */
  readonly created?: boolean;
  readonly changes?: readonly Change[];
  readonly error?: { readonly class: string; readonly message: string };
}

/** A write that the repository refuses, because of access, a lock, a name or a concurrent change. Sling does not say which. */
export function conflicting(path: string): SlingOutcome {
  return { status: 409, message: 'repository state conflicting with request', path };
}

/** A value that a node does not accept: it has another type, or the node may not be changed. Sling does not say which. */
export function invalidPayload(path: string): SlingOutcome {
  return { status: 422, message: 'invalid payload', path };
}

/** A write that Sling did not foresee. */
export function failed(path: string, message: string, cause: string): SlingOutcome {
  return { status: 500, message: `${cause}: ${message}`, path, title: `Error while processing ${path}`, error: { class: cause, message } };
}

/** JSON if the caller accepts it, otherwise a small HTML page. */
export function answerOutcome(response: Response, accept: string | undefined, outcome: SlingOutcome): void {
  const { status, message, path, title, created, changes = [], error } = outcome;
  response.status(status);
  const locations = path === undefined ? undefined : { location: addressOf(path), parentLocation: addressOf(parentOf(path)) };
  if (created === true && locations !== undefined) response.set('location', locations.location);
  if (accept?.includes('application/json') === true) {
    response.json({
      referer: response.req.get('referer') ?? '',
      path,
      ...locations,
      ...(created === undefined ? {} : { isCreate: created }),
      'status.message': message,
      title,
      'status.code': status,
      error,
      changes,
    });
    return;
  }
  const rows = [
    ['Status', `<div id="Status">${status}</div>`],
    ['Message', `<div id="Message">${escapeHtml(message)}</div>`],
    ...(locations === undefined
      ? []
      : [
          ['Location', `<a href="${escapeHtml(locations.location)}" id="Location">${escapeHtml(locations.location)}</a>`],
          [
            'Parent Location',
            `<a href="${escapeHtml(locations.parentLocation)}" id="ParentLocation">${escapeHtml(locations.parentLocation)}</a>`,
          ],
        ]),
    ['Path', `<div id="Path">${escapeHtml(path ?? '')}</div>`],
  ];
  const heading = escapeHtml(title ?? '');
  response
    .type('html')
    .send(
      `<html><head><title>${heading}</title></head><body><h1>${heading}</h1><table><tbody>` +
        `${rows.map(([name, cell]) => `<tr><td>${name}</td><td>${cell}</td></tr>`).join('')}</tbody></table></body></html>`,
    );
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface ResourceAddress {
  readonly resource: Resource;
  readonly selectors: readonly string[];
  /** `''` if the address has none. */
  readonly extension: string;
}

/** The prefixes allowed in node names. */
export const NAMESPACES: ReadonlySet<string> = new Set(['jcr', 'nt', 'mix', 'rep', 'sling', 'cq', 'dam', 'dc', 'granite', 'wcm']);

/** A path as the content tree writes it: percent-decoded, `_jcr_content` as `jcr:content`; undefined if it is malformed. */
export function contentPath(pathname: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(pathname)) return undefined;
  const decoded = percentDecoded(pathname).replaceAll(MANGLED, (all, prefix: string) => (NAMESPACES.has(prefix) ? `/${prefix}:` : all));
  return /\/\.{1,2}(\/|$)|\/\/|\0/.test(decoded) ? undefined : decoded;
}

/** The reverse: a path as Sling writes it in the addresses of an answer. */
function addressOf(path: string): string {
  const mangled = path.replaceAll(/\/([a-z]+):/g, (all, prefix: string) => (NAMESPACES.has(prefix) ? `/_${prefix}_` : all));
  return mangled.split('/').map(encodeURIComponent).join('/');
}

/** Resolves an address like Sling: the longest existing path, then selectors and extension at its dots. */
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

/** Bytes that are not UTF-8 match nothing that exists, but are not an error. */
function percentDecoded(text: string): string {
  return text.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}
