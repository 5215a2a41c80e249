export interface WorkPool {
  /** Begins work as soon as there is room for it. Rejects with the first error that any work met. */
  add(bytes: number, work: () => Promise<void>): Promise<void>;
  /** Settles when all work has ended. Rejects with the first error. */
  ended(): Promise<void>;
}

/** Works beside each other, so many and holding so many bytes at most; larger work is alone. */
export function createWorkPool({ count, bytes }: { count: number; bytes: number }): WorkPool {
  const underWay = new Set<Promise<void>>();
  let held = 0;
  let failure: { readonly error: unknown } | undefined;
  const refuseAfterFailure = () => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    async add(size, work) {
      while (underWay.size >= count || (underWay.size > 0 && held + size > bytes)) await Promise.race(underWay);
      refuseAfterFailure();
      held += size;
      const done = work()
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => {
          held -= size;
          underWay.delete(done);
        });
      underWay.add(done);
    },
    async ended() {
      await Promise.all(underWay);
      refuseAfterFailure();
    },
  };
}
