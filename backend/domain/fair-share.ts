import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Refusal } from '@repoless/contract/refusal.ts';

export interface ShareLimits {
  /** Concurrent runs, in total and for one share. */
  readonly atOnce: number;
  readonly perShare: number;
  /** Maximum concurrent work of one group of shares; absent: no limit. */
  readonly perGroup?: number;
  /** Waiting work for one share, for one group (absent: no limit), and in total. */
  readonly waitingPerShare: number;
  readonly waitingPerGroup?: number;
  readonly waiting: number;
  /** The plural name of the work, for messages: "pages". */
  readonly workName: string;
  /** What a share belongs to; absent: this organization. */
  readonly of?: string;
}

/** Runs work in turn over its requesters, so that a requester of much work waits only for its own. */
export interface FairShare {
  /**
   * Runs work in its turn. Rejects with OVERLOADED immediately if too much is waiting already, and when `timeout`, which is called only
   * for work that has to wait, ends before its turn. `group`: limits several shares together; absent: only the share is limited.
   */
  run<T>(share: string, work: () => Promise<T>, timeout?: AbortSignal | (() => AbortSignal), group?: string): Promise<T>;
}

/** Takes the limits. Shares are organizations; those without work are removed. */
export function createFairShare(limits: ShareLimits): FairShare {
  const [running, runningInGroup] = [tally(), tally()];
  const queues = new Map<string, Waiting[]>();
  const queued = tally();
  const { perGroup = Infinity, waitingPerGroup = Infinity } = limits;
  let atWork = 0;
  let waiting = 0;

  const mayBegin = (share: string, group: string) =>
    atWork < limits.atOnce && running.of(share) < limits.perShare && runningInGroup.of(group) < perGroup;
  const start = (share: string, group: string) => {
    atWork += 1;
    running.add(share, 1);
    runningInGroup.add(group, 1);
  };
  const end = (share: string, group: string) => {
    atWork -= 1;
    running.add(share, -1);
    runningInGroup.add(group, -1);
    next();
  };
  /**
   * The group and the share with the least work in progress are first; among equals, the share whose last turn is longest ago, because a
   * served one moves to the end.
   */
  const next = () => {
    const [first] = [...queues]
      .flatMap(([share, queue]) => queue.find(({ group }) => mayBegin(share, group)) ?? [])
      .toSorted(
        (one, other) => runningInGroup.of(one.group) - runningInGroup.of(other.group) || running.of(one.share) - running.of(other.share),
      );
    if (first === undefined) return;
    const { share, group } = first;
    leave(first);
    const queue = queues.get(share);
    queues.delete(share);
    if (queue !== undefined) queues.set(share, queue);
    start(share, group);
    first.resume();
  };
  /** Stops waiting. False if it was not. */
  const leave = (one: Waiting): boolean => {
    const queue = queues.get(one.share) ?? [];
    const position = queue.indexOf(one);
    if (position < 0) return false;
    queue.splice(position, 1);
    if (queue.length === 0) queues.delete(one.share);
    waiting -= 1;
    queued.add(one.group, -1);
    return true;
  };
  const turn = (share: string, group: string, timeout: AbortSignal | undefined) =>
    new Promise<void>((resume, reject) => {
      const one = { share, group, resume };
      const queue = queues.get(share);
      if (queue === undefined) queues.set(share, [one]);
      else queue.push(one);
      waiting += 1;
      queued.add(group, 1);
      timeout?.addEventListener('abort', () => leave(one) && reject(overloaded(limits.workName)), { once: true });
    });

  return {
    async run(share, work, timeout, organization) {
      // A share without a group is its own group; no name contains this character.
      const group = organization === undefined ? `\n${share}` : organization;
      const queue = queues.get(share);
      // Earlier work that waits for its own group does not hold it up.
      const isNext = queue?.some((one) => mayBegin(share, one.group)) !== true;
      if (isNext && mayBegin(share, group)) start(share, group);
      else {
        if ((queue?.length ?? 0) >= limits.waitingPerShare) throw overloaded(`${limits.workName} of ${limits.of ?? 'this organization'}`);
        if (queued.of(group) >= waitingPerGroup || waiting >= limits.waiting) throw overloaded(limits.workName);
        await turn(share, group, typeof timeout === 'function' ? timeout() : timeout);
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

/** Counts by name; a name at zero is removed. */
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

/** Resolves after all other work has had a turn: used now and then by work on many documents. */
export const yieldToEventLoop: () => Promise<void> = setImmediate;

/**
 * Lets a limited number of waiting callers continue in each turn of the event loop, in order of arrival, so that other work runs in
 * between.
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

/** Returns a function to await between pieces of work; it yields only after these pieces have taken several milliseconds together. */
export function createTimeSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE) return;
    await yieldToEventLoop();
    began = performance.now();
  };
}

/** Milliseconds. */
const SLICE = 15;

interface TallySettings {
  /** The limit within `within` milliseconds. */
  readonly limit: number;
  readonly within: number;
  readonly sentence: string;
}

export interface Tally {
  /** Counts one. Refuses with RATE_LIMITED at the limit. */
  take(key: string, now: Date): void;
  check(key: string, now: Date): void;
  isFull(key: string, now: Date): boolean;
}

export function createTally({ limit, within, sentence }: TallySettings): Tally {
  const times = new LRUCache<string, number[]>({ max: MAX_KEYS });
  const recent = (key: string, now: Date) => (times.get(key) ?? []).filter((time) => time > now.getTime() - within);
  const check = (key: string, now: Date) => {
    const counted = recent(key, now);
    const [oldest] = counted;
    if (counted.length < limit || oldest === undefined) return;
    const seconds = Math.ceil((oldest + within - now.getTime()) / 1000);
    throw new Refusal('RATE_LIMITED', `${sentence} Try again in ${seconds} s.`, { retryAfter: seconds });
  };
  return {
    check,
    isFull: (key, now) => recent(key, now).length >= limit,
    take(key, now) {
      check(key, now);
      times.set(key, [...recent(key, now), now.getTime()]);
    },
  };
}

const MAX_KEYS = 20_000;
