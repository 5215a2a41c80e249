import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { Reads, Subject, VersionData } from '../ports.ts';
import type { Outcome } from '../operation.ts';
import { versionEntry } from './list-versions.ts';
import { versionNotFound } from './subject.ts';

export async function getVersion({ store }: Context, subject: Subject, version: number): Promise<Outcome> {
  const found = await findVersion(store.reads, subject, version);
  return { result: 'done', body: versionBody(found), etag: versionEtag(found) };
}

/** Of one version as it is read at its address, its name included. */
export function versionEtag(version: VersionData): string {
  return etagOf(versionBody(version));
}

function versionBody(version: VersionData) {
  return { ...versionEntry(version), data: version.data };
}

/** Refuses with VERSION_NOT_FOUND. */
export async function findVersion(reads: Reads, subject: Subject, version: number): Promise<VersionData> {
  const found = await reads.version(subject, version);
  if (found === undefined) throw versionNotFound(subject, version);
  return found;
}
