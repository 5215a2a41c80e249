export type FreshRuns = (key: string, work: () => Promise<void>) => Promise<void>;

/** Runs work of one key at a time. A request during a run waits for the next one, which starts after the request; all waiting requests share it. */
export function freshRuns(): FreshRuns {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();

  const begin = (key: string, work: () => Promise<void>): Promise<void> => {
    const run = work().finally(() => {
      if (running.get(key) === run) running.delete(key);
    });
    running.set(key, run);
    return run;
  };

  return (key, work) => {
    const current = running.get(key);
    if (current === undefined) return begin(key, work);
    const next =
      waiting.get(key) ??
      current
        .catch(() => undefined)
        .then(() => {
          waiting.delete(key);
          return begin(key, work);
        });
    waiting.set(key, next);
    return next;
  };
}
