import { LRUCache } from 'lru-cache';

/** What is known while a rollout is worked on. */
export interface RetryWindow {
  /** Asked where a system does not answer: whether it was waited for long enough. */
  givesUp(): boolean;
  /** What was to be done was done. */
  ended(): void;
}

/** Rollouts that wait for another system to answer again. Times in milliseconds. */
export interface Waiting {
  isPaused(id: string): boolean;
  pause(id: string): void;
  turn(id: string): RetryWindow;
}

/**
 * A rollout whose site needs an unreachable system is retried after a pause. After a few minutes the site gets the reason, and the rollout
 * continues (docs/contract.md 3.17).
 */
export function createWaiting(now: () => number): Waiting {
  const pauses = new LRUCache<string, { readonly since: number; readonly until: number }>({ max: REMEMBERED });
  return {
    isPaused: (id) => (pauses.get(id)?.until ?? 0) > now(),
    pause(id) {
      pauses.set(id, { since: pauses.get(id)?.since ?? now(), until: now() + PAUSE });
    },
    turn(id) {
      let isMet = false;
      return {
        givesUp() {
          isMet = true;
          return now() - (pauses.get(id)?.since ?? now()) >= PATIENCE;
        },
        ended() {
          // While it is still unreachable, the next site does not wait again.
          if (!isMet) pauses.delete(id);
        },
      };
    },
  };
}

const REMEMBERED = 1000;
const PAUSE = 30_000;
const PATIENCE = 5 * 60_000;
