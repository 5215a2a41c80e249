import { LRUCache } from 'lru-cache';
import { Refusal } from '@repoless/contract/refusal.ts';

export interface ShareBounds {
  /** Works at once, and of them for one share. */
  readonly atOnce: number;
  readonly perShare: number;
  /** And for one group of shares; absent: any number. */
  readonly perGroup?: number;
  /** Works of one share, of one group (absent: any number), and of all, that wait. */
  readonly waitingPerShare: number;
  readonly waitingPerGroup?: number;
  readonly waiting: number;
  /** What the works are, in the plural, for sentences: "pages". */
  readonly called: string;
  /** Whose a share is; absent: this organization's. */
  readonly of?: string;
}

/** Works that are done in turn over those who ask for them, so that who asks for many waits for their own. */
export interface FairShare {
  /**
   * Does a work when its turn comes. Rejects with OVERLOADED at once where too many wait already, and when `patience`, which is asked for by a work
   * that has to wait, ends before its turn.
   * `group`: whose works have a bound together, whatever their shares; absent: nobody's but those of the share.
   */
  run<T>(share: string, work: () => Promise<T>, patience?: AbortSignal | (() => AbortSignal), group?: string): Promise<T>;
}

/** In: the bounds. Shares are organizations; one without works is forgotten. */
export function createFairShare(bounds: ShareBounds): FairShare {
  const [running, together] = [tally(), tally()];
  const queues = new Map<string, Waiting[]>();
  const queued = tally();
  const { perGroup = Infinity, waitingPerGroup = Infinity } = bounds;
  let atWork = 0;
  let waiting = 0;

  const mayBegin = (share: string, group: string) =>
    atWork < bounds.atOnce && running.of(share) < bounds.perShare && together.of(group) < perGroup;
  const begin = (share: string, group: string) => {
    atWork += 1;
    running.add(share, 1);
    together.add(group, 1);
  };
  const end = (share: string, group: string) => {
    atWork -= 1;
    running.add(share, -1);
    together.add(group, -1);
    next();
  };
  /**
   * The group and the share with the fewest works under way is first; of several the share that had its turn longest ago: one that was served
   * goes to the end.
   */
  const next = () => {
    const [first] = [...queues]
      .flatMap(([share, queue]) => queue.find(({ group }) => mayBegin(share, group)) ?? [])
      .toSorted((one, other) => together.of(one.group) - together.of(other.group) || running.of(one.share) - running.of(other.share));
    if (first === undefined) return;
    const { share, group } = first;
    leave(first);
    const queue = queues.get(share);
    queues.delete(share);
    if (queue !== undefined) queues.set(share, queue);
    begin(share, group);
    first.resume();
  };
  /** Waits no longer. False where it did not. */
  const leave = (one: Waiting): boolean => {
    const queue = queues.get(one.share) ?? [];
    const place = queue.indexOf(one);
    if (place < 0) return false;
    queue.splice(place, 1);
    if (queue.length === 0) queues.delete(one.share);
    waiting -= 1;
    queued.add(one.group, -1);
    return true;
  };
  const turn = (share: string, group: string, patience: AbortSignal | undefined) =>
    new Promise<void>((resume, reject) => {
      const one = { share, group, resume };
      const queue = queues.get(share);
      if (queue === undefined) queues.set(share, [one]);
      else queue.push(one);
      waiting += 1;
      queued.add(group, 1);
      patience?.addEventListener('abort', () => leave(one) && reject(overloaded(bounds.called)), { once: true });
    });

  return {
    async run(share, work, patience, organization) {
      // A share is a group by itself; no name of one has this character.
      const group = organization === undefined ? `\n${share}` : organization;
      const queue = queues.get(share);
      // Those before it that wait for others of their group do not keep it waiting.
      const isNext = queue?.some((one) => mayBegin(share, one.group)) !== true;
      if (isNext && mayBegin(share, group)) begin(share, group);
      else {
        if ((queue?.length ?? 0) >= bounds.waitingPerShare) throw overloaded(`${bounds.called} of ${bounds.of ?? 'this organization'}`);
        if (queued.of(group) >= waitingPerGroup || waiting >= bounds.waiting) throw overloaded(bounds.called);
        await turn(share, group, typeof patience === 'function' ? patience() : patience);
      }
      try {
        return await work();
      } finally {
        end(share, group);
      }
    },
  };
}

interface Waiting {
  readonly share: string;
  readonly group: string;
  readonly resume: () => void;
}

/** Counts by name; what has none is forgotten. */
function tally(): { of(name: string): number; add(name: string, count: number): void } {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name, count) {
      const sum = of(name) + count;
      if (sum === 0) counts.delete(name);
      else counts.set(name, sum);
    },
  };
}

function overloaded(works: string): Refusal {
  return new Refusal('OVERLOADED', `Too many ${works} are being requested. Try again in a second.`, { retryAfter: 1 });
}

/** Resolves when everybody else had their turn: work that goes through many documents waits for it now and then. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets those who wait go on so many per turn of the event loop, in the order in which they came: between them everybody else has
 * had a turn.
 */
export function severalPerTick(many: number): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async () => {
    count += 1;
    if (count % many === 0) last = last.then(yieldToEventLoop);
    await last;
  };
}

/** Out: to be awaited between pieces of work; it waits for others only where these pieces took some milliseconds together. */
export function createTimeSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN) return;
    await yieldToEventLoop();
    began = performance.now();
  };
}

/** Milliseconds. */
const TURN = 15;

interface TallySettings {
  /** How often within `within` milliseconds. */
  readonly most: number;
  readonly within: number;
  /** Why it is refused, a sentence. */
  readonly sentence: string;
}

/** Counts how often somebody did something lately, on this node. */
export interface Tally {
  /** Counts one. Refuses with RATE_LIMITED where there have been as many as may be. */
  take(key: string, now: Date): void;
  /** The same without counting. */
  check(key: string, now: Date): void;
  isFull(key: string, now: Date): boolean;
}

export function createTally({ most, within, sentence }: TallySettings): Tally {
  const times = new LRUCache<string, number[]>({ max: MOST_KEYS });
  const recent = (key: string, now: Date) => (times.get(key) ?? []).filter((time) => time > now.getTime() - within);
  const check = (key: string, now: Date) => {
    const counted = recent(key, now);
    const [oldest] = counted;
    if (counted.length < most || oldest === undefined) return;
    const seconds = Math.ceil((oldest + within - now.getTime()) / 1000);
    throw new Refusal('RATE_LIMITED', `${sentence} Try again in ${seconds} s.`, { retryAfter: seconds });
  };
  return {
    check,
    isFull: (key, now) => recent(key, now).length >= most,
    take(key, now) {
      check(key, now);
      times.set(key, [...recent(key, now), now.getTime()]);
    },
  };
}

const MOST_KEYS = 20_000;
