import { isTransient, TransientError } from '../retry.ts';
import { NothingThere, SyncProblem } from '../sync-problem.ts';

/**
 * What git said of the other side, as the sentence of a job: git's own words are for people at a terminal, and may hold
 * addresses. In: git's last words, the repository as `owner/repo`, the host. Out: undefined where they say nothing certain of
 * the other side; only then may anything else be the cause.
 */
export function remoteProblem(said: string, repository: string, host: string): SyncProblem | TransientError | undefined {
  const status = Number(/returned error: (\d{3})/.exec(said)?.[1]);
  if (status === 401 || SIGN_IN.test(said)) return new SyncProblem(`${host} answered 401 for ${repository}: ${PRIVATE}`);
  if (status === 403) return new SyncProblem(`${host} answered 403 for ${repository}: it refuses to show the repository. ${READABLE}`);
  if (status === 404 || /repository '.*' not found/.test(said)) return notFound(repository, host);
  if (status === 429) return new TransientError(`${host} answered 429: too many requests.`);
  if (isTransient(status)) return new TransientError(`${host} answered ${status}.`);
  if (status >= 300 && status < 400)
    return new SyncProblem(`${host} answered ${status} for ${repository}: the repository was renamed or moved. Use its current name.`);
  if (status > 0) return new SyncProblem(`${host} answered ${status} for ${repository}.`);
  if (/could not resolve host/i.test(said)) return new TransientError(`The host name ${host} cannot be resolved.`);
  if (/timed out|too slow|timeout was reached/i.test(said)) return new TransientError(`${host} did not respond in time.`);
  if (/failed to connect|couldn't connect|connection refused/i.test(said)) return new TransientError(`${host} does not respond.`);
  if (/empty reply|connection (?:was )?reset|recv failure/i.test(said))
    return new TransientError(`${host} closed the connection without an answer.`);
  if (/certificate|\bssl\b|\btls\b/i.test(said)) return new SyncProblem(`The certificate of ${host} is not trusted by the service.`);
  if (/out of memory|cannot allocate memory|mmap failed|unable to create thread/i.test(said)) return new SyncProblem(TOO_MUCH_MEMORY);
  if (/couldn't find remote ref/i.test(said)) return new SyncProblem('branch not found');
  return undefined;
}

function notFound(repository: string, host: string): NothingThere {
  const sentence = `${host} answered 404: the repository ${repository} does not exist, or is private. Check owner and name. ${READABLE}`;
  return new NothingThere(sentence, sentence);
}

const TOO_MUCH_MEMORY = 'Reading the repository takes more memory than the service allows. Remove large files from the branch.';
const SIGN_IN = /could not read (?:Username|Password)|Authentication failed|unable to read askpass response/;
const READABLE = 'The service reads the repository without signing in.';
const PRIVATE = `it does not exist, or is private. ${READABLE}`;
