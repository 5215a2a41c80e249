import type { VersionEntry } from '@repoless/contract/history.ts';
import type { Known } from '../situation/situation.ts';
import type { VersionData } from './history-port.ts';

/** At most so many versions are read at the same time. */
const AT_ONCE = 4;

/** Versions as they are read, each once: they never change. Of what is on the screen the newest is read first. */
export interface VersionStore {
  /** What is known of a version; undefined while it is not read. The same object as long as nothing else is known. */
  get(version: number): Known<VersionData> | undefined;
  /** Asks for a version as long as it is wanted. Out: call it when it is not wanted any more. */
  want(version: number): () => void;
  load(version: number): Promise<Known<VersionData>>;
  /** Reads once more what could not be read. */
  retry(version: number): void;
  subscribe(listener: () => void): () => void;
  /** Grows whenever more is known. */
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

/** A version beside the one that it followed: what it changed is the difference of both. Absent: it is the first. */
export interface VersionRow extends VersionEntry {
  readonly before?: number;
}

/** In: the versions, newest first. A version that was taken out of the history is passed over. */
export function versionsWithBefore(versions: readonly VersionEntry[]): VersionRow[] {
  return versions.map((entry, index) => {
    const before = versions[index + 1]?.version;
    return before === undefined ? entry : { ...entry, before };
  });
}
