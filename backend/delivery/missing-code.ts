import { pageName } from '@repoless/contract/content-paths.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { CodeOrigin } from '../code/rules/code-origin.ts';
import type { CodeAvailability } from '../code/rules/ports.ts';
import { refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

/**
 * The answer for a path that neither code nor content has. Takes the path, the state of the branch's code, and the answer of the content source.
 * Pages come only from the content; code files are not looked up there. Why the sync of an external repository failed is not shown to visitors:
 * the message names its host, its secret and other sites.
 */
export function missingCode(
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
      return refusal('CODE_NOT_SYNCHRONISED', `The code of ${branch} has not been synchronised yet. ${begin(ref)}${noPage}`);
    case 'under-way':
      return refusal('CODE_NOT_SYNCHRONISED', `The code of ${branch} is being synchronised for the first time. Try again in a moment.`);
    case 'failed':
      return refusal(
        'CODE_NOT_SYNCHRONISED',
        `The code of ${branch} is not synchronised: its sync failed. ${type === 'byogit' ? ITS_JOB : code.error}${noPage}`,
      );
    default:
      return code satisfies never;
  }
}

function begin(ref: string): string {
  return ref === DEFAULT_REF ? 'Start its first sync.' : 'Start its first sync, or check the branch name.';
}

/** A header holds one line of printable ASCII; a job's error may hold a branch's name. */
function refusal(code: string, sentence: string): ReadyAnswer {
  return refusalAnswer(404, code, sentence.replaceAll(/[^\x20-\x7e]/g, '?'));
}

const ITS_JOB = 'The job of the sync says why.';
/** What no content source has: files by their type, and those that the editor and the delivery know by name. */
const CODE =
  /(?:^\/(?:scripts|styles|blocks|icons|fonts|models|tools)\/.*\.[a-z0-9]+|\.(?:m?js|css|map|svg|ico|woff2?|ttf|ya?ml)|^\/(?:head|404)\.html|^\/component-(?:definition|models|filters)\.json)$/i;
/** A spreadsheet or a page may be asked for by these. */
const MAY_BE_CODE = /\.(?:json|html|txt|xml|png|jpe?g|gif|webp|mp4|pdf)$/i;
