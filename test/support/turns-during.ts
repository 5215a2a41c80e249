import { setImmediate } from 'node:timers/promises';

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
