import type { Context } from '../context.ts';
import type { Reads, Subject, VersionData } from '../ports.ts';
import type { Outcome } from '../verb.ts';
import { versionEntry } from './list-versions.ts';
import { versionNotFound } from './subject.ts';

export async function getVersion({ store }: Context, subject: Subject, version: number): Promise<Outcome> {
  const found = await findVersion(store.reads, subject, version);
  return { status: 200, body: { ...versionEntry(found), data: found.data } };
}

/** Refuses with VERSION_NOT_FOUND. */
export async function findVersion(reads: Reads, subject: Subject, version: number): Promise<VersionData> {
  const found = await reads.version(subject, version);
  if (found === undefined) throw versionNotFound(subject, version);
  return found;
}
