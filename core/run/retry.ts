import { sameValue } from '@repoless/contract/json.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { ConfigProbe } from '../situation/situation.ts';

/** Maximum attempts of a call while the other side is busy or unavailable: of a single call, and of one of many. */
const ATTEMPTS = { single: 7, shared: 10 } as const;
/** The waits between them, in milliseconds. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
/** Maximum wait for a `retry-after`, in milliseconds. */
const LONGEST_REQUESTED = 60_000;
const BUSY = new Set([429, 502, 503, 504]);

export interface Retrying {
  readonly ports: Pick<SetupPorts, 'wait'>;
  readonly signal: AbortSignal;
  /** Called before each wait, with the number of the next attempt and the reason. */
  readonly onWaiting?: ((attempt: number, why?: Failure) => void) | undefined;
}

/** Lets the calls of a run wait together. */
interface Shared {
  /** Resolves when calls may be sent. */
  open(signal: AbortSignal): Promise<void>;
  /** The other side asked all of them to wait for so many milliseconds. */
  pause(milliseconds: number): void;
}

/**
 * Repeats a call while the answer says that it may succeed later: exponential waits with jitter, at least as long as
 * `retry-after` within a limit. Returns the last answer.
 */
export async function retry<T>({ ports, signal, onWaiting }: Retrying, call: () => Promise<Known<T>>, shared?: Shared): Promise<Known<T>> {
  const attempts = shared === undefined ? ATTEMPTS.single : ATTEMPTS.shared;
  for (let attempt = 1; ; attempt++) {
    await shared?.open(signal);
    const answer = await call();
    if (answer.state !== 'failed' || !isTransient(answer.failure) || attempt === attempts || signal.aborted) return answer;
    const { failure } = answer;
    const wait = pause(attempt, failure.retryAfter);
    if (failure.retryAfter !== undefined) shared?.pause(wait);
    onWaiting?.(attempt + 1, failure);
    await ports.wait(wait, signal);
    if (signal.aborted) return answer;
  }
}

/** Shared by all workers of a run: when one is asked to wait, all wait; another failure delays only its own worker. */
export interface Pace {
  /**
   * Makes a call, and repeats it while the answer says that it may succeed later. Returns the last answer. `to-the-end`: even if
   * the run is stopped, because the call reverts what a run must not leave behind.
   */
  call<T>(work: () => Promise<Known<T>>, onWaiting?: (attempt: number) => void, how?: 'to-the-end'): Promise<Known<T>>;
  pausedFor(): number;
}

/** Workers that waited together resume spread over so many milliseconds. */
const SPREAD = 250;

export function createPace(ports: Pick<SetupPorts, 'wait' | 'now'>, signal: AbortSignal): Pace {
  let opensAt = 0;
  const pausedFor = () => Math.max(0, opensAt - ports.now().getTime());
  const shared: Shared = {
    open: async (until) => {
      const left = pausedFor();
      if (left > 0) await ports.wait(left + Math.random() * SPREAD, until);
    },
    pause: (milliseconds) => {
      opensAt = Math.max(opensAt, ports.now().getTime() + milliseconds);
    },
  };
  return {
    pausedFor,
    call: (work, onWaiting, how) => retry({ ports, signal: how === 'to-the-end' ? neverAborting() : signal, onWaiting }, work, shared),
  };
}

/** For what is finished even if the run is stopped: limited only by the number of attempts. */
export function neverAborting(): AbortSignal {
  return new AbortController().signal;
}

export function isTransient(failure: Failure): boolean {
  if (failure.kind === 'unreachable' || failure.kind === 'timeout') return true;
  // The authoring system did answer, but unusably: it would answer the same again.
  if (failure.problem?.code === 'AUTHOR_ANSWER_REFUSED') return false;
  return failure.status !== undefined && BUSY.has(failure.status);
}

/** Milliseconds before the next attempt: exponential, with jitter, at least `retry-after`. */
export function pause(attempt: number, retryAfter = 0): number {
  const longest = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
  const jittered = longest / 2 + (Math.random() * longest) / 2;
  return Math.max(jittered, Math.min(retryAfter * 1000, LONGEST_REQUESTED));
}

/** Sites of a run that are read or written concurrently. */
export const AT_ONCE = 6;

/**
 * Runs `work` for each item with limited concurrency, and returns the results in the order of the items. Free workers take the next item;
 * once `signal` is aborted none does, and items that were not started have no result.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const answers: R[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) {
      if (signal?.aborted === true) return;
      answers[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
  return answers.flatMap((answer) => [answer]);
}

/** The waits between reads of a host, in milliseconds: about a minute in total. */
export const VERIFY_WAITS: readonly number[] = [200, 400, 800, 1500, 3000, 5000, 5000, 10_000, 15_000, 20_000];

/** Hosts of the hosted service usually update within two minutes, and within ten at most. */
export const HOSTED_WAITS: readonly number[] = [...VERIFY_WAITS, ...Array.from({ length: 18 }, () => 30_000)];

export function waitsFor({ hosted }: Pick<ServiceInfo, 'hosted'>): readonly number[] {
  return hosted === undefined ? VERIFY_WAITS : HOSTED_WAITS;
}

/** Whether a host serves the stored public part, or 404 if there is none. */
export function servesStored({ answer }: Pick<ConfigProbe, 'answer'>, stored: unknown): boolean {
  return answer.state === 'missing' ? stored === undefined : answer.state === 'known' && sameValue(answer.value, stored);
}
