import { DEFAULT_REF, hostLabel } from './names.ts';

/** Where the hosts of a deployment are: `preview` and `live` are domains with an optional port. */
export interface HostDomains {
  readonly protocol: 'https' | 'http';
  readonly preview: string;
  readonly live: string;
}

export interface SiteHost {
  readonly ref: string;
  readonly site: string;
  readonly org: string;
}

export type Tier = 'preview' | 'live';

/** The address of a site's host, without a trailing slash (seed design, What the service does, item 3). */
export function siteAddress(domains: HostDomains, tier: Tier, site: SiteHost): string {
  return `${domains.protocol}://${hostLabel(site.ref, site.site, site.org)}.${domains[tier]}`;
}

/** The address of a site's public configuration (call 10). */
export function configAddress(domains: HostDomains, tier: Tier, org: string, site: string): string {
  return `${siteAddress(domains, tier, { ref: DEFAULT_REF, site, org })}/config.json`;
}

/**
 * Reads a Host header. In: the header (`{ref}--{site}--{org}.{domain}`, port as in the domain) and the two domains.
 * Out: the tier and the site, or undefined for every other host.
 */
export function parseSiteHost(host: string, domains: Pick<HostDomains, 'preview' | 'live'>): ({ tier: Tier } & SiteHost) | undefined {
  const lower = host.toLowerCase();
  const tier = lower.endsWith(`.${domains.preview}`) ? 'preview' : lower.endsWith(`.${domains.live}`) ? 'live' : undefined;
  if (tier === undefined) return undefined;
  const label = lower.slice(0, -(domains[tier].length + 1));
  const match = HOST_LABEL.exec(label);
  if (match === null) return undefined;
  const [, ref, site, org] = match;
  return ref !== undefined && site !== undefined && org !== undefined ? { tier, ref, site, org } : undefined;
}

/**
 * The delivery address of the authoring system:
 * `https://author-p<program_id>-e<environment_id>.<authoring_domain>/bin/<connector>.delivery/<org>/<site>/<ref>`.
 */
export interface DeliveryAddress {
  /** Scheme, host and port of the author, e.g. `https://author-p1-e2.adobeaemcloud.com`. */
  readonly author: string;
  readonly connector: string;
  readonly org: string;
  readonly site: string;
  readonly ref: string;
}

export const DEFAULT_CONNECTOR = 'franklin';

export function printDeliveryAddress(address: DeliveryAddress): string {
  return `${address.author}/bin/${address.connector}.delivery/${address.org}/${address.site}/${address.ref}`;
}

/** Reads a delivery address; undefined where the text does not have the delivery pattern. */
export function parseDeliveryAddress(text: string): DeliveryAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const match = DELIVERY_PATH.exec(url.pathname);
  if (match === null || url.search !== '' || url.hash !== '') return undefined;
  const [, connector, org, site, ref] = match;
  if (connector === undefined || org === undefined || site === undefined || ref === undefined) return undefined;
  return { author: url.origin, connector, org, site, ref };
}

/** Program and environment of an author host `author-p<program>-e<environment>.…`; undefined for other hosts. */
export function parseAuthorHost(author: string): { program: string; environment: string } | undefined {
  const host = URL.canParse(author) ? new URL(author).hostname : author;
  const match = AUTHOR_HOST.exec(host);
  const [, program, environment] = match ?? [];
  return program !== undefined && environment !== undefined ? { program, environment } : undefined;
}

const HOST_LABEL = /^([a-z0-9]+(?:-[a-z0-9]+)*)--([a-z0-9]+(?:-[a-z0-9]+)*)--([a-z0-9]+(?:-[a-z0-9]+)*)$/;
const DELIVERY_PATH = /^\/bin\/([A-Za-z0-9_-]+)\.delivery\/([^/]+)\/([^/]+)\/([^/]+)\/?$/;
const AUTHOR_HOST = /^author-p(\d+)-e(\d+)\./;
