import type { SetupPorts } from '../plan/ports.ts';
import type { Failure, Known } from '../situation/situation.ts';

/** How often a call is made at most while the other side is busy or away, and how long is waited in between. */
const ATTEMPTS = 7;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const BUSY = new Set([429, 502, 503, 504]);

export interface Retrying {
  readonly ports: Pick<SetupPorts, 'wait'>;
  readonly signal: AbortSignal;
  /** Told before each wait, with the number of the attempt that comes next and why it is needed. */
  readonly onWaiting: (attempt: number, why?: Failure) => void;
}

/**
 * Makes a call again while the answer says that it may succeed a little later: exponential waits with jitter, at least as
 * long as `retry-after` asks for, within a bound. Out: the last answer.
 */
export async function retry<T>(retrying: Retrying, call: () => Promise<Known<T>>): Promise<Known<T>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.state !== 'failed' || !isTransient(answer.failure) || attempt === ATTEMPTS || retrying.signal.aborted) return answer;
    retrying.onWaiting(attempt + 1, answer.failure);
    await retrying.ports.wait(pause(attempt, answer.failure.retryAfter), retrying.signal);
    if (retrying.signal.aborted) return answer;
  }
}

/** For what is finished although the run is stopped: bounded by the number of attempts alone. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export function isTransient(failure: Failure): boolean {
  if (failure.kind === 'unreachable' || failure.kind === 'timeout') return true;
  // The authoring system did answer, with what cannot be used: it will answer the same again.
  if (failure.problem?.code === 'AUTHOR_ANSWER_REFUSED') return false;
  return failure.status !== undefined && BUSY.has(failure.status);
}

/** Milliseconds to wait before the next attempt: exponential, with jitter, at least what `retry-after` asks for. */
export function pause(attempt: number, retryAfter = 0): number {
  const longest = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
  const jittered = longest / 2 + (Math.random() * longest) / 2;
  return Math.max(jittered, Math.min(retryAfter * 1000, LONGEST_WAIT * 2));
}
