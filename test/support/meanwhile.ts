import type { Store } from '@repoless/service/domain/ports.ts';

export interface Meanwhile {
  /** The store, whose next write is carried out after what happens meanwhile. */
  within(store: Store): Store;
  /** The next write alone: what happens between the beginning of its call and its transaction. */
  next(happens: () => Promise<unknown>): void;
}

/** Lets something happen between what a call looks at before its write and that, as on a node that is slower than another. */
export function meanwhile(): Meanwhile {
  let waiting: (() => Promise<unknown>) | undefined;
  return {
    within(store) {
      const write: Store['write'] = async (work, subject) => {
        const happens = waiting;
        waiting = undefined;
        await happens?.();
        return await store.write(work, subject);
      };
      return Object.create(store, { write: { value: write } }) as Store;
    },
    next(happens) {
      waiting = happens;
    },
  };
}
