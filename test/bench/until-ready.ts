import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { collect, tail } from './child-output.ts';

const LIMIT_MS = 60_000;
const STEP_MS = 2;

/**
 * Waits until a program that was just started answers. In: its child process and a question that throws or gives false
 * until it is ready. Out: the milliseconds it took; rejects where the program ends or a minute goes by.
 */
export async function untilReady(name: string, child: ChildProcess, ready: () => Promise<boolean>): Promise<number> {
  const complaints = collect(child.stderr, true);
  const begin = performance.now();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  while (performance.now() - begin < LIMIT_MS) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended before it was ready: ${tail(complaints())}`);
    if (await ready().catch(() => false)) return performance.now() - begin;
    await pause(STEP_MS);
  }
  throw new Error(`${name} was not ready within ${LIMIT_MS / 1000} s: ${tail(complaints())}`);
}
