import type { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { SiteHost } from '@repoless/contract/addresses.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { isPagePath } from '@repoless/contract/source-names.ts';
import type { Site } from '@repoless/contract/site.ts';
import { codeAnswer } from './code-answer.ts';
import { findFile, findPath } from './find-path.ts';
import type { FoundPath, PathSources, SearchedBranch } from './find-path.ts';
import { missingPage } from './missing-page.ts';
import type { PageBudget, PageShare } from './page-budget.ts';
import { pathProblem } from './path-problem.ts';
import { fileBytes, hasSeveralSheets, readSheetQuery, sheetAnswer } from './sheet-answer.ts';
import { LONG_PATH, refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';
import type { SiteHeaders } from './with-site-headers.ts';

interface AnswerSources extends PathSources {
  /** Of files of the code, by their hashes, whether they may hold several sheets: none is read for those who have it. */
  readonly severalSheets: LRUCache<string, boolean>;
  readonly budget: PageBudget;
}

/** A branch, what holds for its site, and the headers that the site sets for the path. */
export interface AskedBranch extends SiteHost {
  readonly config: Site;
  readonly given: SiteHeaders;
}

/** What a host answers for a path of a branch, without the headers of the site. In: the path as it is written in the address. */
export async function answerPath(
  sources: AnswerSources,
  request: IncomingMessage,
  { given, ...site }: AskedBranch,
  encoded: string,
): Promise<ReadyAnswer> {
  if (encoded.length > LIMITS.pagePath) return LONG_PATH;
  const problem = pathProblem(encoded);
  if (problem !== undefined) return refusalAnswer(400, 'NAME_INVALID', problem);
  const path = decodeURIComponent(encoded);
  const branch = { ...site, share: lazyShare(sources.budget, request, site.org) };
  const found = await findPath(sources, branch, path);
  if (path.endsWith('.json')) return await answerJson(sources, found, branch, request, { path, given });
  if (found.from === 'code') return await codeAnswer(found.file, found.path, request, given);
  if (found.answer.status !== 404 || !isPagePath(path)) return found.answer;
  const page = await findFile(sources, branch, '/404.html');
  return page === undefined ? found.answer : await missingPage(found.answer, page, request.method);
}

/** What takes nothing of the memory for pages is counted when it is sent. */
export function lazyShare(budget: PageBudget, request: IncomingMessage, org: string): PageShare {
  let share: PageShare | undefined;
  const begun = () => (share ??= budget.shareFor(request, org));
  return { hold: (bytes) => begun().hold(bytes), drop: () => share?.drop() };
}

/** Spreadsheets answer the sheets and rows that are asked for. */
async function answerJson(
  { severalSheets }: AnswerSources,
  found: FoundPath,
  { share }: SearchedBranch,
  request: IncomingMessage,
  { path, given }: { readonly path: string; readonly given: SiteHeaders },
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
    return sheets ?? (await codeAnswer(file, found.path, request, given));
  }
  const { answer } = found;
  const bytes = typeof answer.bytes === 'string' ? Buffer.from(answer.bytes, 'latin1') : answer.bytes;
  const sheets = await sheetAnswer(bytes, query, path, 'content');
  return sheets === undefined ? answer : withSourceOf(answer, sheets);
}

/** Where the content comes from is said of a part of it too. */
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
