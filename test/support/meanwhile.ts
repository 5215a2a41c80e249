import type { Store } from '@repoless/service/domain/ports.ts';

export interface Meanwhile {
  /** The store, in which what has been decided is stored after what happens meanwhile. */
  within(store: Store): Store;
  /** The next write alone: what happens between its decision and its commit. */
  next(happens: () => Promise<unknown>): void;
}

/** Lets something happen between what a write decides and what it stores, as on a node that is slower than another. */
export function meanwhile(): Meanwhile {
  let waiting: (() => Promise<unknown>) | undefined;
  return {
    within(store) {
      const write: Store['write'] = (work, subject) =>
        store.write(async (writes) => {
          const made = await work(writes);
          const happens = waiting;
          waiting = undefined;
          await happens?.();
          return made;
        }, subject);
      return Object.create(store, { write: { value: write } }) as Store;
    },
    next(happens) {
      waiting = happens;
    },
  };
}
