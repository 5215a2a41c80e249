import { parse, serialize, type SerializeOptions } from 'cookie';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { RequestHeaders } from './parse-request.ts';
import { ANONYMOUS, type Caller, shareOf } from '../sessions/identity.ts';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The address of the caller: that of the connection or, if it is a proxy of the settings, the last one in `x-forwarded-for` that is not a
 * proxy. Headers of other senders are ignored. Takes addresses and networks (`10.0.0.0/8`).
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  const list = blockList(trusted);
  const isTrusted = (address: string) =>
    trusted.length > 0 && isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return (request) => {
    let address = plain(connectionAddress(request));
    if (!isTrusted(address)) return address;
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').slice(-LONGEST).split(',');
    for (const one of forwarded.toReversed()) {
      const before = plain(one);
      if (isIP(before) === 0) break;
      address = before;
      if (!isTrusted(address)) break;
    }
    return address;
  };
}

/** The key of limits: an IPv4 address, or the /64 of an IPv6 one, because a household has any number of those. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [start = '', end] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(start), groups(end ?? '')];
  const between = end === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length);
  const all = [...left, ...Array.from({ length: between }, () => '0'), ...right];
  const network = all.slice(0, 4).map((group) => (Number.parseInt(group, 16) || 0).toString(16));
  return `${network.join(':')}::/64`;
}

/** Takes a result of `networkOf`. Returns the /48 of an IPv6 network, the most that a provider's customer gets, or the IPv4 address. */
export function widerNetworkOf(network: string): string {
  const [, start] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(network) ?? [];
  return start === undefined ? network : `${start}:/48`;
}

/** Whether a text is an address or a network, as in the setting. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export function connectionAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Without a port, brackets, and the form in which IPv6 sockets show IPv4 addresses. */
function plain(text: string): string {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  const mapped = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(mapped) === 0 ? mapped.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') : mapped;
}

/** Characters of the header that are parsed: a chain of proxies is short. */
const LONGEST = 1000;

const GROUPS = 8;

/** An invalid token counts as none, and the cookie is not tried then. An API key is accepted only in a header (docs/contract.md 4.1). */
export function authenticator(tokens: Pick<Tokens, 'verify'>): (headers: RequestHeaders) => Promise<Caller> {
  return async function authenticate(headers) {
    const presented = presentedToken(headers);
    if (presented === undefined) return ANONYMOUS;
    const user = await tokens.verify(presented.token);
    if (user === undefined || (user.key !== undefined && presented.credential === 'cookie')) return ANONYMOUS;
    return { ...user, credential: presented.credential };
  };
}

/** The token of a request: `x-auth-token`, `authorization: Bearer …` or `token …`, otherwise the cookie. */
export function presentedToken(headers: RequestHeaders): { token: string; credential: 'header' | 'cookie' } | undefined {
  const plain = headers['x-auth-token'];
  if (plain !== undefined) return { token: plain.trim(), credential: 'header' };
  const [, bearer] = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  if (bearer !== undefined) return { token: bearer, credential: 'header' };
  const cookie = readCookie(headers['cookie'], AUTH_COOKIE);
  return cookie === undefined ? undefined : { token: cookie, credential: 'cookie' };
}

/**
 * What a cookie is valid for (docs/contract.md 4.1). A browser sends it automatically: it is valid for reads from pages of this origin, a
 * read started by another origin counts as anonymous, and a change needs another proof. `SameSite=Strict` by itself would allow other ports
 * and subdomains. A program that sends it has set it deliberately, like a header.
 */
export function checkCredential(caller: Caller, headers: RequestHeaders, changes: boolean, ownOrigin: string): Caller {
  if (caller.kind === 'anonymous' || caller.credential === 'header') return caller;
  if (!changes) return isSameOrigin(headers, ownOrigin) ? caller : ANONYMOUS;
  if (mayBeBrowser(headers)) throw new Refusal('NOT_AUTHENTICATED', COOKIE_READS);
  return { ...caller, credential: 'header' };
}

const COOKIE_READS = 'A cookie from a browser, or with a form, may only read. Send the token in the header x-auth-token.';

/** Browsers send an origin, where a request started, or at least the page; a form without any of these has one of three content types. */
function mayBeBrowser({ origin, referer, 'sec-fetch-site': site, 'content-type': type = '' }: RequestHeaders): boolean {
  return origin !== undefined || referer !== undefined || site !== undefined || FORM_TYPES.test(type);
}

const FORM_TYPES = /^\s*(?:application\/x-www-form-urlencoded|multipart\/|text\/plain)/i;

function isSameOrigin(headers: RequestHeaders, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}

