import { hostReaders } from '@repoless/contract/access.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import { isPagePath } from '@repoless/contract/content-paths.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { isSettableHeader } from '@repoless/contract/reserved-headers.ts';
import type { Headers } from '@repoless/contract/site-parts.ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { mayReadHost, namesGroups } from '../access/permit.ts';
import { oncePerDocument } from '../domain/documents.ts';
import type { Reads, StoredSite } from '../domain/ports.ts';
import type { SecretHashCache } from '../secrets/secret-hash-cache.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { ALLOWED_ORIGIN, readAllowedOrigins } from '../sites/complete-site.ts';
import { type ReadyAnswer, refusalAnswer } from './site-answers.ts';

/** What the configuration of a site gives to an answer beside its content. */
export interface SiteHeaders {
  /** By their names in lower case; one without a value is not sent, and the service's own neither. */
  readonly set: ReadonlyMap<string, string>;
  /**
   * The etag of an answer with these headers. In: that of its content. A 304 replaces headers that a cache keeps and takes none
   * away, so other headers are another etag (docs/contract.md 6.3).
   */
  etag(content: string): string;
}

/** Of a request, what the headers go by. */
export interface HeaderRequest {
  readonly path: string;
  /** Whether the host is guarded, where fewer headers are sent. */
  readonly isGuarded: boolean;
  /** The header `origin`; asked for where it counts. */
  origin(): string | undefined;
}

/**
 * The headers that the site sets for a path. Every pattern that fits counts; of one name the pattern that was written last wins, and one
 * without a value takes it out. Several patterns may fit that have more together than clients take: then those of the earlier patterns
 * are left out, and the answer says how many. Rule: docs/contract.md 6.5.
 */
export function siteHeaders(headers: Headers | undefined, request: HeaderRequest): SiteHeaders {
  const set = headers === undefined ? new Map<string, string>() : headersOf(headers, request);
  if (set.size === 0 && !request.isGuarded) return { set, etag: (content) => content };
  const hash = createHash('sha256').update(JSON.stringify([request.isGuarded, ...set]));
  const mark = hash.digest('base64url').slice(0, MARK);
  return { set, etag: (content) => `${content.slice(0, -1)}.${mark}"` };
}

function headersOf(headers: Headers, { path, origin }: HeaderRequest): Map<string, string> {
  const set = new Map<string, string>();
  // A page alone has links to what belongs to it; a fragment is a part of one.
  const decided = new Set<string>(isPagePath(path) && !path.endsWith('.plain.html') ? [] : ['link']);
  let length = 0;
  let leftOut = 0;
  let varies = false;
  const matches = createPathMatcher(path);
  for (const { pattern, given } of patternsOf(headers)) {
    if (!matches(pattern)) continue;
    for (const [name, { value, lets }] of given) {
      if (decided.has(name)) continue;
      decided.add(name);
      if (value === '') continue;
      const sent = lets === undefined ? value : allowed(lets, origin());
      varies ||= lets !== undefined;
      length += name.length + sent.length;
      if (length <= LIMITS.headersSent) set.set(name, sent);
      else leftOut += 1;
    }
  }
  if (varies) set.set('vary', joined(set.get('vary'), 'origin') ?? '');
  if (leftOut > 0) set.set('x-headers-left-out', String(leftOut));
  return set;
}

function allowed(lets: (origin: string) => boolean, origin: string | undefined): string {
  return origin !== undefined && lets(origin) ? origin : '';
}

interface HeaderPattern {
  readonly pattern: string;
  /** By their names in lower case. */
  readonly given: ReadonlyMap<string, HeaderValue>;
}

interface HeaderValue {
  readonly value: string;
  /** Where the value is that origin of the request which it lets in. */
  readonly lets?: (origin: string) => boolean;
}

