import { LRUCache } from 'lru-cache';
import type { Store } from './ports.ts';

/** What is read of the storage once and used while it is known to be current, so that a request costs no round trip. */
export interface Kept<T> {
  get(key: string): Promise<T>;
  forget(key: string): void;
  /** All whose value belongs to this group. */
  forgetGroup(group: string): void;
}

interface KeptSettings<T> {
  readonly store: Pick<Store, 'isHearing' | 'onChangesMissed'>;
  now(): Date;
  read(key: string): Promise<T>;
  groupOf?(value: T): string | undefined;
}

/** Somebody may also change the database by hand, which nobody hears: after this time it is asked again, in milliseconds. */
const TRUST = 5_000;
const REMEMBERED = 10_000;

interface Entry<T> {
  readonly since: number;
  readonly value: Promise<T>;
  group: string | undefined;
}

export function createChangeAwareCache<T>({ store, now, read, groupOf = () => undefined }: KeptSettings<T>): Kept<T> {
  const known = new LRUCache<string, Entry<T>>({ max: REMEMBERED, dispose: (entry, key) => leave(key, entry) });
  const groups = new Map<string, Set<string>>();
  const underWay = new Set<string>();
  store.onChangesMissed(() => known.clear());
  const drop = (key: string) => void known.delete(key);

  function leave(key: string, { group }: Entry<T>): void {
    underWay.delete(key);
    if (group === undefined) return;
    const keys = groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) groups.delete(group);
  }

  async function load(key: string): Promise<T> {
    const entry: Entry<T> = { since: now().getTime(), value: read(key), group: undefined };
    drop(key);
    known.set(key, entry);
    underWay.add(key);
    try {
      const value = await entry.value;
      // A change that came meanwhile has dropped it.
      if (known.get(key) !== entry) return value;
      underWay.delete(key);
      if (!store.isHearing()) drop(key);
      else join(key, entry, groupOf(value));
      return value;
    } catch (error) {
      if (known.get(key) === entry) drop(key);
      throw error;
    }
  }

  /** What is read now may be newer than what is kept, whose news is still to come: nobody shall get the older one afterwards. */
  async function readUnheard(key: string): Promise<T> {
    const value = await read(key);
    drop(key);
    return value;
  }

  function join(key: string, entry: Entry<T>, group: string | undefined): void {
    if (group === undefined) return;
    entry.group = group;
    groups.set(group, (groups.get(group) ?? new Set<string>()).add(key));
  }

  return {
    get(key) {
      // A node that does not hear asks each time, and does not wait for what another request began to read before.
      if (!store.isHearing()) return readUnheard(key);
      const entry = known.get(key);
      const age = entry === undefined ? TRUST : now().getTime() - entry.since;
      return entry !== undefined && age >= 0 && age < TRUST ? entry.value : load(key);
    },
    forget: drop,
    forgetGroup(group) {
      for (const key of groups.get(group) ?? []) drop(key);
      // What is being read now may turn out to belong to it.
      for (const key of underWay) drop(key);
    },
  };
}
