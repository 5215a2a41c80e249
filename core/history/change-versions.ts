import type { VersionEntry } from '@repoless/contract/history.ts';
import { type Failure, failureOf, isUncertain } from '../situation/call.ts';
import { hasNoChanges } from './change.ts';
import { describeChange } from './describe-change.ts';
import type { HistoryPort, HistorySubject, Restoring } from './history-port.ts';
import { isObject } from './json-place.ts';

/** `lost`: it may be done, and the list of versions cannot be read now. */
export type VersionChange = { readonly state: 'done' } | { readonly state: 'refused' | 'lost'; readonly failure: Failure };

type Versions = Pick<HistoryPort, 'name' | 'forget' | 'versions'>;

/** Names a version; an empty name removes the name. After a lost answer, the list decides. */
export async function nameVersion(history: Versions, subject: HistorySubject, version: number, name: string): Promise<VersionChange> {
  const failure = failureOf(await history.name(subject, version, name));
  const isNamed = (one: VersionEntry) => one.version === version && (one.name ?? '') === name;
  return unlessListed(failure, history, subject, (versions) => versions.some(isNamed));
}

/** Permanently removes a version from the history; a missing one counts as removed. After a lost answer, the list decides. */
export async function forgetVersion(history: Versions, subject: HistorySubject, version: number): Promise<VersionChange> {
  const failure = failureOf(await history.forget(subject, version));
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
  const present = await history.present(subject);
  if (present.state === 'failed') return undefined;
  const { etag: _before, ...restoring } = sent;
  if (present.state === 'missing') return sent.etag === undefined ? false : undefined;
  const { data, etag } = present.value;
  if (etag === sent.etag) return false;
  const again = await history.dryRun(subject, { ...restoring, etag });
  if (again.state !== 'known' || !isObject(again.value.result)) return undefined;
  return hasNoChanges(describeChange(data, again.value.result)) ? true : undefined;
}
