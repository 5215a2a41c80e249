import type { VersionEntry, VersionList } from '@repoless/contract/history.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { Known } from '../situation/call.ts';

/** A stored configuration of any kind. */
export type StoredDocument = Readonly<Record<string, unknown>>;

/** `data` is null if the version records a removal. */
export interface VersionData extends VersionEntry {
  readonly data: StoredDocument | null;
}

/** A version to restore, or whose change to undo, based on the state that was read: without `etag`, nothing exists. */
export interface Restoring {
  readonly version: number;
  /** Stored instead of the version: the current document without that version's change. */
  readonly document?: StoredDocument;
  readonly etag?: string;
  /** The caller knows that they lose administration. */
  readonly confirm: boolean;
}

/** The history of the configuration service. Nothing throws. */
export interface HistoryPort {
  profiles(organization: string): Promise<Known<readonly string[]>>;
  /** Newest first; also for removed subjects. */
  versions(subject: HistorySubject): Promise<Known<VersionList>>;
  version(subject: HistorySubject, version: number): Promise<Known<VersionData>>;
  /** The stored document; missing if it was removed. */
  current(subject: HistorySubject): Promise<Known<{ readonly data: StoredDocument; readonly etag: string }>>;
  /** What a restore would store, by a dry run. */
  dryRun(subject: HistorySubject, restoring: Restoring): Promise<Known<DryRun>>;
  restore(subject: HistorySubject, restoring: Restoring): Promise<Known<unknown>>;
  name(subject: HistorySubject, version: number, name: string): Promise<Known<unknown>>;
  /** Permanently removes a version from the history. */
  remove(subject: HistorySubject, version: number): Promise<Known<unknown>>;
}

/** Versions in display order: newest first, whatever the service's order. */
export function newestFirst(list: VersionList): VersionList {
  return { ...list, versions: list.versions.toSorted((one, other) => other.version - one.version) };
}

/** What has versions: a site, a profile, or the organization itself. */
export type HistorySubject =
  | { readonly kind: 'organization'; readonly organization: string }
  | { readonly kind: 'site' | 'profile'; readonly organization: string; readonly name: string };

/** The address of a subject's configuration at the service, without its extension: `/config/wknd/sites/ch-de`. */
export function subjectPath(subject: HistorySubject): string {
  const organization = `/config/${encodeURIComponent(subject.organization)}`;
  if (subject.kind === 'organization') return organization;
  return `${organization}/${subject.kind === 'site' ? 'sites' : 'profiles'}/${encodeURIComponent(subject.name)}`;
}

/** Its name for authors. */
export function subjectName(subject: HistorySubject): string {
  return subject.kind === 'organization' ? subject.organization : subject.name;
}
