/**
 * Runs something over and over until it is as quick as it will be: two results in a row that differ by no more than `difference`
 * from the one before, or as many runs as `most`. Out: how many runs it took.
 */
export async function untilSteady(run: () => Promise<number>, { difference = 0.05, most = 12 } = {}): Promise<number> {
  let [before, alike] = [await run(), 0];
  for (let runs = 2; runs <= most; runs += 1) {
    const now = await run();
    alike = Math.abs(now - before) <= difference * before ? alike + 1 : 0;
    if (alike === 2) return runs;
    before = now;
  }
  return most;
}
