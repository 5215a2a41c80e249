import { setImmediate } from 'node:timers/promises';
import { watchTurns } from './turns.mjs';

/**
 * The longest turn of this process's event loop during `work`, in milliseconds of a quiet machine. The programs under test run in
 * this process, so every other caller would have waited as long.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const turns = watchTurns();
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 10));
    return turns.longest();
  } finally {
    turns.stop();
  }
}

/** The number of turns of the event loop during `work`, whose result is ignored. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let hasEnded = false;
  let turns = 0;
  const others = (async () => {
    for (;;) {
      await setImmediate();
      if (hasEnded) return;
      turns += 1;
    }
  })();
  try {
    await work();
  } finally {
    hasEnded = true;
  }
  await others;
  return turns;
}

const TICK = 10;

/** Counts milliseconds by the turns of this process's event loop: the clock stops while other processes have the processor. */
interface LoopClock {
  now(): number;
  stop(): void;
}

export function startLoopClock(): LoopClock {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), TICK);
  return { now: () => turns * TICK, stop: () => clearInterval(timer) };
}

/** How long `work` took, by that clock. */
export async function waitOf(work: () => Promise<unknown>): Promise<number> {
  const clock = startLoopClock();
  try {
    await work();
    return clock.now();
  } finally {
    clock.stop();
  }
}

/** How long something takes. On a shared machine this is only meaningful compared with something measured alongside it. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
