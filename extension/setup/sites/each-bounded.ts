/**
 * Does something for each item, so many at a time, in their order. Out: the answers in the order of the items. Nobody
 * waits for the slowest of a group: whoever is ready takes the next item.
 */
export async function eachBounded<T, R>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) answers[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
  return answers;
}
