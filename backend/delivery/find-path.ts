import type { SiteHost } from '@repoless/contract/addresses.ts';
import { pageName } from '@repoless/contract/content-paths.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Site } from '@repoless/contract/site.ts';
import { originOf } from '../code/rules/code-origin.ts';
import type { CodeAvailability, CodeFile, CodeFiles, CodeOrigin } from '../code/rules/ports.ts';
import { memoizePerDocument } from '../domain/documents.ts';
import { pageAnswer, type PageServices } from './page-answer.ts';
import type { PageShare } from './page-budget.ts';
import { type ReadyAnswer, refusalAnswer, yamlAnswer } from './site-answers.ts';

export interface PathSources {
  readonly code: CodeFiles;
  readonly pages: PageServices;
}

/** A branch of a site: it has the configuration of `main`, and its own code. */
export interface SearchedBranch extends SiteHost {
  /** The effective configuration of the site. */
  readonly config: Site;
  /** Of the memory for pages. */
  readonly share: PageShare;
}

export type FoundPath = (
  | { readonly from: 'code'; readonly file: CodeFile }
  | { readonly from: 'configuration' | 'mapping' | 'nowhere'; readonly answer: ReadyAnswer }
) & {
  /** Where it was found: at the requested path, or at that of the page that stands for its folder. */
  readonly path: string;
};

/**
 * What is at a path of a branch: one search for the hosts and /status (docs/contract.md 6.3). Code comes before pages; for spreadsheets and
 * other JSON content comes first, except for files that only code has. If nothing is there, the page of the folder counts.
 */
export async function findPath(sources: PathSources, branch: SearchedBranch, path: string): Promise<FoundPath> {
  const found = await findItself(sources, branch, path);
  if (found.from !== 'nowhere' || found.answer.status !== 404) return found;
  const standIn = folderPage(path, branch.config.folders);
  return standIn === undefined ? found : await findItself(sources, branch, standIn);
}

export async function findFile(
  { code }: Pick<PathSources, 'code'>,
  { org, ref, config }: SearchedBranch,
  path: string,
): Promise<CodeFile | undefined> {
  const origin = originOf(org, config.code);
  return origin === undefined ? undefined : await code.find(origin.key, ref, path.slice(1));
}

async function findItself(sources: PathSources, branch: SearchedBranch, path: string): Promise<FoundPath> {
  const { code, pages } = sources;
  const { org, site, ref, config, share } = branch;
  const yaml = yamlAnswer(config, path);
  if (yaml !== undefined) return { from: 'configuration', answer: yaml, path };
  const isContentFirst = path.endsWith('.json') && !CODE_ALONE.test(path);
  const first = isContentFirst ? undefined : await findFile(sources, branch, path);
  if (first !== undefined) return { from: 'code', file: first, path };
  const answer = await pageAnswer(pages, share, { org, site, config }, path);
  if (answer.status === 200) return { from: 'mapping', answer, path };
  // A source that cannot be read may have it: serving the code's file instead would be wrong.
  const file = isContentFirst && HAS_NONE.has(answer.status) ? await findFile(sources, branch, path) : undefined;
  if (file !== undefined) return { from: 'code', file, path };
  const origin = originOf(org, config.code);
  if (origin === undefined) return { from: 'nowhere', answer, path };
  const missing = missingCode(path, { ref, type: origin.type }, await code.availability(origin.key, ref), answer);
  return { from: 'nowhere', answer: missing, path };
}

/** JSON that the editor and scripts read from the code: don't wait for a content source. */
const CODE_ALONE = /^\/(?:scripts|styles|blocks|icons|fonts)\/|^\/component-(?:definition|models|filters)\.json$/;
/** The content source does not have it, or cannot be served. */
const HAS_NONE: ReadonlySet<number> = new Set([404, 501]);

/**
 * The page that stands for missing pages of a folder. `/products` means the folder and everything below, `/products/` only what is below;
 * the most specific folder wins. A spreadsheet may stand for exactly one named path. Undefined if the path is in no folder or is not a
 * page. Takes a public path.
 */
