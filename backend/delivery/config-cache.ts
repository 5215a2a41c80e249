import type { SiteHost } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Reads } from '../domain/ports.ts';
import { contentAnswer, LARGE, NO_CONFIG, OVERLOADED, type ReadyAnswer, UNKNOWN_HOST } from './site-answers.ts';

export interface ConfigCache {
  /** The cached answer of a host; undefined if it must be loaded. */
  ready(host: string): ReadyAnswer | undefined;
  /** The answer for a host of this site and branch, loaded unless it is cached. Rejects if the storage does. */
  load(host: string, id: SiteHost): Promise<ReadyAnswer>;
  /** The site changed: answers that were read before are no longer used. */
  invalidate(org: string, site: string): void;
}

interface Entry {
  /** When it was requested. */
  since: number;
  answer: ReadyAnswer | undefined;
  loading: Promise<ReadyAnswer> | undefined;
  /** The branch of each host, in order of arrival. */
  readonly hosts: Map<string, string>;
  size: number;
}

/** What an entry weighs in addition to its bytes, and each of its hosts: measured, and rounded up. */
const OVERHEAD = 1408;
const HOST = 192;
/** Cached hosts of one site: each branch has one, and anyone can make up branches. */
const HOSTS_OF_A_SITE = 32;
/** Cached names without a site, in addition to the sites: anyone can make these up as well. */
const UNKNOWN_SITES = 5000;

/**
 * Ready bytes of `/config.json`, by host (docs/contract.md 6.2). Used until the node is notified of a change, and no longer than
 * `Store.isCurrent` allows. A load overtaken by a change still answers those who requested it before the change was acknowledged, but its
 * result is not cached, and later requests do not join it. Limited in bytes; evicts in order of loading. Names that anyone can make up
 * displace no site, and no host of `main`; among other branches, the most recently requested ones stay.
 */
export function createConfigCache(
  reads: Pick<Reads, 'publicConfig' | 'site'>,
  limit: number,
  isCurrent: (since: number) => boolean,
): ConfigCache {
  const hosts = new Map<string, Entry>();
  const entries = new Map<string, Entry>();
  const unknown = new LRUCache<string, number>({ max: UNKNOWN_SITES });
  let size = 0;

  function entryOf(key: string): Entry {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = { since: Date.now(), answer: undefined, loading: undefined, hosts: new Map<string, string>(), size: 0 };
    entries.set(key, entry);
    return entry;
  }

  /** A name has one cached spelling, so that `main` has at most two hosts. */
  function join(entry: Entry, host: string, ref: string): void {
    if (entry.hosts.has(host) || host !== host.toLowerCase()) return;
    entry.hosts.set(host, ref);
    hosts.set(host, entry);
    if (entry.hosts.size <= HOSTS_OF_A_SITE) return;
    for (const [oldest, branch] of entry.hosts) {
      if (branch === DEFAULT_REF) continue;
      entry.hosts.delete(oldest);
      hosts.delete(oldest);
      return;
    }
  }

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    for (const host of entry.hosts.keys()) hosts.delete(host);
    size -= entry.size;
    entry.size = 0;
    entry.answer = undefined;
    entry.loading = undefined;
  }

  /** Evicts until an entry's current weight fits. */
  function weigh(entry: Entry, { bytes }: ReadyAnswer): void {
    const weight = bytes.length + OVERHEAD + entry.hosts.size * HOST;
    size += weight - entry.size;
    entry.size = weight;
    for (const [key, oldest] of entries) {
      if (size <= limit) break;
      if (oldest !== entry) drop(key, oldest);
    }
  }

  function invalidate(org: string, site: string): void {
    const key = `${org}/${site}`;
    const entry = entries.get(key);
    unknown.delete(key);
    if (entry !== undefined) drop(key, entry);
  }

  function remember(key: string, entry: Entry, answer: ReadyAnswer): void {
    entry.loading = undefined;
    if (answer === UNKNOWN_HOST) {
      drop(key, entry);
      unknown.set(key, entry.since);
      return;
    }
    entry.answer = answer;
    weigh(entry, answer);
  }

  return {
    ready(host) {
      const entry = hosts.get(host);
      return entry !== undefined && isCurrent(entry.since) ? entry.answer : undefined;
    },
    load(host, { org, site, ref }) {
      const key = `${org}/${site}`;
      const none = unknown.get(key);
      if (none !== undefined && isCurrent(none)) return Promise.resolve(UNKNOWN_HOST);
      unknown.delete(key);
      const entry = entryOf(key);
      join(entry, host, ref);
      if (!isCurrent(entry.since)) {
        entry.since = Date.now();
        entry.answer = undefined;
        entry.loading = undefined;
      }
      if (entry.answer !== undefined) {
        weigh(entry, entry.answer);
        return Promise.resolve(entry.answer);
      }
      if (entry.loading !== undefined) return entry.loading;
      const loading = readAnswer(reads, { org, site }).then(
        (answer) => {
          if (entry.loading === loading) remember(key, entry, answer);
          return answer;
        },
        (error: unknown) => {
          if (entry.loading === loading) drop(key, entry);
          throw error;
        },
      );
      entry.loading = loading;
      return loading;
    },
    invalidate,
  };
}

