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

/** The address of a site's host, without a trailing slash (docs/contract.md 6.1). */
export function siteAddress(domains: HostDomains, tier: Tier, site: SiteHost): string {
  return `${domains.protocol}://${hostLabel(site.ref, site.site, site.org)}.${domains[tier]}`;
}

/** The address of a site's public configuration (call 10). */
export function configAddress(domains: HostDomains, tier: Tier, org: string, site: string): string {
  return `${siteAddress(domains, tier, { ref: DEFAULT_REF, site, org })}/config.json`;
}

/**
 * Parses a Host header (`{ref}--{site}--{org}.{domain}`, with the domain's port). Returns the tier and the site, or
 * undefined for every other host.
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

/**
 * Parses a delivery address in any spelling (case and final dot of the host, default port, %-escapes) and with any query, which only the
 * source interprets; undefined if the text does not match the delivery pattern.
 */
export function parseDeliveryAddress(text: string): DeliveryAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const match = DELIVERY_PATH.exec(unescaped(url.pathname));
  if (match === null || url.hash !== '') return undefined;
  const [, connector, org, site, ref] = match;
  if (connector === undefined || org === undefined || site === undefined || ref === undefined) return undefined;
  return { author: `${url.protocol}//${hostOf(url)}`, connector, org, site, ref };
}

/** A delivery address with some parts changed and its query preserved; undefined if the text is not a delivery address. */
export function changedDelivery(text: string, change: Partial<DeliveryAddress>): string | undefined {
  const address = parseDeliveryAddress(text);
  return address === undefined ? undefined : `${printDeliveryAddress({ ...address, ...change })}${new URL(text).search}`;
}

/**
 * Identifies the content root of a site: `<host><path>`, the same for every spelling of an address that leads to the same
 * content.
 * Takes the address of the content source and the content path that is mapped to `/`. Undefined if the address is not a delivery
 * address.
 */
export function contentRootKey(address: string, root: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return parseDeliveryAddress(`${url.origin}${url.pathname}`) === undefined ? undefined : `${hostOf(url)}${unescaped(root)}`;
}

export function hostOfContentRoot(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/**
 * Normalizes an authoring host to the form used in content roots. Takes a host, with its port if it has one (`author-p1-e2.example.com`,
 * `localhost:4003`), or an address. Undefined for any other text.
 */
export function parseAuthoringHost(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isMore = url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/';
  return isMore || !HOST_NAME.test(url.hostname) ? undefined : hostOf(url);
}

/** A path without needless escapes and empty segments; unchanged if it cannot be decoded. */
export function unescaped(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}

/** A final dot doesn't change which host is meant; every URL already has a lower-cased host without its default port. */
function hostOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
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
const HOST_NAME = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;
const AUTHOR_HOST = /^author-p(\d+)-e(\d+)\./;

/**
 * Programs read paths in different ways: one decodes twice, another cuts at ";" or reads "\" as "/", a third turns full-width
 * characters into plain ones. A path that any of them could take for another one is never sent with a credential.
 */

/**
 * Whether some program could read a path as one that leaves its folder. Takes the path as it is sent, with escapes. An escape that is not
 * valid text also counts: its meaning is undefined.
 */
export function mayLeaveFolder(path: string): boolean {
  const text = decodedFully(path);
  if (text === undefined || UNREADABLE.test(text)) return true;
  return folded(text)
    .split('/')
    .some((segment) => /^\.+$/.test(segment.replace(/;.*$/s, '').trim()));
}

/**
 * The first character of a path that programs interpret differently; undefined if there is none. Takes a path that was decoded
 * once, so a "%" in it is an escape within an escape.
 */
export function ambiguousCharacter(path: string): string | undefined {
  for (const character of path) if (AMBIGUOUS.test(character) || UNREADABLE.test(character) || isLookalike(character)) return character;
  return undefined;
}

/** A sentence on what is wrong with the path of an address below which pages are read; undefined if the path is plain. */
export function addressProblem(address: string): string | undefined {
  const path = pathOf(address);
  if (!mayLeaveFolder(path) && !/[;\\]|%(?:2[35ef]|3[bf]|5c)/i.test(path) && ambiguousCharacter(decodedFully(path) ?? '') === undefined)
    return undefined;
  return 'Write the path of the address plainly: without "..", ";" and escapes such as "%2e", "%2f" or "%25".';
}

/** The path of an address as written: `URL` would resolve its dot segments first. */
export function pathOf(address: string): string {
  return /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*([^?#]*)/i.exec(address)?.[1] ?? '';
}

/** Decodes a path until it has no more escapes; undefined if there are too many levels of them, or if they are not valid text. */
function decodedFully(path: string): string | undefined {
  let text = path;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (/%u[0-9a-f]{4}/i.test(text)) return undefined;
    const next = decoded(text);
    if (next === text || next === undefined) return next;
    text = next;
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return undefined;
  }
}

/** As the most lenient parser would read it. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(SLASHES, '/')
    .replaceAll(DOTS, '.');
}

function isLookalike(character: string): boolean {
  return character > '\u007f' && /[./\\%?#;]/.test(folded(character));
}

const MAX_ROUNDS = 6;
const AMBIGUOUS = /[%;\\?#]/;
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const SLASHES = /[\\\u2044\u2215\u2216\u29f5\u29f8\u29f9]/g;
const DOTS = /[\u3002]/g;
