import { parseSiteHost } from '#contract/addresses.ts';
import type { HostDomains } from '#contract/addresses.ts';

/** Whether pages of an origin may read what is answered at a path, and send what asks for permission beforehand. */
export type AllowsOrigin = (origin: string, path: string) => boolean;

/** The origins that the settings list, wherever they ask. */
export function listedOrigins(origins: readonly string[]): AllowsOrigin {
  const listed = new Set(origins);
  return (origin) => listed.has(origin);
}

/** What a browser calls an extension. */
export function extensionOrigin(id: string): string {
  return `chrome-extension://${id}`;
}

/** Those and, at the addresses of a site, that site's own preview and live hosts (docs/contract.md 2.4). */
export function listedOrOwnOrigins(origins: readonly string[], domains: HostDomains): AllowsOrigin {
  const isListed = listedOrigins(origins);
  return (origin, path) => isListed(origin, path) || isOwnHost(origin, path, domains);
}

/** By the pattern of the hosts alone: nothing is looked up for a request that may be anybody's. */
function isOwnHost(origin: string, path: string, domains: HostDomains): boolean {
  const scheme = `${domains.protocol}://`;
  if (!origin.startsWith(scheme)) return false;
  const host = parseSiteHost(origin.slice(scheme.length), domains);
  if (host === undefined) return false;
  const [, org, site] = OF_A_SITE.map((form) => form.exec(path)).find((match) => match !== null) ?? [];
  return org === host.org && site === host.site;
}

/** Addresses that name a site, the first that fits; but signing in is about a person, whom the cookie would tell. */
const OF_A_SITE: readonly RegExp[] = [
  /^\/config\/([^/]+)\/(?:sites|aggregated)\/([^/]+?)(?:\.json)?(?:\/|$)/,
  /^\/(?:job|code|status|log|sidekick)\/([^/]+)\/([^/]+)(?:\/|$)/,
  /^\/([^/]+)\/(?:sites|aggregated|repos)\/([^/]+)(?:\/(?!login$)|$)/,
];