async function readAnswer(
  reads: Pick<Reads, 'publicConfig' | 'site'>,
  { org, site }: Pick<SiteHost, 'org' | 'site'>,
): Promise<ReadyAnswer> {
  const found = await reads.publicConfig(org, site);
  if (found !== undefined) return configAnswer(found);
  return (await reads.site(org, site)) === undefined ? UNKNOWN_HOST : NO_CONFIG;
}

/** The hosts' answer for `/config.json` of a site with a public part (docs/contract.md 6.2). */
function configAnswer({ json, etag }: { readonly json: string; readonly etag: string }): ReadyAnswer {
  return contentAnswer('application/json', asciiOrBytes(json), etag);
}

function asciiOrBytes(text: string): string | Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.length === text.length && bytes.length <= LARGE ? text : bytes;
}

/**
 * Sends an answer whose bytes are ready, or 304 to a caller who has them. For a stream, returns a promise that settles when its first piece
 * is available; it rejects if that is unavailable, and nothing is sent then.
 */
export type SendReady = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer) => Promise<void> | undefined;

/** Whether there is memory for a large answer that is about to be sent. */
type Admit = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer) => boolean;

/**
 * How the hosts send their answers: over HTTPS, each includes Strict-Transport-Security (RFC 6797). A large one without enough memory is
 * refused.
 */
export function readySender({ protocol }: { readonly protocol: 'http' | 'https' }, admit: Admit): SendReady {
  const complete = protocol === 'https' ? withTransportSecurity : (headers: string[]) => headers;
  return function send(request, response, answer) {
    const { status, headers, bytes, etag, unchanged, stream } = answer;
    if (etag !== undefined && unchanged !== undefined && hasEtag(request, etag)) {
      response.writeHead(304, complete(unchanged)).end();
      return undefined;
    }
    if ((bytes.length > LARGE || stream !== undefined) && request.method !== 'HEAD' && !admit(request, response, answer))
      return send(request, response, OVERLOADED);
    const sent = complete(headers);
    if (stream !== undefined && request.method !== 'HEAD') return sendStream(response, status, sent, stream.pieces);
    response.writeHead(status, sent).end(bytes, 'latin1');
    return undefined;
  };
}

/** The site's own header takes precedence. */
function withTransportSecurity(headers: string[]): string[] {
  const known = completed.get(headers);
  if (known !== undefined) return known;
  const complete = headers.includes(TRANSPORT_SECURITY) ? headers : [...headers, TRANSPORT_SECURITY, ONE_YEAR];
  completed.set(headers, complete);
  return complete;
}

/** A stream that cannot be read to its end is cut off: the announced length tells the caller. */
async function sendStream(response: ServerResponse, status: number, headers: string[], stream: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  // Callers who disconnected get nothing; later versions of Node.js throw when piping to a closed response.
  if (response.destroyed) return void (await pieces.return?.());
  response.writeHead(status, headers);
  pipeline(from(first, pieces), response, () => undefined);
}

async function* from(first: IteratorResult<Uint8Array>, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    // Callers who disconnected stop reading.
    await pieces.return?.();
  }
}

/** Whether `if-none-match` names the etag, as a weak comparison (RFC 9110, 13.1.2). */
export function hasEtag({ rawHeaders }: IncomingMessage, etag: string): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== IF_NONE_MATCH.length || name.toLowerCase() !== IF_NONE_MATCH) continue;
    const value = rawHeaders[index + 1] ?? '';
    if (value === etag || value.trim() === '*' || value.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return true;
  }
  return false;
}

const IF_NONE_MATCH = 'if-none-match';
const completed = new WeakMap<string[], string[]>();
const TRANSPORT_SECURITY = 'strict-transport-security';
const ONE_YEAR = 'max-age=31536000; includeSubDomains';
