/** Runs `work` for each item with limited concurrency, and returns the results in the order of the items. Free workers take the next item. */
export async function eachBounded<T, R>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) answers[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
  return answers;
}
