/** The value that most have, so that a file says it once for all. In: at least one value. */
export function mostFrequent<T>(values: readonly T[]): T {
  const counts = new Map<string, { readonly value: T; count: number }>();
  for (const value of values) {
    const key = JSON.stringify(value);
    const counted = counts.get(key) ?? { value, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  const [first] = [...counts.values()].toSorted((one, other) => other.count - one.count);
  if (first === undefined) throw new RangeError('There is nothing to choose from.');
  return first.value;
}
