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
 * In no second do more begin than the rate; the first of them at once. Callers that wait have their turns one after the other: who asks for an organization
 * in which they have no role keeps nobody waiting who has one.
 */
function createPace({ wait, now }: Clock): { readonly run: Pace; isIdle(): boolean } {
  const waiting = new Map<string, (() => void)[]>();
  const begun: number[] = [];
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
    isIdle: () => running === 0 && (begun.at(-1) ?? -Infinity) + SECOND <= now(),
    async run(caller, work) {
      if (running >= AT_ONCE) await turn(caller);
      else running += 1;
      try {
        const free = (begun.at(-RATE) ?? -Infinity) + SECOND;
        const begins = Math.max(free, now());
        begun.push(begins);
        if (begun.length > RATE) begun.shift();
        if (begins > now()) await wait(begins - now());
        return await work();
      } finally {
        next();
      }
    },
  };
}
