import { addressProblem, ambiguousCharacter, mayLeaveFolder, parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { createPathMapper, pageName, sourceName, type SourceName } from '@repoless/contract/content-paths.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import type { Site } from '@repoless/contract/site.ts';
import { createHash } from 'node:crypto';
import type { Authors } from '../domain/ports.ts';
import { memoizePerDocument } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createTimeSlices } from '../domain/fair-share.ts';
import type { PageShare } from './page-budget.ts';
import { contentAnswer, mediaType, type ReadyAnswer, refusalAnswer } from './site-answers.ts';

/** A site by its requested host, with its configuration. */
export interface ServedSite {
  readonly org: string;
  readonly site: string;
  readonly config: Site;
}

export interface PageServices {
  /** The guarded client for authoring systems, limited in time and size. */
  readonly authors: Authors;
  /** Sent only to the authors in the settings. */
  readonly token: SealedValue | undefined;
  /** Milliseconds from a visitor's request until the page is read, including the wait for its turn. */
  readonly time: number;
  isKnownAuthor(origin: string): boolean;
}

/** The page of a public path: requested from the site's delivery address, its markup passed on (docs/contract.md 6.3). */
export async function pageAnswer(services: PageServices, share: PageShare, site: ServedSite, path: string): Promise<ReadyAnswer> {
  const character = ambiguousCharacter(path);
  if (character !== undefined) return refusalAnswer(400, 'NAME_INVALID', ambiguous(character));
  const { content } = site.config;
  if (content === undefined) return notFound('The site has no content source.');
  const { source } = content;
  if (source.type !== 'markup') {
    const sentence = `Pages of a content source of type "${source.type}" are not served here; only the type "markup" is.`;
    return refusalAnswer(501, 'CONTENT_SOURCE_NOT_SERVED', sentence);
  }
  const candidates = mapperOf(site.config.public?.paths ?? NO_PATHS).contentPaths(path);
  if (candidates.length === 0) return notFound(pageName(path) === undefined ? otherSpelling(path) : UNMAPPED);
  let last: ReadyAnswer = notFound('The page does not exist.');
  for (const candidate of candidates) {
    const name = sourceName(candidate, path, source.suffix);
    const address = pageAddress(source.url, site, name);
    if (address === undefined) return badGateway(NOT_PLAIN);
    last = await readPage(services, share, address, path.endsWith(PLAIN) && !name.path.endsWith(PLAIN));
    if (last.status !== 404) return last;
    share.drop();
  }
  return last;
}

/** The service's account reads only the delivery address of this site. */
async function readPage(
  { authors, token, isKnownAuthor }: PageServices,
  { reserve, visit }: PageShare,
  address: PageAddress,
  plain: boolean,
): Promise<ReadyAnswer> {
  const { origin, path, query, media: usual, base: below, isOwn } = address;
  const authorization = isKnownAuthor(origin) ? token?.use((value) => `Bearer ${value}`) : undefined;
  if (authorization !== undefined && !isOwn) return badGateway(NOT_OWN);
  const headers = { accept: 'text/html, application/json, */*;q=0.1', ...(authorization !== undefined && { authorization }) };
  try {
    const waited = visit && { timeout: visit.timeLeft(), signal: visit.disconnected() };
    const answer = await authors.send({ method: 'GET', origin, path: `${path}${query}`, base: below, headers, reserve, ...waited });
    if (answer.status === 404) return notFound('The content source does not have this page.');
    if (answer.status !== 200)
      return badGateway(`The content source returned ${answer.status}. ${ADVICE[answer.status] ?? ''}`.trim(), answer.status);
    const bytes = plain ? await mainOf(answer.body) : answer.body;
    const media = answer.headers['content-type'] ?? usual;
    const page = withSource(contentAnswer(media, bytes, await etagOf(media, bytes)), `${origin}${path}`);
    const changed = Date.parse(answer.headers['last-modified'] ?? '');
    return Number.isNaN(changed) ? page : { ...page, lastModified: new Date(changed).toUTCString() };
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'OVERLOADED') return badGateway(`Could not read the content source. ${error.message}`);
    throw error;
  }
}

async function etagOf(media: string, bytes: Uint8Array): Promise<string> {
  const pause = createTimeSlices();
  const hash = createHash('sha256').update(media).update('\n');
  for (let at = 0; at < bytes.length; at += HASHED_PIECE) {
    if (at > 0) await pause();
    hash.update(bytes.subarray(at, at + HASHED_PIECE));
  }
  return `"${hash.digest('base64url')}"`;
}

