import { LRUCache } from 'lru-cache';
import { Refusal } from './errors.ts';

export interface TallySettings {
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
