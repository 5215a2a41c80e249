import type { VersionEntry, VersionList } from '@repoless/contract/history.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { Known } from '../situation/situation.ts';
import type { HistorySubject } from './subject.ts';

/** A configuration as it was stored, whatever it is of. */
export type StoredDocument = Readonly<Record<string, unknown>>;

/** `data` is null where the version records a removal. */
export interface VersionData extends VersionEntry {
  readonly data: StoredDocument | null;
}

/** A version to restore, or whose change to undo, on top of the state that was read: absent `etag` means that nothing exists. */
export interface Restoring {
  readonly version: number;
  /** Stored in the version's place: the present document without what that version changed. */
  readonly document?: StoredDocument;
  readonly etag?: string;
  /** The caller knows that it takes the administration from them. */
  readonly confirm: boolean;
}

/** The history of the configuration service. Nothing throws. */
export interface HistoryPort {
  /** The names of an organization's profiles. */
  profiles(organization: string): Promise<Known<readonly string[]>>;
  /** Newest first; of what was removed as well. */
  versions(subject: HistorySubject): Promise<Known<VersionList>>;
  version(subject: HistorySubject, version: number): Promise<Known<VersionData>>;
  /** What is stored now; missing where it was removed. */
  present(subject: HistorySubject): Promise<Known<{ readonly data: StoredDocument; readonly etag: string }>>;
  /** What that would store, by a dry run. */
  dryRun(subject: HistorySubject, restoring: Restoring): Promise<Known<DryRun>>;
  restore(subject: HistorySubject, restoring: Restoring): Promise<Known<unknown>>;
  name(subject: HistorySubject, version: number, name: string): Promise<Known<unknown>>;
  /** Takes a version out of the history for good. */
  forget(subject: HistorySubject, version: number): Promise<Known<unknown>>;
}

/** Versions as they are shown: the newest on top, in whichever order the service lists them. */
export function newestFirst(list: VersionList): VersionList {
  return { ...list, versions: list.versions.toSorted((one, other) => other.version - one.version) };
}
