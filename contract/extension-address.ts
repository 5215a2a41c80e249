/** A view of one page: it connects to the host or to the page that the address names. */
export type PageView = 'page-properties' | 'sync-status' | 'sites' | 'organization';

export const PAGE_VIEWS: readonly PageView[] = ['page-properties', 'sync-status', 'sites', 'organization'];

/** A page of an authoring system, as the extension is opened for it. */
export interface OpenedPage {
  /** Scheme and host of the author. */
  readonly author: string;
  readonly path: string;
  /** The organization of a page whose settings name none. */
  readonly org?: string;
}

/** The route of a view (docs/design-facts.md 1.2), as the extension reads it: `#/page-properties?author=<author>&path=<path>&org=<org>`. */
export function printView(view: PageView, page: OpenedPage | undefined): string {
  if (page === undefined) return `#/${view}`;
  const { author, path, org } = page;
  const query = Object.entries({ author, path, ...(org === undefined ? {} : { org }) });
  return `#/${view}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** What an authoring system must know to open the extension by itself, without a host of extensions. */
export interface ExtensionPlace {
  /** Address of the folder that holds the extension's `index.html`, without a slash at its end. */
  readonly extension: string;
  /** The organization of pages whose settings name none. */
  readonly org?: string;
}

/** The address of a view of a page, in a window of its own. */
export function extensionAddress({ extension, org }: ExtensionPlace, view: PageView, page: Omit<OpenedPage, 'org'>): string {
  return `${extension}/index.html${printView(view, { ...page, ...(org === undefined ? {} : { org }) })}`;
}
