import type { VersionEntry, VersionList } from '@repoless/contract/history.ts';
import { etagOf } from '../domain/canonical.ts';
import type { Context } from '../domain/context.ts';
import type { Reads, Subject, VersionData, VersionEntry as StoredVersionEntry } from '../domain/ports.ts';
import type { Outcome } from '../domain/operation.ts';
import { historyBegin } from './history-begin.ts';
import { currentVersion, subjectNotFound, versionNotFound } from './subject.ts';

interface Page {
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
}

/**
 * The versions, of what was removed too: all of them, the oldest first, as clients of the public API turn them around; or a
 * page, the newest first, with a `link` to the next.
 */
export async function listVersions(context: Context, subject: Subject, page: Page): Promise<Outcome> {
  const { store } = context;
  const { before, limit } = page;
  // One more than asked for shows whether there is a next page.
  const wanted = { ...(before === undefined ? {} : { before }), ...(limit === undefined ? {} : { limit: limit + 1 }) };
  const [current, stored] = await Promise.all([currentVersion(store.reads, subject), store.reads.versions(subject, wanted)]);
  const begin = beginFor(context, subject);
  const found = stored.filter((version) => isSeen(version, begin));
  if (current === undefined && found.length === 0) throw subjectNotFound(subject);
  const versions = limit === undefined ? found : found.slice(0, limit);
  const last = versions.at(-1);
  const isWhole = limit === undefined && before === undefined;
  const listed = (isWhole ? versions.toReversed() : versions).map(versionEntry);
  const body: VersionList = { ...(current === undefined ? {} : { current }), versions: listed };
  if (last === undefined || found.length <= versions.length) return { result: 'done', body, etag: etagOf(body) };
  return {
    result: 'done',
    body,
    etag: etagOf(body),
    headers: { link: `<${addressOf(subject)}?limit=${limit}&before=${last.version}>; rel="next"` },
  };
}

/** A version as it is answered, without its data. */
export function versionEntry({ version, created, name, user, restoredFrom }: StoredVersionEntry): VersionEntry {
  return {
    version,
    created: created.toISOString(),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
    ...(restoredFrom === undefined ? {} : { restoredFrom }),
  };
}

export async function getVersion(context: Context, subject: Subject, version: number): Promise<Outcome> {
  const found = await findVersion(context.store.reads, subject, version, beginFor(context, subject));
  return { result: 'done', body: versionBody(found), etag: versionEtag(found) };
}

/** Of one version as it is read at its address, its name included. */
export function versionEtag(version: VersionData): string {
  return etagOf(versionBody(version));
}

function versionBody(version: VersionData) {
  return { ...versionEntry(version), data: version.data };
}

/** `begin`: see `historyBegin`. Refuses with VERSION_NOT_FOUND. */
export async function findVersion(reads: Reads, subject: Subject, version: number, begin: Date | undefined): Promise<VersionData> {
  const found = await reads.version(subject, version);
  if (found === undefined || !isSeen(found, begin)) throw versionNotFound(subject, version);
  return found;
}

/** For a call that reads, which was permitted by what is stored. */
export function beginFor({ caller, permitted = {} }: Context, subject: Subject): Date | undefined {
  return subject.kind === 'site' ? historyBegin(caller, 'people:read', permitted) : undefined;
}

function isSeen({ created }: StoredVersionEntry, begin: Date | undefined): boolean {
  return begin === undefined || created >= begin;
}

function addressOf(subject: Subject): string {
  const org = `/config/${subject.org}`;
  switch (subject.kind) {
    case 'org':
      return `${org}/versions.json`;
    case 'profile':
      return `${org}/profiles/${subject.profile}/versions.json`;
    case 'site':
      return `${org}/sites/${subject.site}/versions.json`;
  }
}
