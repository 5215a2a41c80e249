const TICK = 10;

/** Counts milliseconds by the turns that this process gets: where others have the processor, this clock stands still. */
export interface LoopClock {
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
