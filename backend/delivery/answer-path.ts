import type { SiteHost, Tier } from '@repoless/contract/addresses.ts';
import { isPagePath } from '@repoless/contract/content-paths.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { CodeFile, CodeFiles } from '../code/rules/ports.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { PathProbe, PathResult, ProbedPath } from '../sites/get-status.ts';
import { hasEtag } from './config-cache.ts';
import { findFile, findPath, type FoundPath, type PathSources, type SearchedBranch } from './find-path.ts';
import type { PageServices } from './page-answer.ts';
import type { PageBudget, PageShare } from './page-budget.ts';
import { fileBytes, hasSeveralSheets, readSheetQuery, sheetAnswer } from './sheet-answer.ts';
import { contentHeaders, LONG_PATH, mediaType, type ReadyAnswer, refusalAnswer, yamlAnswer } from './site-answers.ts';
import type { SiteHeaders } from './with-site-headers.ts';

interface AnswerSources extends PathSources {
  /** Whether code files, by hash, may contain several sheets: for conditional requests none is read. */
  readonly severalSheets: LRUCache<string, boolean>;
  readonly budget: PageBudget;
}

/** A branch, its site's effective configuration, and the headers that the site sets for the path. */
export interface RequestedBranch extends SiteHost {
  readonly config: Site;
  readonly siteHeaders: SiteHeaders;
}

/** A host's answer for a path of a branch, without the headers of the site. Takes the path as written in the address. */
export async function answerPath(
  sources: AnswerSources,
  request: IncomingMessage,
  { siteHeaders, ...site }: RequestedBranch,
  encoded: string,
): Promise<ReadyAnswer> {
  if (encoded.length > LIMITS.pagePath) return LONG_PATH;
  const problem = pathProblem(encoded);
  if (problem !== undefined) return refusalAnswer(400, 'NAME_INVALID', problem);
  const path = decodeURIComponent(encoded);
  const branch = { share: lazyShare(sources.budget, request, site.org), ...site };
  const found = await findPath(sources, branch, path);
  if (path.endsWith('.json')) return await answerJson(sources, found, branch, request, { path, siteHeaders });
  if (found.from === 'code') return await codeAnswer(found.file, found.path, request, siteHeaders);
  if (found.answer.status !== 404 || !isPagePath(path)) return found.answer;
  const page = await findFile(sources, branch, '/404.html');
  return page === undefined ? found.answer : await missingPage(found.answer, page, request.method);
}

/** Creates the share when bytes are first held: answers without any are counted when they are sent. */
export function lazyShare(budget: PageBudget, request: IncomingMessage, org: string): PageShare {
  let share: PageShare | undefined;
  const started = () => (share ??= budget.shareFor(request, org));
  return { reserve: (bytes) => started().reserve(bytes), drop: () => share?.drop() };
}

/** Spreadsheets answer the requested sheets and rows. */
async function answerJson(
  { severalSheets }: AnswerSources,
  found: FoundPath,
  { share }: SearchedBranch,
  request: IncomingMessage,
  { path, siteHeaders }: { readonly path: string; readonly siteHeaders: SiteHeaders },
): Promise<ReadyAnswer> {
  if (found.from === 'nowhere') return found.answer;
  const query = readSheetQuery(request.url ?? '');
  if (query !== undefined && 'status' in query) return query;
  if (found.from === 'code') {
    const { file } = found;
    const bytes = query === undefined && severalSheets.get(file.hash) === false ? undefined : await fileBytes(file, share);
    if (bytes !== undefined) severalSheets.set(file.hash, hasSeveralSheets(bytes));
    const sheets = bytes === undefined ? undefined : await sheetAnswer(bytes, query, path, 'code');
    if (sheets === undefined) share.drop();
    return sheets ?? (await codeAnswer(file, found.path, request, siteHeaders));
  }
  const { answer } = found;
  const bytes = typeof answer.bytes === 'string' ? Buffer.from(answer.bytes, 'latin1') : answer.bytes;
  const sheets = await sheetAnswer(bytes, query, path, 'content');
  return sheets === undefined ? answer : withSourceOf(answer, sheets);
}

/** A selection names its content source, too. */
function withSourceOf({ headers }: ReadyAnswer, sheets: ReadyAnswer): ReadyAnswer {
  const at = headers.indexOf('x-content-source');
  if (at < 0) return sheets;
  const source = headers.slice(at, at + 2);
  return {
    ...sheets,
    headers: [...sheets.headers, ...source],
    ...(sheets.unchanged !== undefined && { unchanged: [...sheets.unchanged, ...source] }),
  };
}

/**
 * A file of the code: whole, or a single range that a GET requests (RFC 9110, 14.2) without having the file (13.2.2). If no bytes are sent,
 * none are read: the etag decides, together with the site's headers.
 */
