/** Subscribers to changes of the jobs of a branch. */
export interface Watchers {
  changed(key: string, ref: string): void;
  /** Resolves at the next change on this node, or after a second, because other nodes may have changed it. False once closed. */
  nextChange(key: string, ref: string): Promise<boolean>;
  close(): void;
}

export function createWatchers(): Watchers {
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;
  const wake = (place: string) => {
    const all = waiting.get(place);
    waiting.delete(place);
    all?.forEach((one) => one());
  };
  return {
    changed: (key, ref) => wake(`${key} ${ref}`),
    nextChange(key, ref) {
      if (closed) return Promise.resolve(false);
      const place = `${key} ${ref}`;
      const all = waiting.get(place) ?? new Set();
      waiting.set(place, all);
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          all.delete(done);
          if (all.size === 0 && waiting.get(place) === all) waiting.delete(place);
          resolve(!closed);
        };
        const timer = setTimeout(done, LOOK_EVERY);
        all.add(done);
      });
    },
    close() {
      closed = true;
      for (const place of waiting.keys()) wake(place);
    },
  };
}

const LOOK_EVERY = 1000;
