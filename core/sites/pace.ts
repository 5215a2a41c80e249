import type { SetupPorts } from '../plan/ports.ts';
import { isTransient, neverAborted, pause } from '../run/retry.ts';
import type { Known } from '../situation/situation.ts';

/** How often a call is made at most while the other side is busy or away. */
const ATTEMPTS = 10;
/** Workers that waited together resume spread over so many milliseconds. */
const SPREAD = 250;

/** Shared by all workers of a run: when one is told to wait, all wait. */
export interface Pace {
  /**
   * Makes a call, again while the answer says that it may succeed later. Out: the last answer. `to-the-end`: also when the run is
   * stopped, because the call takes back what a run must not leave behind.
   */
  call<T>(work: () => Promise<Known<T>>, onWaiting: (attempt: number) => void, how?: 'to-the-end'): Promise<Known<T>>;
  /** Milliseconds for which nothing is sent. */
  pausedFor(): number;
}

export function createPace(ports: Pick<SetupPorts, 'wait' | 'now'>, signal: AbortSignal): Pace {
  let opensAt = 0;
  const pausedFor = () => Math.max(0, opensAt - ports.now().getTime());
  const atTheGate = async (until: AbortSignal) => {
    const left = pausedFor();
    if (left > 0) await ports.wait(left + Math.random() * SPREAD, until);
  };
  return {
    pausedFor,
    call: async (work, onWaiting, how) => {
      const until = how === 'to-the-end' ? neverAborted() : signal;
      for (let attempt = 1; ; attempt++) {
        await atTheGate(until);
        const answer = await work();
        if (answer.state !== 'failed' || !isTransient(answer.failure) || attempt === ATTEMPTS || until.aborted) return answer;
        const wait = pause(attempt, answer.failure.retryAfter);
        // All workers wait as long as the service asks; a single failure delays only its own worker.
        if (answer.failure.retryAfter !== undefined) opensAt = Math.max(opensAt, ports.now().getTime() + wait);
        onWaiting(attempt + 1);
        await ports.wait(wait, until);
        if (until.aborted) return answer;
      }
    },
  };
}
