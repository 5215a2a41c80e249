import { createRequire } from 'node:module';
import { nextTurn } from '#backend/domain/turn.ts';
import { runInThread, ThreadEnded } from '#backend/threads/in-thread.ts';
import type { SourceFile } from './snapshot.ts';
import { SyncProblem } from './sync-problem.ts';

/**
 * Which of these files, whose paths have no line breaks, the rules of `.hlxignore` leave out: a byte for each, 1 for those. Each rule is tried on each
 * folder of a path, and one alone may take seconds: it is done on a thread of its own, which is ended after `time` milliseconds.
 * Rejects with SyncProblem then.
 */
export async function ignoredPaths(
  files: readonly Pick<SourceFile, 'path'>[],
  rules: readonly string[],
  time: number,
): Promise<Uint8Array> {
  const paths = files.map(({ path }) => path).join('\n');
  await nextTurn();
  const input = { module: require.resolve('ignore'), rules, paths };
  try {
    const answer = await runInThread({ script: SCRIPT, input, deadline: time });
    if (answer instanceof Uint8Array) return answer;
    throw new Error('The thread answers with bytes.');
  } catch (error) {
    throw error instanceof ThreadEnded ? new SyncProblem(TOO_SLOW) : error;
  }
}

const require = createRequire(import.meta.url);

const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { module: name, rules, paths } = workerData.input;
const own = require(name)().add(rules);
parentPort.postMessage(Uint8Array.from(paths.split('\\n'), (path) => (own.ignores(path) ? 1 : 0)));
`;
const TOO_SLOW = 'The rules of .hlxignore take too long on the files of this branch. Write fewer or simpler rules, e.g. by naming folders.';
