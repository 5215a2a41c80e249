import { LRUCache } from 'lru-cache';

/** Caches what is read from storage for a moment, so that a request needs no round trip. */
export interface ChangeAwareCache<T> {
  get(key: string): Promise<T>;
  invalidate(key: string): void;
  invalidateGroup(group: string): void;
}

interface CacheSettings<T> {
  now(): Date;
  read(key: string): Promise<T>;
  groupOf?(value: T): string | undefined;
}

/**
 * Milliseconds for which a value is used, from the start of its read. Notifications of other nodes drop it sooner; even without them, a
 * node is never further behind.
 */
export const CACHED = 1000;
const REMEMBERED = 10_000;

interface Entry<T> {
  readonly since: number;
  readonly value: Promise<T>;
  group: string | undefined;
}

export function createChangeAwareCache<T>({ now, read, groupOf = () => undefined }: CacheSettings<T>): ChangeAwareCache<T> {
  const known = new LRUCache<string, Entry<T>>({ max: REMEMBERED, dispose: (entry, key) => leave(key, entry) });
  const groups = new Map<string, Set<string>>();
  const reading = new Set<string>();
  const drop = (key: string) => void known.delete(key);

  function leave(key: string, { group }: Entry<T>): void {
    reading.delete(key);
    if (group === undefined) return;
    const keys = groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) groups.delete(group);
  }

  async function load(key: string): Promise<T> {
    const entry: Entry<T> = { since: now().getTime(), value: read(key), group: undefined };
    drop(key);
    known.set(key, entry);
    reading.add(key);
    try {
      const value = await entry.value;
      // A change in the meantime has dropped it.
      if (known.get(key) !== entry) return value;
      reading.delete(key);
      join(key, entry, groupOf(value));
      return value;
    } catch (error) {
      if (known.get(key) === entry) drop(key);
      throw error;
    }
  }

  function join(key: string, entry: Entry<T>, group: string | undefined): void {
    if (group === undefined) return;
    entry.group = group;
    groups.set(group, (groups.get(group) ?? new Set<string>()).add(key));
  }

  return {
    get(key) {
      const entry = known.get(key);
      return entry !== undefined && isRecent(entry.since, now().getTime()) ? entry.value : load(key);
    },
    invalidate: drop,
    invalidateGroup(group) {
      for (const key of groups.get(group) ?? []) drop(key);
      // Reads in progress may turn out to belong to it.
      for (const key of reading) drop(key);
    },
  };
}

/** Whether a value requested at that time may still be used; never if the clock was set back. */
export function isRecent(since: number, now: number): boolean {
  return now >= since && now - since < CACHED;
}
