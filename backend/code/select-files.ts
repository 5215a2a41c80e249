import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createRequire } from 'node:module';
import { createTimeSlices, yieldToEventLoop } from '../domain/fair-share.ts';
import { createThreads, ThreadEnded } from '../threads/in-thread.ts';
import { type SourceFile, SyncProblem } from './snapshot.ts';

interface Selection {
  readonly files: readonly SourceFile[];
  /** Numbers of files left out, by reason. */
  readonly ignored: Readonly<Record<string, number>>;
}

interface RuleLimits {
  /** Milliseconds. */
  readonly time: number;
  /** The share of the repository: its rules are evaluated one branch at a time. */
  readonly share: string;
  /** Aborted if the sync is stopped, has no time left, or the service ends. */
  readonly signal: AbortSignal;
}

/**
 * Selects the files of a repository to serve, without those that its own rules, or ours, exclude (docs/contract.md 5.4). Takes the text of
 * `.hlxignore`. Rejects with SyncProblem if there are too many rules, or they take too long; with the reason of the signal if that is
 * aborted.
 */
export async function selectFiles(files: readonly SourceFile[], rules: string | undefined, limits: RuleLimits): Promise<Selection> {
  const own = limitedRules(rules ?? '');
  const pause = createTimeSlices();
  const ignored: Record<string, number> = {};
  const leaveOut = (reason: string) => void (ignored[reason] = (ignored[reason] ?? 0) + 1);
  const served: SourceFile[] = [];
  for (const file of files) {
    const reason = reasonToIgnore(file);
    if (reason === undefined) served.push(file);
    else leaveOut(reason);
    await pause();
  }
  if (served.length === 0 || own.every((rule) => rule.trim() === '')) return { files: served, ignored };
  const flags = await ignoredPaths(served, own, limits);
  const selected: SourceFile[] = [];
  for (const [index, file] of served.entries()) {
    if (flags[index] === 1) leaveOut('.hlxignore');
    else selected.push(file);
    await pause();
  }
  return { files: selected, ignored };
}

/** Maximum bytes of a file of rules; a larger one is not read. */
export const IGNORE_FILE_LIMIT = LIMITS.ignoreLength * 4;

export function ignoreFileTooLarge(): SyncProblem {
  return new SyncProblem(codeSentence('ignoreLength', { limit: LIMITS.ignoreLength }));
}

/** Whether the bytes are a pointer to a file elsewhere (Git LFS). */
export function isPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').startsWith(LFS);
}

/** Stops one line after the limit: a file of line breaks would produce as many texts. */
function limitedRules(text: string): string[] {
  if (text.length > LIMITS.ignoreLength) throw ignoreFileTooLarge();
  const lines = text.split('\n', LIMITS.ignoreRules + 1).map((line) => line.replace(/\r$/, ''));
  if (lines.length > LIMITS.ignoreRules) throw new SyncProblem(codeSentence('ignoreLines', { limit: LIMITS.ignoreRules }));
  if ((text.match(/[*?[]/g)?.length ?? 0) > LIMITS.ignoreWildcards)
    throw new SyncProblem(codeSentence('ignoreWildcards', { limit: LIMITS.ignoreWildcards }));
  const long = lines.findIndex((line) => line.length > LIMITS.ignoreRuleLength);
  if (long < 0) return lines;
  throw new SyncProblem(codeSentence('ignoreLine', { line: long + 1, limit: LIMITS.ignoreRuleLength }));
}

function reasonToIgnore({ path, kind }: SourceFile): string | undefined {
  if (kind !== 'file') return kind;
  if (!SERVED.test(path) || OUTSIDE.test(path)) return 'path';
  return NEVER.exec(path)?.[2];
}

/**
 * Which of these paths, none with a line break, `.hlxignore` excludes: one byte each, 1 for excluded. Each rule is tried on each folder of
 * a path, and a single one may take seconds, so it runs on a separate thread, which is ended at the deadline. Rejects with SyncProblem
 * then.
 */
async function ignoredPaths(
  files: readonly Pick<SourceFile, 'path'>[],
  rules: readonly string[],
  { time, share, signal }: RuleLimits,
): Promise<Uint8Array> {
  const paths = files.map(({ path }) => path).join('\n');
  await yieldToEventLoop();
  const input = { module: require.resolve('ignore'), rules, paths };
  try {
    const answer = await evaluateRules({ script: SCRIPT, input, deadline: Math.min(time, LIMITS.ignoreTime), share, signal });
    if (answer instanceof Uint8Array) return answer;
    throw new Error('The thread answers with bytes.');
  } catch (error) {
    throw error instanceof ThreadEnded ? new SyncProblem(codeSentence('ignoreSlow')) : error;
  }
}

const require = createRequire(import.meta.url);

/** Separate threads, so that calls that people wait for are not behind ignore rules. */
const evaluateRules = createThreads(2);

const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { module: name, rules, paths } = workerData.input;
const own = require(name)().add(rules);
parentPort.postMessage(Uint8Array.from(paths.split('\\n'), (path) => (own.ignores(path) ? 1 : 0)));
`;

const SERVED = /^[a-zA-Z0-9._-][/a-zA-Z0-9._-]*$/;
const OUTSIDE = /(^|\/)\.{0,2}(\/|$)/;
const NEVER = /(^|\/)(node_modules|\.git)(\/|$)/;
const LFS = 'version https://git-lfs.github.com/spec/';
