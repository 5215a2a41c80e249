import type { VersionEntry } from '@repoless/contract/history.ts';
import type { Known } from '../situation/call.ts';
import type { VersionData } from './history-port.ts';

/** Maximum number of versions that are read concurrently. */
const AT_ONCE = 4;

/** Versions, each read once, because they never change. Of those on the screen, the newest is read first. */
export interface VersionStore {
  /** What is known of a version; undefined until it is read. The same object as long as nothing changes. */
  get(version: number): Known<VersionData> | undefined;
  /** Requests a version. Returns a function to call when it is no longer needed. */
  want(version: number): () => void;
  load(version: number): Promise<Known<VersionData>>;
  retry(version: number): void;
  subscribe(listener: () => void): () => void;
  /** Increases whenever a version becomes known. */
  revision(): number;
}

export function createVersionStore(read: (version: number) => Promise<Known<VersionData>>): VersionStore {
  const known = new Map<number, Known<VersionData>>();
  const wanted = new Map<number, number>();
  const underWay = new Map<number, Promise<Known<VersionData>>>();
  const listeners = new Set<() => void>();
  let revision = 0;

  const tell = (): void => {
    revision++;
    for (const listener of listeners) listener();
  };
  const start = async (version: number): Promise<Known<VersionData>> => {
    const reading = read(version);
    underWay.set(version, reading);
    const answer = await reading;
    known.set(version, answer);
    underWay.delete(version);
    tell();
    readWanted();
    return answer;
  };
  const readWanted = (): void => {
    for (const version of [...wanted.keys()].toSorted((one, other) => other - one)) {
      if (underWay.size >= AT_ONCE) return;
      if (!known.has(version) && !underWay.has(version)) void start(version);
    }
  };
  const load = async (version: number): Promise<Known<VersionData>> => {
    const present = known.get(version);
    if (present !== undefined && present.state !== 'failed') return present;
    return underWay.get(version) ?? start(version);
  };
  return {
    get: (version) => known.get(version),
    revision: () => revision,
    load,
    retry(version) {
      known.delete(version);
      tell();
      readWanted();
    },
    want(version) {
      const count = wanted.get(version) ?? 0;
      wanted.set(version, count + 1);
      readWanted();
      return () => {
        const left = (wanted.get(version) ?? 1) - 1;
        if (left > 0) wanted.set(version, left);
        else wanted.delete(version);
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A version and the one before it: their difference is its change. Absent for the first version. */
export interface VersionRow extends VersionEntry {
  readonly before?: number;
}

/** Takes the versions, newest first. Versions removed from the history are skipped. */
export function versionsWithBefore(versions: readonly VersionEntry[]): VersionRow[] {
  return versions.map((entry, index) => {
    const before = versions[index + 1]?.version;
    return before === undefined ? entry : { ...entry, before };
  });
}
