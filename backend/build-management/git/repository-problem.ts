import { GitFailure } from './run-git.ts';

/** Why a repository cannot be read: a sentence that says what to do, and holds no secret. */
export class RepositoryProblem extends Error {
  override readonly name = 'RepositoryProblem';
}

/** What git said, in words for the one who onboards. Other errors stay what they are. */
export function repositoryProblem(error: unknown): unknown {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new RepositoryProblem('The git vendor did not answer in time. Retry in a minute.');
  if (!(error instanceof GitFailure)) return error;
  const known = PROBLEMS.find(({ sign }) => sign.test(error.said));
  return new RepositoryProblem(known?.sentence ?? 'There is no git repository at this address. Check the clone address, then retry.');
}

const PROBLEMS: readonly { sign: RegExp; sentence: string }[] = [
  {
    sign: /File size limit|signal 25|file too large|file write error/i,
    sentence: 'The repository is larger than this service takes. Remove large files from its history, then retry.',
  },
  {
    sign: /could not read (?:Username|Password)|Authentication failed|error: 401/i,
    sentence: 'The git vendor refuses the access token. Make a new one that may read the repository, then retry with it.',
  },
  { sign: /error: 403/i, sentence: 'The access token may not read the repository. Give it that right at the git vendor, then retry.' },
  {
    sign: /not found|error: 404/i,
    sentence: 'There is no repository at this address, or the access token may not see it. Check both, then retry.',
  },
  {
    sign: /redirect|error: 30\d/i,
    sentence: 'The clone address leads on to another one. Onboard the repository with the address that it leads to.',
  },
  { sign: /error: 429/i, sentence: 'The git vendor asks for fewer calls. Retry in a few minutes.' },
  {
    sign: /resolve|connect|timed out|Empty reply|error: 5\d\d|early EOF|hung up|disconnect|transfer closed|too slow|less than/i,
    sentence: 'The git vendor does not answer. Check the clone address, then retry in a minute.',
  },
  {
    sign: /certificate|SSL|TLS/i,
    sentence: 'The certificate of the git vendor is not trusted here. Ask its administrator for a valid one.',
  },
];
