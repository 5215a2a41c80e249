/** One of the things that are compared in a run: what it does once, and what it gives. */
export interface Contestant<T> {
  readonly name: string;
  run(): Promise<T>;
}

/**
 * Runs the contestants in turn (A B C A B C …): once uncounted as a warm-up, then `runs` times. Out: the results of one of
 * them by its name; none where nobody has that name.
 */
export async function alternate<T>(
  contestants: readonly Contestant<T>[],
  runs: number,
  tell: (text: string) => void,
): Promise<(name: string) => readonly T[]> {
  const results = new Map<string, T[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    for (const contestant of contestants) {
      tell(`${round === 0 ? 'warm-up' : `run ${round} of ${runs}`}: ${contestant.name}`);
      const result = await contestant.run();
      if (round > 0) results.get(contestant.name)?.push(result);
    }
  }
  return (name) => results.get(name) ?? [];
}