export function folderPage(path: string, folders: Readonly<Record<string, string>> | undefined): string | undefined {
  if (folders === undefined) return undefined;
  const page = pageName(path);
  if (page === undefined) return undefined;
  const pages = pagesOf(folders);
  const name = page.endsWith('.json') ? pages.get(page) : /\.[^/]*$/.test(page) ? undefined : pageOf(page, pages);
  const target = name === undefined || name.startsWith('/') ? name : `/${name}`;
  if (target === undefined || target === page) return undefined;
  return path.endsWith('.plain.html') && !/\.[^/]*$/.test(target) ? `${target}.plain.html` : target;
}

const pagesOf = memoizePerDocument((folders: Readonly<Record<string, string>>) => new Map(Object.entries(folders)));

/** From the page itself upwards, so that the cost depends on the path's segments, not on the number of folders. */
function pageOf(page: string, pages: ReadonlyMap<string, string>): string | undefined {
  const own = page.endsWith('/') ? undefined : pages.get(page);
  if (own !== undefined) return own;
  for (let slash = page.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : page.lastIndexOf('/', slash - 1)) {
    const below = slash === page.length - 1 ? undefined : pages.get(page.slice(0, slash + 1));
    const found = below ?? pages.get(page.slice(0, slash));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The answer for a path that neither code nor content has. Takes the path, the state of the branch's code, and the answer of the content
 * source. Pages come only from the content; code files are not looked up there. Why the sync of an external repository failed is not shown
 * to visitors: the message names its host, its secret and other sites.
 */
function missingCode(
  path: string,
  { ref, type }: { readonly ref: string; readonly type: CodeOrigin['type'] },
  code: CodeAvailability,
  page: ReadyAnswer,
): ReadyAnswer {
  const isCode = CODE.test(path);
  if (page.status === 200 || !(isCode || (page.status === 404 && MAY_BE_CODE.test(path)))) return page;
  const branch = `branch "${ref}"`;
  const spelling = pageName(path) === undefined ? page.headers[page.headers.indexOf('x-error') + 1] : undefined;
  const noPage = isCode ? '' : ` ${spelling ?? 'The content source does not have the page either.'}`;
  switch (code.state) {
    case 'served': {
      const failed = code.error === undefined ? '' : ` The latest sync failed${type === 'byogit' ? `. ${ITS_JOB}` : `: ${code.error}`}`;
      return refusal('FILE_NOT_FOUND', `The code of ${branch} (commit ${code.sha.slice(0, 7)}) does not have the file.${noPage}${failed}`);
    }
    case 'never':
      return refusal('CODE_NOT_SYNCHRONIZED', `The code of ${branch} has not been synchronized yet. ${howToSync(ref)}${noPage}`);
    case 'in-progress':
      return refusal('CODE_NOT_SYNCHRONIZED', `The code of ${branch} is being synchronized for the first time. Try again in a moment.`);
    case 'failed':
      return refusal(
        'CODE_NOT_SYNCHRONIZED',
        `The code of ${branch} is not synchronized: its sync failed. ${type === 'byogit' ? ITS_JOB : code.error}${noPage}`,
      );
    default:
      return code satisfies never;
  }
}

function howToSync(ref: string): string {
  return ref === DEFAULT_REF ? 'Start its first sync.' : 'Start its first sync, or check the branch name.';
}

/** A header is one line of printable ASCII; a job's error may contain a branch name. */
function refusal(code: string, sentence: string): ReadyAnswer {
  return refusalAnswer(404, code, sentence.replaceAll(/[^\x20-\x7e]/g, '?'));
}

const ITS_JOB = 'The job of the sync says why.';
/** What no content source has: files by type, and those that the editor and the delivery know by name. */
const CODE =
  /(?:^\/(?:scripts|styles|blocks|icons|fonts|models|tools)\/.*\.[a-z0-9]+|\.(?:m?js|css|map|svg|ico|woff2?|ttf|ya?ml)|^\/(?:head|404)\.html|^\/component-(?:definition|models|filters)\.json)$/i;
/** Extensions that may belong to a spreadsheet or a page. */
const MAY_BE_CODE = /\.(?:json|html|txt|xml|png|jpe?g|gif|webp|mp4|pdf)$/i;
