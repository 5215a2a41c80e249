import { hostReaders } from '@repoless/contract/access.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import { isPagePath } from '@repoless/contract/content-paths.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { type Headers, isSettableHeader } from '@repoless/contract/site-parts.ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { mayReadHost, usesGroups } from '../access/permit.ts';
import { memoizePerDocument } from '../domain/documents.ts';
import type { Reads } from '../domain/ports.ts';
import { bearerOf } from '../secrets/secret-box.ts';
import type { SecretHashCache } from '../secrets/secret-hash-cache.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { ALLOWED_ORIGIN, readAllowedOrigins } from '../sites/site-headers.ts';
import { type ReadyAnswer, refusalAnswer } from './site-answers.ts';
import type { StoredSite } from '../sites/ports.ts';

/** What a site's configuration adds to an answer, other than content. */
export interface SiteHeaders {
  /** By name in lower case; a header without a value is not sent, not even the service's own. */
  readonly set: ReadonlyMap<string, string>;
  /**
   * The etag of an answer with these headers. Takes that of its content. A 304 replaces headers in a cache but cannot remove any, so other
   * headers need another etag (docs/contract.md 6.3).
   */
  etag(content: string): string;
}

export interface HeaderRequest {
  readonly path: string;
  /** Whether the host is guarded, in which case fewer headers are sent. */
  readonly isGuarded: boolean;
  /** The header `origin`; called only if it matters. */
  origin(): string | undefined;
}

/**
 * The headers that the site sets for a path. Every matching pattern counts; for the same name the last pattern wins, and one without a
 * value removes it. If matching patterns have more headers together than clients accept, those of the earlier patterns are left out, and
 * the answer says how many. Rule: docs/contract.md 6.5.
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
  // Only a page has links to its resources; a fragment is part of a page.
  const decided = new Set<string>(isPagePath(path) && !path.endsWith('.plain.html') ? [] : ['link']);
  let length = 0;
  let leftOut = 0;
  let varies = false;
  const matches = createPathMatcher(path);
  for (const { pattern, values } of patternsOf(headers)) {
    if (!matches(pattern)) continue;
    for (const [name, { value, admits }] of values) {
      if (decided.has(name)) continue;
      decided.add(name);
      if (value === '') continue;
      const sent = admits === undefined ? value : allowed(admits, origin());
      varies ||= admits !== undefined;
      length += name.length + sent.length;
      if (length <= LIMITS.headersSent) set.set(name, sent);
      else leftOut += 1;
    }
  }
  if (varies) set.set('vary', joined(set.get('vary'), 'origin') ?? '');
  if (leftOut > 0) set.set('x-headers-left-out', String(leftOut));
  return set;
}

function allowed(admits: (origin: string) => boolean, origin: string | undefined): string {
  return origin !== undefined && admits(origin) ? origin : '';
}

interface HeaderPattern {
  readonly pattern: string;
  /** By name in lower case. */
  readonly values: ReadonlyMap<string, HeaderValue>;
}

interface HeaderValue {
  readonly value: string;
  /** Set if the value is the request's origin, if allowed. */
  readonly admits?: (origin: string) => boolean;
}

