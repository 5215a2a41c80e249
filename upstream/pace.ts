import { Refusal } from '@repoless/contract/refusal.ts';

/** Requests to an organization in a second, and at once: below what the hosted service documents (10 in a second). */
const RATE = 8;
const AT_ONCE = 5;
/** Requests to an organization that wait for one caller. */
const MOST_WAITING = 200;
/** Milliseconds; clocks differ by a little. */
const SECOND = 1050;

export interface Clock {
  wait(milliseconds: number): Promise<void>;
  now(): number;
}

/** Does a work when its turn comes. Refuses with RATE_LIMITED where too many of the same caller wait. */
export type Pace = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/** The paces of organizations. One that nobody has asked lately is forgotten: any name may be asked for. */
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
 * In no second do more arrive there than the rate, however long each is on its way; the first of them begin at once. Callers that wait have their turns one after the other: who asks for an organization
 * in which they have no role keeps nobody waiting who has one.
 */
function createPace({ wait, now }: Clock): { readonly run: Pace; isIdle(): boolean } {
  const waiting = new Map<string, (() => void)[]>();
  /** The last ones, each by when it had arrived: answered, or a second after it was sent. Until then by when it was sent. */
  const sent: { at: number }[] = [];
  let running = 0;
  const turn = async (caller: string): Promise<void> => {
    const queue = waiting.get(caller) ?? [];
    if (queue.length >= MOST_WAITING)
      throw new Refusal('RATE_LIMITED', `${MOST_WAITING} of your requests wait for the hosted service already. Try again later.`, {
        retryAfter: Math.ceil(MOST_WAITING / RATE),
      });
    await new Promise<void>((resolve) => waiting.set(caller, [...queue, resolve]));
  };
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) return void (running -= 1);
    const [caller, [resume, ...left]] = first;
    waiting.delete(caller);
    if (left.length > 0) waiting.set(caller, left);
    resume?.();
  };
  return {
    isIdle: () => running === 0 && (sent.at(-1)?.at ?? -Infinity) + SECOND <= now(),
    async run(caller, work) {
      if (running >= AT_ONCE) await turn(caller);
      else running += 1;
      try {
        const free = (sent.at(-RATE)?.at ?? -Infinity) + SECOND;
        const begins = Math.max(free, now());
        const one = { at: begins };
        sent.push(one);
        if (sent.length > RATE) sent.shift();
        if (begins > now()) await wait(begins - now());
        return await work().finally(() => (one.at = Math.max(begins, Math.min(now(), begins + SECOND))));
      } finally {
        next();
      }
    },
  };
}
