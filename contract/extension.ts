import type { ServiceInfo } from './service.ts';

/** A view of one page: it connects to the host or to the page that the address names. */
export type PageView = 'page-properties' | 'sync-status' | 'sites' | 'organization';

export const PAGE_VIEWS: readonly PageView[] = ['page-properties', 'sync-status', 'sites', 'organization'];

export interface OpenedPage {
  readonly author: string;
  readonly path: string;
  /** The organization for a page whose settings name none. */
  readonly org?: string;
}

/**
 * The route of a view (docs/design-facts.md 1.2), as the extension parses it: `#/page-properties?author=<author>&path=<path>&org=<org>`.
 */
export function printView(view: PageView, page: OpenedPage | undefined): string {
  if (page === undefined) return `#/${view}`;
  const { author, path, org } = page;
  const query = Object.entries({ author, path, ...(org === undefined ? {} : { org }) });
  return `#/${view}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** What an authoring system needs to open the extension without an extension host. */
export interface ExtensionLocation {
  /** Address of the folder with the extension's `index.html`, without a trailing slash. */
  readonly extension: string;
  /** The organization for pages whose settings name none. */
  readonly org?: string;
}

/** The address of a view of a page, in its own window. */
export function extensionAddress({ extension, org }: ExtensionLocation, view: PageView, page: Omit<OpenedPage, 'org'>): string {
  return `${extension}/index.html${printView(view, { ...page, ...(org === undefined ? {} : { org }) })}`;
}

/** What a deployment of the extension may load and call, and which hosts may frame it. */
interface ExtensionDeployment {
  readonly service: string;
  readonly info: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain' | 'buildManagement'>;
  /** Scheme and host of each page that shows the extension in a frame: the authoring system and its shell. */
  readonly hosts: readonly string[];
}

/** The only inline style sheet of React Spectrum: `touch-action` of pressable elements. */
const PRESSABLE_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/**
 * The Content-Security-Policy of the extension (CSP level 3). Scripts and styles come only from its own files; it calls
 * the service, the sites' hosts and build management, and frames pages of the preview hosts; only its hosts may frame
 * it.
 */
export function extensionPolicy({ service, info, hosts }: ExtensionDeployment): string {
  const { protocol, previewDomain, liveDomain, buildManagement } = info;
  const addresses = [service, `${protocol}://*.${previewDomain}`, `${protocol}://*.${liveDomain}`, buildManagement];
  const origins = addresses.filter((address) => address !== undefined).map((address) => address.replace(/^(https?:\/\/[^/]+).*$/, '$1'));
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", PRESSABLE_STYLE],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...new Set(origins)],
    'frame-src': [`${protocol}://*.${previewDomain}`],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': hosts.length === 0 ? ["'none'"] : hosts,
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
