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

/**
 * Reads a delivery address, however it is spelled (case and final dot of the host, default port, %-escapes) and whatever its query is, which
 * only the source reads; undefined where the text does not have the delivery pattern.
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

/** A delivery address with some of it changed, its query kept; undefined where the text is none. */
export function changedDelivery(text: string, change: Partial<DeliveryAddress>): string | undefined {
  const address = parseDeliveryAddress(text);
  return address === undefined ? undefined : `${printDeliveryAddress({ ...address, ...change })}${new URL(text).search}`;
}

/**
 * What the content root of a site is known by: `<host><path>`, the same for every spelling of the address that leads to the same
 * place. In: the address of the content source, and the content path that is mapped to `/`. Undefined where the address is no
 * delivery address.
 */
export function contentRootKey(address: string, root: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return parseDeliveryAddress(`${url.origin}${url.pathname}`) === undefined ? undefined : `${hostOf(url)}${unescaped(root)}`;
}

/** The host of such a key. */
export function hostOfContentRoot(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/**
 * An authoring host as content roots have it. In: the host, with its port where it has one (`author-p1-e2.example.com`, `localhost:4003`),
 * or its address. Undefined where the text is anything else.
 */
export function parseAuthoringHost(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isMore = url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/';
  return isMore || !HOST_NAME.test(url.hostname) ? undefined : hostOf(url);
}

/** A path without needless escapes and empty segments; as it is where it cannot be read. */
export function unescaped(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}

/** A host means the same with a final dot, and is lower-cased and without its default port in every URL. */
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
 * Programs read a path in different ways: one decodes it twice, another cuts it at ";" or takes "\" for "/", a third turns
 * full-width characters into plain ones. A path that any of them could take for another place is never sent with a credential.
 */

/**
 * Whether some program could read a path as one that leaves its folder. Takes a path as it is sent, with escapes. An escape that is not valid text
 * counts as well: its meaning is undefined.
 */
export function leadsElsewhere(path: string): boolean {
  const text = decodedFully(path);
  if (text === undefined || UNREADABLE.test(text)) return true;
  return folded(text)
    .split('/')
    .some((segment) => /^\.+$/.test(segment.replace(/;.*$/s, '').trim()));
}

/**
 * The first character of a path that programs read in different ways; undefined where there is none. In: a path that was decoded
 * once, so that a "%" in it is an escape within an escape.
 */
export function ambiguousCharacter(path: string): string | undefined {
  for (const character of path) if (AMBIGUOUS.test(character) || UNREADABLE.test(character) || isLookalike(character)) return character;
  return undefined;
}

/** What is wrong with the path of an address that pages are read below, a sentence; undefined where it is plain. */
export function addressProblem(address: string): string | undefined {
  const path = pathOf(address);
  if (!leadsElsewhere(path) && !/[;\\]|%(?:2[35ef]|3[bf]|5c)/i.test(path) && ambiguousCharacter(decodedFully(path) ?? '') === undefined)
    return undefined;
  return 'Write the path of the address plainly: without "..", ";" and escapes such as "%2e", "%2f" or "%25".';
}

/** The path of an address as it is written: `URL` would resolve its dot segments first. */
export function pathOf(address: string): string {
  return /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*([^?#]*)/i.exec(address)?.[1] ?? '';
}

/** Without its escapes, however often it was escaped; undefined where they do not end or are no text. */
function decodedFully(path: string): string | undefined {
  let text = path;
  for (let round = 0; round < MOST_ROUNDS; round++) {
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

/** As the most careless reader has it. */
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

const MOST_ROUNDS = 6;
const AMBIGUOUS = /[%;\\?#]/;
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const SLASHES = /[\\\u2044\u2215\u2216\u29f5\u29f8\u29f9]/g;
const DOTS = /[\u3002]/g;
