/** When something happened, by a clock that never jumps and by one that goes on while the machine is suspended. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** Whether this node knows that it hears what the others change. */
export interface Hearing {
  isHearing(): boolean;
  /** A question is about to be asked. Out: to be called with its answer, which proves that everything told before it was heard. */
  ask(): () => void;
  /** Nothing is known any more until the next proof. */
  lose(): void;
}

/**
 * A proof holds for `LEASE` milliseconds from the moment of its question: whatever stops the answers, silence included, a
 * node uses what it keeps ready no longer than that. Asked on each request, so it costs two looks at a clock.
 */
export function createHearing(): Hearing {
  let proven: Moment | undefined;
  return {
    isHearing: () => proven !== undefined && performance.now() - proven.steady < LEASE && Date.now() - proven.wall < LEASE,
    ask() {
      const asked: Moment = { steady: performance.now(), wall: Date.now() };
      return () => void (proven = asked);
    },
    lose() {
      proven = undefined;
    },
  };
}

/** Less than the two seconds within which every acknowledged write is to be seen everywhere. */
export const LEASE = 1500;
/** Several in each lease, so that a slow answer costs nothing. */
export const BEAT = 500;
