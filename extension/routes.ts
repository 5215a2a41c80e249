import { PAGE_VIEWS, type PageView, printView } from '@repoless/contract/extension.ts';

export type Route =
  | { readonly view: 'register' }
  | { readonly view: 'start' }
  | { readonly view: PageView; readonly author?: string; readonly path?: string; readonly org?: string };

/**
 * Parses a route. Takes the hash (`#/page-properties?author=…&path=…`), the query of the address, which may contain the
 * same parameters, and whether the document is framed. Returns what to show; an empty hash in a frame is the host's
 * hidden frame.
 */
export function parseRoute(hash: string, search: string, framed: boolean): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parameters = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(query)) parameters.set(name, value);
  const page = {
    ...parameter('author', parameters.get('author')),
    ...parameter('path', parameters.get('path')),
    ...parameter('org', parameters.get('org')),
  };
  if (path === '/register') return { view: 'register' };
  const view = PAGE_VIEWS.find((one) => path === `/${one}`);
  if (view !== undefined) return { view, ...page };
  if (parameters.has('author') && parameters.has('path')) return { view: 'page-properties', ...page };
  return { view: framed && path === '' ? 'register' : 'start' };
}

export function printPageProperties(page: { readonly author: string; readonly path: string } | undefined): string {
  return printView('page-properties', page);
}

/** The rail; it asks the editor for the open page. */
export const SYNC_STATUS = '#/sync-status';

function parameter<K extends string>(key: K, value: string | null): Partial<Record<K, string>> {
  const entry: Partial<Record<K, string>> = {};
  if (value !== null && value !== '') entry[key] = value;
  return entry;
}