const AUTH_COOKIE = 'auth_token';

/** The value of a cookie of a Cookie header; undefined if it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return parse(header ?? '')[name] || undefined;
}

/** The Set-Cookie of a token; it expires with the token. `exp` in seconds since 1970. */
export function sessionCookie(token: string, exp: number, { now, secure }: { now: Date; secure: boolean }): string {
  const maxAge = Math.max(0, exp - Math.floor(now.getTime() / 1000));
  return printCookie(AUTH_COOKIE, token, { path: '/', sameSite: 'strict', secure, maxAge });
}

export function clearedSessionCookie(secure: boolean): string {
  return printCookie(AUTH_COOKIE, '', { path: '/', sameSite: 'strict', secure, maxAge: 0 });
}

/** A Set-Cookie header for a cookie that scripts of a page cannot read. */
export function printCookie(name: string, value: string, options: SerializeOptions): string {
  return serialize(name, value, { ...options, httpOnly: true });
}

/**
 * Whether a request with the cookie was started by a page of this service, or by someone who opened the address. `SameSite=Strict` by
 * itself allows what other ports and subdomains of this site make a browser send: their scripts are recognized by origin, their images and
 * frames by the request's destination.
 */
export function isOwnRequest(headers: RequestHeaders, publicAddress: string): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers;
  if (origin !== undefined && origin !== new URL(publicAddress).origin) return false;
  return site === undefined || site === 'same-origin' || site === 'none' || destination === 'document';
}

/** Whether a page of this service itself started a request. Browsers that do not say where it started send the page in `referer`. */
export function isFromOwnPage(headers: RequestHeaders, publicAddress: string): boolean {
  const { origin, referer, 'sec-fetch-site': site } = headers;
  const own = new URL(publicAddress).origin;
  if (origin !== undefined && origin !== own) return false;
  if (site !== undefined) return site === 'same-origin';
  return origin === own || (referer !== undefined && URL.canParse(referer) && new URL(referer).origin === own);
}

interface RateLimitSettings {
  /** Requests per second that refill a bucket; 0 for no limit. */
  readonly rate: number;
  /** Requests that may arrive at once. */
  readonly burst: number;
}

/** Takes one request of a caller, from a result of `networkOf`, or refuses with RATE_LIMITED. */
export type RateLimit = (caller: Caller, network: string, response: ServerResponse) => void;

interface Bucket {
  tokens: number;
  since: number;
}

const MAX_BUCKETS = 50_000;
/** All API keys of an organization together have this many times the limit of one caller. */
const KEYS_TOGETHER = 4;

/**
 * A token bucket for each caller, whatever organization the path names, and one for all API keys of an organization, because it can create
 * any number; callers without a token are identified by their network (docs/contract.md 2.8).
 */
export function createRateLimit({ rate, burst }: RateLimitSettings, now: () => Date): RateLimit {
  // Evicts the bucket that was used longest ago: it is full again, or nearly.
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  /** The bucket refilled up to now. Takes how many times as large and fast as that of one caller it is. */
  const filled = (key: string, times: number): Bucket => {
    const time = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: burst * times, since: time };
    bucket.tokens = Math.min(burst * times, bucket.tokens + (Math.max(0, time - bucket.since) / 1000) * rate * times);
    bucket.since = time;
    buckets.set(key, bucket);
    return bucket;
  };
  return (caller, network, response) => {
    if (rate === 0) return;
    const isUser = caller.kind === 'user';
    const own = filled(isUser ? `user ${caller.email.toLowerCase()}` : `from ${network}`, 1);
    const keys = isUser && caller.key !== undefined ? filled(shareOf(caller), KEYS_TOGETHER) : undefined;
    if (own.tokens < 1) throw refused(response, own, { rate, burst });
    if (keys !== undefined && keys.tokens < 1) {
      const limit = { rate: rate * KEYS_TOGETHER, burst: burst * KEYS_TOGETHER };
      throw refused(response, keys, limit, ' to the API keys of an organization together');
    }
    own.tokens -= 1;
    if (keys !== undefined) keys.tokens -= 1;
  };
}

function refused(response: ServerResponse, { tokens }: Bucket, { rate, burst }: RateLimitSettings, subject = ''): Refusal {
  response.setHeader('x-ratelimit-limit', String(burst));
  response.setHeader('x-ratelimit-rate', String(rate));
  const seconds = Math.max(1, Math.ceil((1 - tokens) / rate));
  const message = `Too many requests at once. Try again in ${seconds} s; ${rate} requests per second are allowed${subject}.`;
  return new Refusal('RATE_LIMITED', message, { retryAfter: seconds });
}
