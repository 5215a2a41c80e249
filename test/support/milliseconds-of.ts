/** How long something takes. On a machine that others use too this says little alone: it is compared with something measured beside it. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