/** The patterns of a site, the last one first. */
const patternsOf = memoizePerDocument((headers: Headers): readonly HeaderPattern[] =>
  Object.entries(headers)
    .slice(0, LIMITS.headerPatterns)
    .toReversed()
    .map(([pattern, values]) => ({
      pattern: /^[/*]/.test(pattern) ? pattern : `/${pattern}`,
      // Reserved names may have been stored before they were reserved: they are not sent.
      values: new Map(
        values.flatMap(({ key, value }) =>
          isSettableHeader(key) ? [[key.toLowerCase(), valueOf(key.toLowerCase(), value)] as const] : [],
        ),
      ),
    })),
);

function valueOf(name: string, value: string): HeaderValue {
  const admits = name === ALLOWED_ORIGIN ? readAllowedOrigins(value) : undefined;
  if (admits === undefined) return { value };
  const known = new LRUCache<string, boolean>({ max: ORIGINS });
  const remembered = (origin: string): boolean => {
    const isLet = known.get(origin) ?? admits(origin);
    known.set(origin, isLet);
    return isLet;
  };
  return { value, admits: remembered };
}

/**
 * The answer with the headers of the site, which override the service's. An error keeps the headers that say how to continue, and the
 * service decides how long it may be cached.
 */
export function withSiteHeaders(answer: ReadyAnswer, siteHeaders: SiteHeaders): ReadyAnswer {
  const { headers, etag, unchanged, status } = answer;
  const set = status < 300 ? siteHeaders.set : new Map([...siteHeaders.set].filter(([name]) => !isOwnOfErrors(name)));
  if (etag === undefined || unchanged === undefined) return { ...answer, headers: replaced(headers, set) };
  const own = siteHeaders.etag(etag);
  const withEtag = new Map([...set, ['etag', own]]);
  return { ...answer, headers: replaced(headers, withEtag), unchanged: replaced(unchanged, withEtag), etag: own };
}

function replaced(flat: readonly string[], set: ReadonlyMap<string, string>): string[] {
  if (set.size === 0) return [...flat];
  const remaining: string[] = [];
  let own: string | undefined;
  for (let index = 0; index < flat.length; index += 2) {
    const [name = '', value = ''] = [flat[index], flat[index + 1]];
    const key = name.toLowerCase();
    if (key === 'vary') own = joined(own, value);
    else if (!set.has(key)) remaining.push(name, value);
  }
  for (const [name, value] of set) if (value !== '' && name !== 'vary') remaining.push(name, value);
  // Combines the service's own `vary` with the site's.
  const vary = joined(own, set.get('vary'));
  return vary === undefined ? remaining : [...remaining, 'vary', vary];
}

function joined(...lists: readonly (string | undefined)[]): string | undefined {
  const given = lists.filter((list) => list !== undefined && list !== '');
  return given.length === 0 ? undefined : given.join(', ');
}

function isOwnOfErrors(name: string): boolean {
  return OWN_OF_ERRORS.has(name) || isCachingHeader(name);
}

const OWN_OF_ERRORS: ReadonlySet<string> = new Set(['www-authenticate', 'retry-after', 'allow', 'location']);
/** Characters of a hash that distinguish the headers of one site and path. */
const MARK = 16;
/** Origins whose answer is cached. */
const ORIGINS = 100;

/**
 * Tells which patterns match a path: `**` matches anything, `*` anything without a slash. Both come from outside, and a page is tried on
 * hundreds of patterns: the set of positions that a pattern may have reached is one number, with a bit for each, so that a character of the
 * pattern costs one step. A pattern beyond the limits, stored before they existed, matches nothing.
 */
function createPathMatcher(path: string): (pattern: string) => boolean {
  const all = (1n << BigInt(path.length + 1)) - 1n;
  const end = 1n << BigInt(path.length);
  const positions = positionsByCharacter(path);
  const withinSegment = (all ^ end) & ~(positions.get('/') ?? 0n);
  return (pattern) => {
    if (pattern.length > LIMITS.headerPatternLength) return false;
    // Most patterns fail here.
    const literal = pattern.split('*', 1)[0] ?? '';
    if (!path.startsWith(literal) || !path.endsWith(pattern.slice(pattern.lastIndexOf('*') + 1))) return false;
    let reached = 1n << BigInt(literal.length);
    for (let at = literal.length; at < pattern.length && reached !== 0n; at += 1) {
      const character = pattern.charAt(at);
      if (character !== '*') {
        reached = (reached & (positions.get(character) ?? 0n)) << 1n;
        continue;
      }
      const run = at;
      while (pattern[at + 1] === '*') at += 1;
      // Addition carries each position on to the end of its segment; or fills all positions from the first on.
      if (at === run) reached |= ((reached & withinSegment) + withinSegment) ^ withinSegment;
      else reached = all & -(reached & -reached);
    }
    return (reached & end) !== 0n;
  };
}

/** The positions of each character in the path. */
function positionsByCharacter(path: string): ReadonlyMap<string, bigint> {
  const positions = new Map<string, bigint>();
  for (let at = 0; at < path.length; at += 1) {
    const character = path.charAt(at);
    positions.set(character, (positions.get(character) ?? 0n) | (1n << BigInt(at)));
  }
  return positions;
}

/**
 * Headers of an answer of a guarded host, so that no shared cache stores it, whatever the site's own headers say. The reader may store it
 * and must revalidate.
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
  const remaining = pairs.filter(({ name }) => name !== 'vary' && !isCachingHeader(name));
  return [...remaining.flatMap(({ name, value }) => [name, value]), 'cache-control', control, 'vary', [...vary, TOKEN_HEADERS].join(', ')];
}

/** `cache-control`, those for a specific cache (RFC 9213), and their predecessors. */
const CACHING = /(?:^|-)(?:cache-control|surrogate-control|edge-control)$|^(?:expires|pragma|x-accel-expires)$/;
const TOKEN_HEADERS = 'authorization, x-auth-token';

export interface GuardServices {
  readonly tokens: Pick<Tokens, 'verify' | 'verifyForSite'>;
  readonly secrets: SecretHashCache;
}

/** `open`: everyone may read the host. Otherwise it is guarded, and `refusal` says why the request is refused. */
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
  const groups = usesGroups(readers) ? (await reads.org(org))?.config.groups : undefined;
  return mayReadHost(user, readers, { name: org, groups }, aggregate) ? LET_IN : { refusal: NOT_AUTHORIZED };
}

/** As in the service itself, except for the cookie, which these hosts do not have. */
function presentedToken(headers: RequestHeaders): string | undefined {
  const plain = headers['x-auth-token'];
  if (plain !== undefined) return String(plain).trim();
  return bearerOf(headers.authorization);
}

const LET_IN: Admission = { refusal: undefined };
const CHALLENGE = 'Bearer realm="repoless"';
const NOT_AUTHENTICATED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', ['www-authenticate', CHALLENGE]);
const TOKEN_REFUSED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', [
  'www-authenticate',
  `${CHALLENGE}, error="invalid_token"`,
]);
const NOT_AUTHORIZED = refusalAnswer(403, 'NOT_AUTHORIZED', 'not authorized');