/** Also sent with a 304: a cache may have the same bytes from another address. */
function withSource(answer: ReadyAnswer, address: string): ReadyAnswer {
  const source = ['x-content-source', address];
  return { ...answer, headers: [...answer.headers, ...source], unchanged: [...(answer.unchanged ?? []), ...source] };
}

async function mainOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { insideOfMain } = await import('./main-element.ts');
  const main = await insideOfMain(new TextDecoder().decode(bytes));
  return main === undefined ? bytes : Buffer.from(main.trim());
}

/** The path as written in addresses: a header is ASCII. */
function otherSpelling(path: string): string {
  return `A page has one address. Request "${encodeURI(path.replace(/\.html$/, '').replace(/(?<=\/)index$/, ''))}".`;
}

function notFound(sentence: string): ReadyAnswer {
  return refusalAnswer(404, 'ROUTE_NOT_FOUND', sentence);
}

/** By `x-content-status` a client can tell a content source that refuses from one that is unreachable. */
function badGateway(sentence: string, status?: number): ReadyAnswer {
  const more = status === undefined ? [] : ['x-content-status', String(status)];
  return refusalAnswer(502, 'CONTENT_UNREACHABLE', sentence.replaceAll(/[^\x20-\x7e]/g, '?'), more);
}

function ambiguous(character: string): string {
  const escaped = Buffer.from(character).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
  return `The path has the character "${escaped}", which no page path has. Remove it.`;
}

const UNMAPPED = 'No mapping of the site leads from this path to published content.';
const NO_PATHS = {};
const mapperOf = memoizePerDocument(createPathMapper);

const NOT_PLAIN =
  'The content address or a mapping of the site has special characters, so the page is not requested. Write both without "..", ";" and escapes.';
const NOT_OWN =
  'The content address is not the delivery address of this site, so the service does not read it with its account. Write .../bin/<connector>.delivery/<org>/<site>/main.';
const PLAIN = '.plain.html';
/** Bytes; one or two milliseconds. */
const HASHED_PIECE = 512 * 1024;
const ADVICE: Readonly<Record<number, string>> = {
  401: 'The service has no access there: its operator lets its account read, or the delivery is made public.',
  403: 'The service has no access there: let its account read, or make the delivery public.',
};

interface PageAddress {
  readonly origin: string;
  readonly path: string;
  /**
   * The query of the content source together with that of its suffix, with the `?`; empty if there is none. It may contain a credential, so
   * it is never shown.
   */
  readonly query: string;
  /** The media type if the source does not send one. */
  readonly media: string;
  /** The base of every page of the site, with a trailing slash. */
  readonly base: string;
  /** Whether this is the delivery address of this site, which the service's own account may read. */
  readonly isOwn: boolean;
}

/**
 * The address of a content path. Takes the address of the content source, its site, and the name of the content there. Undefined if a
 * server might find the page anywhere else: the address and the mappings may have been stored before that was checked.
 */
function pageAddress(source: string, site: { readonly org: string; readonly site: string }, name: SourceName): PageAddress | undefined {
  const { path } = name;
  if (addressProblem(source) !== undefined || ambiguousCharacter(path) !== undefined || mayLeaveFolder(path)) return undefined;
  const { origin, pathname, search } = new URL(source);
  const below = `${pathname.replace(/\/+$/, '')}/`;
  const address = new URL(`${origin}${below.slice(0, -1)}${encodeURI(path)}`);
  if (address.origin !== origin || !address.pathname.startsWith(below)) return undefined;
  const delivery = parseDeliveryAddress(`${origin}${below}`);
  const media = name.isPage ? 'text/html; charset=utf-8' : mediaType(path);
  const isOwn = delivery?.org === site.org && delivery.site === site.site;
  return { origin, path: address.pathname, query: mergedQuery(search.slice(1), name.query), media, base: below, isOwn };
}

/** For a name in both, that of the suffix wins. In the original spelling: some sources distinguish "+" from "%20". */
function mergedQuery(source: string, suffix: string): string {
  const own = parametersOf(suffix);
  const names = new Set(own.map(nameOf));
  const all = [...parametersOf(source).filter((parameter) => !names.has(nameOf(parameter))), ...own];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

function parametersOf(query: string): string[] {
  return query.split('&').filter((parameter) => parameter !== '');
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0] ?? '';
}