async function codeAnswer(file: CodeFile, path: string, request: IncomingMessage, siteHeaders: SiteHeaders): Promise<ReadyAnswer> {
  const { headers, method } = request;
  const content = `"${file.hash}"`;
  const etag = siteHeaders.etag(content);
  const isKnown = hasEtag(request, etag);
  const requestsPart = method === 'GET' && !isKnown && (headers['if-range'] === undefined || headers['if-range'] === etag);
  const range = requestsPart ? readRange(headers['range'], file.size) : undefined;
  if (range === 'outside') {
    return refusalAnswer(416, 'RANGE_INVALID', 'The file does not have this range.', ['content-range', `bytes */${file.size}`]);
  }
  const part = range ?? { start: 0, end: file.size - 1 };
  const length = part.end - part.start + 1;
  const isSent = length > 0 && method !== 'HEAD' && !isKnown;
  const found = isSent ? await file.read(part) : new Uint8Array();
  const sent = contentHeaders(mediaType(path), length, content);
  const all = [...sent.headers, 'accept-ranges', 'bytes'];
  const body = found instanceof Uint8Array ? { bytes: found } : { bytes: new Uint8Array(), stream: { length, pieces: found } };
  if (range === undefined) return { ...sent, status: 200, headers: all, ...body };
  return { status: 206, headers: [...all, 'content-range', `bytes ${part.start}-${part.end}/${file.size}`], ...body };
}

/** Undefined if no range is requested, or several, or in another unit: the file is sent completely then. */
function readRange(header: string | string[] | undefined, size: number): { start: number; end: number } | 'outside' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(String(header ?? '').trim()) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (start >= size) return 'outside';
  return start > end ? undefined : { start, end };
}

/** The refusal of a missing page, with the code's own error page instead of the problem document. */
async function missingPage(refusal: ReadyAnswer, file: CodeFile, method: string | undefined): Promise<ReadyAnswer> {
  const found = method === 'HEAD' || file.size === 0 ? new Uint8Array() : await file.read();
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-length', String(file.size)];
  for (let index = 0; index < refusal.headers.length; index += 2) {
    const [name = '', value = ''] = refusal.headers.slice(index, index + 2);
    if (!headers.includes(name)) headers.push(name, value);
  }
  if (found instanceof Uint8Array) return { status: 404, headers, bytes: found };
  return { status: 404, headers, bytes: new Uint8Array(), stream: { length: file.size, pieces: found } };
}

/** The problem with a raw path, as a sentence in printable ASCII; undefined if it can be searched for. */
export function pathProblem(encoded: string): string | undefined {
  const path = decoded(encoded);
  if (path === undefined) return 'The path has a "%" that is not part of an encoded character. Write "%25" for it.';
  if (!path.startsWith('/')) return 'The path does not begin with "/".';
  if (path.includes('//')) return `The path has two slashes in a row. Write "${shown(encoded.replaceAll(/(?:\/|%2f){2,}/gi, '/'))}".`;
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return 'The path has a segment "." or "..". Remove it.';
  if (path.includes('\\')) return 'The path has a backslash. Write "/".';
  if (path.includes('\0')) return 'The path has the character "%00", which no name has. Remove it.';
  return undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Encoded, hence printable; truncated if it is very long. */
function shown(path: string): string {
  const text = path.replaceAll(/[^\x21-\x7e]/g, '?');
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

/** What the hosts answer for a path, without a visitor: reads a page from its content source, and discards it. */
export function createPathProbe({ code, pages }: { readonly code: CodeFiles; readonly pages: PageServices }): PathProbe {
  const turns = createFairShare(PROBES);
  return (probed) =>
    turns.run(probed.org, async () => {
      const own = ownFile(probed);
      if (own !== undefined) return own;
      const found = await probe(code, pages, probed);
      return { preview: found, live: found };
    });
}

/** Each may hold a page in memory, so only a few run at once. */
const PROBES = {
  atOnce: LIMITS.branchReadsAtOnce,
  perShare: LIMITS.branchReadsPerOrg,
  waitingPerShare: 20,
  waiting: 200,
  workName: 'paths',
};
/** No bytes of a page are held. */
const UNLIMITED = { reserve: () => undefined, drop: () => undefined };

/** Files that every host has. */
function ownFile({ path, config }: ProbedPath): Readonly<Record<Tier, PathResult>> | undefined {
  const configured = (exists: boolean): PathResult => (exists ? { status: 200, from: 'configuration' } : { status: 404 });
  if (path === '/robots.txt') return { preview: configured(true), live: configured(true) };
  const isOwn = path === '/config.json' ? config.public !== undefined : yamlAnswer(config, path) !== undefined;
  if (path !== '/config.json' && !isOwn) return undefined;
  return { preview: configured(isOwn), live: configured(isOwn) };
}

async function probe(code: CodeFiles, pages: PageServices, probed: ProbedPath): Promise<PathResult> {
  const { path } = probed;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const problem = encoded.length > LIMITS.pagePath ? `The path has more than ${LIMITS.pagePath} characters.` : pathProblem(encoded);
  if (problem !== undefined) return { status: 400, error: problem };
  const found = await findPath({ code, pages }, { ...probed, share: UNLIMITED }, path);
  if (found.from === 'nowhere') return { status: found.answer.status, ...named('error', found.answer, 'x-error') };
  const changed = found.from === 'mapping' && found.answer.lastModified !== undefined ? { lastModified: found.answer.lastModified } : {};
  if (found.path !== path) return { status: 200, from: 'folder', source: found.path, ...changed };
  return { status: 200, from: found.from, ...(found.from === 'mapping' && named('source', found.answer, 'x-content-source')), ...changed };
}

function named(name: 'source' | 'error', { headers }: ReadyAnswer, header: string): Partial<PathResult> {
  const at = headers.indexOf(header);
  const value = at < 0 ? undefined : headers[at + 1];
  return value === undefined ? {} : { [name]: value };
}