/** The patterns of a site, the last that was written first. */
const patternsOf = oncePerDocument((headers: Headers): readonly HeaderPattern[] =>
  Object.entries(headers)
    .slice(0, LIMITS.headerPatterns)
    .toReversed()
    .map(([pattern, given]) => ({
      pattern: /^[/*]/.test(pattern) ? pattern : `/${pattern}`,
      // What was stored before a name was reserved is not sent.
      given: new Map(
        given.flatMap(({ key, value }) => (isSettableHeader(key) ? [[key.toLowerCase(), valueOf(key.toLowerCase(), value)] as const] : [])),
      ),
    })),
);

function valueOf(name: string, value: string): HeaderValue {
  const lets = name === ALLOWED_ORIGIN ? readAllowedOrigins(value) : undefined;
  if (lets === undefined) return { value };
  const known = new LRUCache<string, boolean>({ max: ORIGINS });
  const remembered = (origin: string): boolean => {
    const isLet = known.get(origin) ?? lets(origin);
    known.set(origin, isLet);
    return isLet;
  };
  return { value, lets: remembered };
}

/**
 * The answer with the headers of the site, which win over those of the service. An error keeps what says how to go on from it, and how
 * long it may be kept is for the service to say.
 */
export function withSiteHeaders(answer: ReadyAnswer, given: SiteHeaders): ReadyAnswer {
  const { headers, etag, unchanged, status } = answer;
  const set = status < 300 ? given.set : new Map([...given.set].filter(([name]) => !isOwnOfErrors(name)));
  if (etag === undefined || unchanged === undefined) return { ...answer, headers: replaced(headers, set) };
  const own = given.etag(etag);
  const withEtag = new Map([...set, ['etag', own]]);
  return { ...answer, headers: replaced(headers, withEtag), unchanged: replaced(unchanged, withEtag), etag: own };
}

function replaced(flat: readonly string[], set: ReadonlyMap<string, string>): string[] {
  if (set.size === 0) return [...flat];
  const kept: string[] = [];
  let own: string | undefined;
  for (let index = 0; index < flat.length; index += 2) {
    const [name = '', value = ''] = [flat[index], flat[index + 1]];
    const key = name.toLowerCase();
    if (key === 'vary') own = joined(own, value);
    else if (!set.has(key)) kept.push(name, value);
  }
  for (const [name, value] of set) if (value !== '' && name !== 'vary') kept.push(name, value);
  // What the service's own answer varies by, it varies by with the site's headers too.
  const vary = joined(own, set.get('vary'));
  return vary === undefined ? kept : [...kept, 'vary', vary];
}

function joined(...lists: readonly (string | undefined)[]): string | undefined {
  const present = lists.filter((list) => list !== undefined && list !== '');
  return present.length === 0 ? undefined : present.join(', ');
}

function isOwnOfErrors(name: string): boolean {
  return OWN_OF_ERRORS.has(name) || isCachingHeader(name);
}

const OWN_OF_ERRORS: ReadonlySet<string> = new Set(['www-authenticate', 'retry-after', 'allow', 'location']);
/** Characters of a hash that tell the headers of one site and path from each other. */
const MARK = 16;
/** Origins whose answer is remembered. */
const ORIGINS = 100;

/**
 * Tells which patterns fit a path: `**` stands for anything, `*` for anything without a slash. Both come from outside, and a page
 * is tried on hundreds of patterns: all places of the path that a pattern may have reached are one number, a bit for each, so that
 * a character of the pattern costs one step whatever they are. A pattern beyond the limits, stored before they were drawn, fits
 * nothing.
 */
function createPathMatcher(path: string): (pattern: string) => boolean {
  const all = (1n << BigInt(path.length + 1)) - 1n;
  const end = 1n << BigInt(path.length);
  const places = placesByCharacter(path);
  const withinSegment = (all ^ end) & ~(places.get('/') ?? 0n);
  return (pattern) => {
    if (pattern.length > LIMITS.headerPatternLength) return false;
    // Most patterns end here.
    const literal = pattern.split('*', 1)[0] ?? '';
    if (!path.startsWith(literal) || !path.endsWith(pattern.slice(pattern.lastIndexOf('*') + 1))) return false;
    let reached = 1n << BigInt(literal.length);
    for (let at = literal.length; at < pattern.length && reached !== 0n; at += 1) {
      const character = pattern.charAt(at);
      if (character !== '*') {
        reached = (reached & (places.get(character) ?? 0n)) << 1n;
        continue;
      }
      const run = at;
      while (pattern[at + 1] === '*') at += 1;
      // Adding carries each place on to the end of its segment; or all places from the first on.
      if (at === run) reached |= ((reached & withinSegment) + withinSegment) ^ withinSegment;
      else reached = all & -(reached & -reached);
    }
    return (reached & end) !== 0n;
  };
}

/** By each character of the path the places where it stands. */
function placesByCharacter(path: string): ReadonlyMap<string, bigint> {
  const places = new Map<string, bigint>();
  for (let at = 0; at < path.length; at += 1) {
    const character = path.charAt(at);
    places.set(character, (places.get(character) ?? 0n) | (1n << BigInt(at)));
  }
  return places;
}

/**
 * Headers of an answer of a guarded host, so that no shared cache keeps it, whatever the site's own headers say. The reader may keep it and must
 * revalidate.
 */
export function guardedAnswer(answer: ReadyAnswer): ReadyAnswer {
  const control = answer.status < 400 ? 'private, max-age=0, must-revalidate' : 'private, no-store';
  return {
    ...answer,
    headers: guarded(answer.headers, control),
    ...(answer.unchanged === undefined ? {} : { unchanged: guarded(answer.unchanged, control) }),
  };
}

/** Whether a header, in lower case, controls how long an answer may be cached. */
function isCachingHeader(name: string): boolean {
  return CACHING.test(name);
}

function guarded(flat: readonly string[], control: string): string[] {
  const pairs = flat.flatMap((name, index) => (index % 2 === 0 ? [{ name: name.toLowerCase(), value: flat[index + 1] ?? '' }] : []));
  const vary = pairs.filter(({ name }) => name === 'vary').map(({ value }) => value);
  const kept = pairs.filter(({ name }) => name !== 'vary' && !isCachingHeader(name));
  return [...kept.flatMap(({ name, value }) => [name, value]), 'cache-control', control, 'vary', [...vary, TOKEN_HEADERS].join(', ')];
}

/** `cache-control`, those that are meant for one cache alone (RFC 9213), and their forerunners. */
const CACHING = /(?:^|-)(?:cache-control|surrogate-control|edge-control)$|^(?:expires|pragma|x-accel-expires)$/;
const TOKEN_HEADERS = 'authorization, x-auth-token';

export interface GuardServices {
  readonly tokens: Pick<Tokens, 'verify' | 'verifyForSite'>;
  readonly secrets: SecretHashCache;
}

/** `open`: everybody may read the host. Otherwise it is guarded, and `refusal` says why the request is refused. */
export type Admission = 'open' | { readonly refusal: ReadyAnswer | undefined };

type RequestHeaders = Readonly<IncomingHttpHeaders>;

/** Whether a request may read a host of a site. Rule: docs/contract.md 6.4. */
export async function admit(
  { tokens, secrets }: GuardServices,
  reads: Pick<Reads, 'org'>,
  { org, site, aggregate }: StoredSite,
  { tier, headers }: { readonly tier: Tier; readonly headers: () => RequestHeaders },
): Promise<Admission> {
  const readers = hostReaders(aggregate.access, tier);
  if (readers === undefined) return 'open';
  const token = presentedToken(headers());
  if (token === undefined) return { refusal: NOT_AUTHENTICATED };
  if (await secrets.isOneOf({ org, site, profile: aggregate.extends?.profile }, readers.secretId, token)) return LET_IN;
  const user = (await tokens.verify(token)) ?? (await tokens.verifyForSite(token, { org, site }));
  if (user === undefined) return { refusal: TOKEN_REFUSED };
  const groups = namesGroups(readers) ? (await reads.org(org))?.config.groups : undefined;
  return mayReadHost(user, readers, { name: org, groups }, aggregate) ? LET_IN : { refusal: NOT_AUTHORIZED };
}

/** As at the service itself, but for the cookie: these hosts have none. */
function presentedToken(headers: RequestHeaders): string | undefined {
  const plain = headers['x-auth-token'];
  if (plain !== undefined) return String(plain).trim();
  return /^(?:bearer|token)\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

const LET_IN: Admission = { refusal: undefined };
const CHALLENGE = 'Bearer realm="repoless"';
const NOT_AUTHENTICATED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', ['www-authenticate', CHALLENGE]);
const TOKEN_REFUSED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', [
  'www-authenticate',
  `${CHALLENGE}, error="invalid_token"`,
]);
const NOT_AUTHORIZED = refusalAnswer(403, 'NOT_AUTHORIZED', 'not authorized');
