import type { ServiceInfo } from './service.ts';

/** What a deployment of the extension may load and call, and where it may be framed. */
export interface ExtensionPlace {
  /** Scheme and host of the configuration service. */
  readonly service: string;
  readonly info: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain' | 'codeHostRaw' | 'buildManagement'>;
  /** Scheme and host of each page that shows the extension in a frame: the authoring system and its shell. */
  readonly hosts: readonly string[];
}

/** The only inline style sheet of React Spectrum: `touch-action` of pressable elements. */
const PRESSABLE_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/**
 * The Content-Security-Policy that the extension is served with (CSP level 3). Scripts and styles come only from its own
 * files; it calls the service, the sites' hosts, build management and the raw files of the code host; only its hosts may frame it.
 */
export function extensionPolicy({ service, info, hosts }: ExtensionPlace): string {
  const { protocol, previewDomain, liveDomain, codeHostRaw, buildManagement } = info;
  const asked = [service, `${protocol}://*.${previewDomain}`, `${protocol}://*.${liveDomain}`, buildManagement, codeHostRaw];
  const origins = asked.filter((address) => address !== undefined).map((address) => address.replace(/^(https?:\/\/[^/]+).*$/, '$1'));
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", PRESSABLE_STYLE],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...new Set(origins)],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': hosts.length === 0 ? ["'none'"] : hosts,
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
