import { Refusal } from '@repoless/contract/refusal.ts';

/** Requests to an organization per second, and concurrently: below the documented limit of the hosted service (10 per second). */
const RATE = 8;
const AT_ONCE = 5;
/** Requests of one caller that may wait for an organization. */
const MOST_WAITING = 200;
/** Maximum callers of an organization whose access is remembered. */
const MOST_KNOWN = 1000;
/** Milliseconds; allows for clock differences. */
const SECOND = 1050;

export interface Clock {
  wait(milliseconds: number): Promise<void>;
  now(): number;
}

/**
 * Runs the work in its turn. Refuses with RATE_LIMITED if too many requests of the same caller are waiting. `letIn`: whether the result
 * shows that the caller has a role in the organization; undefined if it shows neither.
 */
export type Pace = <T>(caller: string, work: () => Promise<T>, letIn?: (result: T) => boolean | undefined) => Promise<T>;

type Resume = () => void;

/** The paces of organizations. Idle ones are removed, since callers may use any name. */
export function createPaces(clock: Clock): (org: string) => Pace {
  const paces = new Map<string, ReturnType<typeof createPace>>();
  return (org) => {
    const known = paces.get(org);
    if (known !== undefined) return known.run;
    for (const [name, pace] of paces) if (pace.isIdle()) paces.delete(name);
    const made = createPace(clock);
    paces.set(org, made);
    return made.run;
  };
}

/**
 * No more requests than the rate arrive within any second, however long each takes; the first ones start at once. Waiting callers take
 * turns. Each caller that was let in before has a share of the turns; all refused callers have one together, and so do all unknown ones: an
 * outsider can create any number of keys, and must not delay callers with a role.
 */
function createPace({ wait, now }: Clock): { readonly run: Pace; isIdle(): boolean } {
  /** By share, and within it by caller. */
  const waiting = new Map<string, Map<string, readonly Resume[]>>();
  /** Whether the latest answers let a caller in. */
  const known = new Map<string, boolean>();
  /** The last requests with the time of arrival: when answered, or a second after sending. Until then, the time of sending. */
  const sent: { at: number }[] = [];
  let running = 0;
  const shareOf = (caller: string): string => {
    const isLetIn = known.get(caller);
    return isLetIn === undefined ? 'unknown' : isLetIn ? `let in: ${caller}` : 'refused';
  };
  const enqueue = (caller: string, added: readonly Resume[]): void => {
    const share = waiting.get(shareOf(caller)) ?? new Map<string, readonly Resume[]>();
    if (added.length > 0) waiting.set(shareOf(caller), share.set(caller, [...(share.get(caller) ?? []), ...added]));
  };
  const dequeue = (share: string, caller: string): readonly Resume[] => {
    const callers = waiting.get(share);
    const queue = callers?.get(caller) ?? [];
    callers?.delete(caller);
    if (callers?.size === 0) waiting.delete(share);
    return queue;
  };
  const turn = async (caller: string): Promise<void> => {
    if ((waiting.get(shareOf(caller))?.get(caller)?.length ?? 0) >= MOST_WAITING)
      throw new Refusal('RATE_LIMITED', `${MOST_WAITING} of your requests wait for the hosted service already. Try again later.`, {
        retryAfter: Math.ceil(MOST_WAITING / RATE),
      });
    await new Promise<void>((resolve) => enqueue(caller, [resolve]));
  };
  const next = (): void => {
    const [first] = waiting;
    const [caller] = first?.[1].keys() ?? [];
    if (first === undefined || caller === undefined) return void (running -= 1);
    const [share, callers] = first;
    const [resume, ...left] = dequeue(share, caller);
    // Share and caller move to the end of the queue.
    if (waiting.delete(share)) waiting.set(share, callers);
    enqueue(caller, left);
    resume?.();
  };
  const note = (caller: string, isLetIn: boolean | undefined): void => {
    const before = shareOf(caller);
    known.delete(caller);
    if (isLetIn !== undefined) known.set(caller, isLetIn);
    // Waiting requests move along.
    if (shareOf(caller) !== before) enqueue(caller, dequeue(before, caller));
  };
  const learn = (caller: string, isLetIn: boolean): void => {
    // A caller with a role may still be refused single calls.
    note(caller, isLetIn || known.get(caller) === true);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) note(oldest, undefined);
  };
  return {
    isIdle: () => running === 0 && (sent.at(-1)?.at ?? -Infinity) + SECOND <= now(),
    async run(caller, work, letIn) {
      if (running >= AT_ONCE) await turn(caller);
      else running += 1;
      try {
        const free = (sent.at(-RATE)?.at ?? -Infinity) + SECOND;
        const begins = Math.max(free, now());
        const one = { at: begins };
        sent.push(one);
        if (sent.length > RATE) sent.shift();
        if (begins > now()) await wait(begins - now());
        const result = await work().finally(() => (one.at = Math.max(begins, Math.min(now(), begins + SECOND))));
        const isLetIn = letIn?.(result);
        if (isLetIn !== undefined) learn(caller, isLetIn);
        return result;
      } finally {
        next();
      }
    },
  };
}
