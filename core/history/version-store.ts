import type { VersionEntry } from '@repoless/contract/history.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { type Failure, failureOf, isUncertain, type Known } from '../situation/call.ts';
import { type Area, hasNoChanges } from './change.ts';
import { describeChange } from './describe-change.ts';
import type { HistoryPort, HistorySubject, Restoring, StoredDocument, VersionData } from './history-port.ts';
import { at, isObject } from './json-values.ts';

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
  const readers = new Map<number, number>();
  const reads = new Map<number, Promise<Known<VersionData>>>();
  const listeners = new Set<() => void>();
  let revision = 0;

  const notify = (): void => {
    revision++;
    for (const listener of listeners) listener();
  };
  const start = async (version: number): Promise<Known<VersionData>> => {
    const reading = read(version);
    reads.set(version, reading);
    const answer = await reading;
    known.set(version, answer);
    reads.delete(version);
    notify();
    readRequested();
    return answer;
  };
  const readRequested = (): void => {
    for (const version of [...readers.keys()].toSorted((one, other) => other - one)) {
      if (reads.size >= AT_ONCE) return;
      if (!known.has(version) && !reads.has(version)) void start(version);
    }
  };
  const load = async (version: number): Promise<Known<VersionData>> => {
    const current = known.get(version);
    if (current !== undefined && current.state !== 'failed') return current;
    return reads.get(version) ?? start(version);
  };
  return {
    get: (version) => known.get(version),
    revision: () => revision,
    load,
    retry(version) {
      known.delete(version);
      notify();
      readRequested();
    },
    want(version) {
      const count = readers.get(version) ?? 0;
      readers.set(version, count + 1);
      readRequested();
      return () => {
        const left = (readers.get(version) ?? 1) - 1;
        if (left > 0) readers.set(version, left);
        else readers.delete(version);
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

/** `lost`: it may be done, and the list of versions cannot be read now. */
export type VersionChange = { readonly state: 'done' } | { readonly state: 'refused' | 'lost'; readonly failure: Failure };

type Versions = Pick<HistoryPort, 'name' | 'remove' | 'versions'>;

/** Names a version; an empty name removes the name. After a lost answer, the list decides. */
export async function nameVersion(history: Versions, subject: HistorySubject, version: number, name: string): Promise<VersionChange> {
  const failure = failureOf(await history.name(subject, version, name));
  const isNamed = (one: VersionEntry) => one.version === version && (one.name ?? '') === name;
  return unlessListed(failure, history, subject, (versions) => versions.some(isNamed));
}

/** Permanently removes a version from the history; a missing one counts as removed. After a lost answer, the list decides. */
export async function removeVersion(history: Versions, subject: HistorySubject, version: number): Promise<VersionChange> {
  const failure = failureOf(await history.remove(subject, version));
  if (failure?.problem?.code === 'VERSION_NOT_FOUND') return { state: 'done' };
  return unlessListed(failure, history, subject, (versions) => versions.every((one) => one.version !== version));
}

/** Done if the list confirms it. If there is no list, no version is left. */
async function unlessListed(
  failure: Failure | undefined,
  history: Versions,
  subject: HistorySubject,
  isDone: (versions: readonly VersionEntry[]) => boolean,
): Promise<VersionChange> {
  if (failure === undefined) return { state: 'done' };
  if (!isUncertain(failure)) return { state: 'refused', failure };
  const list = await history.versions(subject);
  if (list.state === 'failed') return { state: 'lost', failure };
  const isSo = isDone(list.state === 'known' ? list.value.versions : []);
  return isSo ? { state: 'done' } : { state: 'refused', failure };
}

/**
 * Whether a version was restored although the answer was lost: the stored state differs from the previewed one, and a dry run of the same
 * restore would change nothing. Undefined if that cannot be read, or if others stored something since.
 */
export async function wasRestored(history: HistoryPort, subject: HistorySubject, sent: Restoring): Promise<boolean | undefined> {
  const current = await history.current(subject);
  if (current.state === 'failed') return undefined;
  const { etag: _before, ...restoring } = sent;
  if (current.state === 'missing') return sent.etag === undefined ? false : undefined;
  const { data, etag } = current.value;
  if (etag === sent.etag) return false;
  const comparison = await history.dryRun(subject, { ...restoring, etag });
  if (comparison.state !== 'known' || !isObject(comparison.value.result)) return undefined;
  return hasNoChanges(describeChange(data, comparison.value.result)) ? true : undefined;
}

export type SearchedArea = Extract<Area, 'access' | 'mappings'>;

export type FoundChange =
  | { readonly state: 'found'; readonly version: number }
  /** It is the same as in the oldest stored version. */
  | { readonly state: 'none' }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Finds the version that set an area to its state in the newest of the given versions. Takes version numbers, newest first.
 * Steps back, doubling the distance until the area differs, then bisects the range: of thousands of versions some twenty
 * are read. A change that was reverted within one step is skipped, because it has no effect.
 */
export async function findLastChange(
  versions: readonly number[],
  area: SearchedArea,
  load: (version: number) => Promise<Known<VersionData>>,
): Promise<FoundChange> {
  const newest = await areaAt(versions, 0, area, load);
  if (newest === undefined) return { state: 'none' };
  if ('failure' in newest) return { state: 'failed', failure: newest.failure };
  let same = 0;
  let different = versions.length;
  for (let stride = 1; different === versions.length && same < versions.length - 1; stride *= 2) {
    const index = Math.min(same + stride, versions.length - 1);
    const other = await areaAt(versions, index, area, load);
    if (other !== undefined && 'failure' in other) return { state: 'failed', failure: other.failure };
    if (sameValue(other?.value, newest.value)) same = index;
    else different = index;
  }
  if (different === versions.length) return { state: 'none' };
  while (different - same > 1) {
    const index = Math.floor((same + different) / 2);
    const other = await areaAt(versions, index, area, load);
    if (other !== undefined && 'failure' in other) return { state: 'failed', failure: other.failure };
    if (sameValue(other?.value, newest.value)) same = index;
    else different = index;
  }
  const version = versions[same];
  return version === undefined ? { state: 'none' } : { state: 'found', version };
}

type AreaValue = { readonly value: unknown } | { readonly failure: Failure };

async function areaAt(
  versions: readonly number[],
  index: number,
  area: SearchedArea,
  load: (version: number) => Promise<Known<VersionData>>,
): Promise<AreaValue | undefined> {
  const version = versions[index];
  if (version === undefined) return undefined;
  const answer = await load(version);
  if (answer.state === 'failed') return { failure: answer.failure };
  return { value: answer.state === 'known' ? areaOf(answer.value.data, area) : undefined };
}

function areaOf(data: StoredDocument | null, area: SearchedArea): unknown {
  if (area === 'mappings') return at(data, 'public', 'paths');
  return { access: at(data, 'access'), groups: at(data, 'groups'), users: at(data, 'users') };
}
