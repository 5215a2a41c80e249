import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const STEP_MS = 50;

/** Waits until something that comes by itself is so; rejects where two minutes go by. */
export async function untilSo(what: string, isSo: () => Promise<boolean>, step = STEP_MS): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < LIMIT_MS;) {
    if (await isSo()) return;
    await pause(step);
  }
  throw new Error(`Not so within ${LIMIT_MS / 1000} s: ${what}.`);
}
