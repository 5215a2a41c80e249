import { setImmediate } from 'node:timers/promises';
import { watchTurns } from './turns.mjs';

/**
 * The longest time, in milliseconds of a quiet machine, that this process worked without giving others their turn, while `work`
 * went on. The programs under test run in this process, so it is what every other caller would have waited.
 */
export async function longestStandstill(work: () => Promise<unknown>): Promise<number> {
  const turns = watchTurns();
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 10));
    return turns.longest();
  } finally {
    turns.stop();
  }
}

/** How often others had their turn while `work` went on. What it answers with is left. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let turns = 0;
  const others = (async () => {
    for (;;) {
      await setImmediate();
      if (isOver) return;
      turns += 1;
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
  }
  await others;
  return turns;
}

const TICK = 10;

/** Counts milliseconds by the turns that this process gets: where others have the processor, this clock stands still. */
interface LoopClock {
  now(): number;
  stop(): void;
}

export function startLoopClock(): LoopClock {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), TICK);
  return { now: () => turns * TICK, stop: () => clearInterval(timer) };
}

/** How long this process waited for something, by its own turns. */
export async function waitOf(work: () => Promise<unknown>): Promise<number> {
  const clock = startLoopClock();
  try {
    await work();
    return clock.now();
  } finally {
    clock.stop();
  }
}

/** How long something takes. On a machine that others use too this says little alone: it is compared with something measured beside it. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
