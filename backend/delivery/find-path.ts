import type { Site } from '@repoless/contract/site.ts';
import { originOf } from '../code/rules/code-origin.ts';
import type { CodeFile, CodeFiles } from '../code/rules/ports.ts';
import { folderPage } from './folder-page.ts';
import { missingCode } from './missing-code.ts';
import { pageAnswer } from './page-answer.ts';
import type { PageServices } from './page-answer.ts';
import type { PageShare } from './page-budget.ts';
import type { ReadyAnswer } from './site-answers.ts';
import { yamlAnswer } from './yaml-answer.ts';

/** What code and pages are read from. */
export interface PathSources {
  readonly code: CodeFiles;
  readonly pages: PageServices;
}

/** A branch of a site: it has the configuration of `main`, and code of its own. */
export interface SearchedBranch {
  readonly org: string;
  readonly site: string;
  readonly ref: string;
  /** What holds for the site. */
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
 * What is at a path of a branch: one search for the hosts and /status (docs/contract.md 6.3). Code comes before pages; for spreadsheets and other
 * JSON content comes first, except for files that only code has. If nothing is there, the page of the folder counts.
 */
export async function findPath(sources: PathSources, branch: SearchedBranch, path: string): Promise<FoundPath> {
  const found = await findItself(sources, branch, path);
  if (found.from !== 'nowhere' || found.answer.status !== 404) return found;
  const standIn = folderPage(path, branch.config.folders);
  return standIn === undefined ? found : await findItself(sources, branch, standIn);
}

/** A file of the code of a branch. */
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
  // A source that cannot be read may have it: what the code has in its place would be wrong.
  const file = isContentFirst && HAS_NONE.has(answer.status) ? await findFile(sources, branch, path) : undefined;
  if (file !== undefined) return { from: 'code', file, path };
  const origin = originOf(org, config.code);
  if (origin === undefined) return { from: 'nowhere', answer, path };
  const missing = missingCode(path, { ref, type: origin.type }, await code.standing(origin.key, ref), answer);
  return { from: 'nowhere', answer: missing, path };
}

/** JSON that the editor and scripts read from the code: don't wait for a content source. */
const CODE_ALONE = /^\/(?:scripts|styles|blocks|icons|fonts)\/|^\/component-(?:definition|models|filters)\.json$/;
/** The content source does not have it, or is none that is served. */
const HAS_NONE: ReadonlySet<number> = new Set([404, 501]);
