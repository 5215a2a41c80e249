import type { Permission } from '@repoless/contract/permissions.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { REMOVAL, runWrite } from '../changes/run-write.ts';
import type { Context } from '../domain/context.ts';
import { difference } from '../domain/difference.ts';
import { Refusal } from '../domain/errors.ts';
import type { Subject, VersionData, Writes } from '../domain/ports.ts';
import { checkPreconditions } from '../domain/preconditions.ts';
import type { Outcome } from '../domain/operation.ts';
import { requireUser } from '../access/permit.ts';
import { findVersion, versionEntry, versionEtag } from './read-versions.ts';
import { currentVersion, describeSubject, permitOn } from './subject.ts';

export interface Naming extends ChangeRequest {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
  /** Empty: the name is taken away. */
  readonly name: string | undefined;
}

/** Names a version, which is then never forgotten. A name that it has already changes nothing. */
export async function nameVersion(context: Context, naming: Naming): Promise<Outcome> {
  const { name, subject, version } = naming;
  if (name === undefined) {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send {"name": …} or ?name=…; an empty name removes it.' });
  }
  return await runWrite(context, naming, async (reads) => {
    const begin = await permitOn(context, reads, naming.permission, subject);
    const before = await findVersion(reads, subject, version, begin);
    checkPreconditions(naming, versionEtag(before));
    const { name: _name, ...nameless } = before;
    const after: VersionData = name === '' ? nameless : { ...nameless, name };
    const prepared = {
      result: 'done' as const,
      body: versionEntry(after),
      etag: versionEtag(after),
      diff: difference(versionEntry(before), versionEntry(after)),
    };
    if (before.name === after.name) return prepared;
    return {
      ...prepared,
      async store(writes) {
        await writes.nameVersion(subject, version, after.name);
        await auditHistory(context, writes, subject, 'name', version);
      },
    };
  });
}

export interface VersionRemoval extends ChangeRequest {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
}

/** Removes a version for good. Its number is never given again. Refuses with VERSION_IS_CURRENT. */
export function deleteVersion(context: Context, removal: VersionRemoval): Promise<Outcome> {
  const { subject, version } = removal;
  return runWrite(context, removal, async (reads) => {
    const begin = await permitOn(context, reads, removal.permission, subject);
    const found = await findVersion(reads, subject, version, begin);
    checkPreconditions(removal, versionEtag(found));
    if ((await currentVersion(reads, subject)) === version) throw isCurrent(subject, version);
    return {
      result: 'removed',
      diff: REMOVAL,
      async store(writes) {
        await writes.deleteVersion(subject, version);
        await auditHistory(context, writes, subject, 'delete', version);
      },
    };
  });
}

function isCurrent(subject: Subject, version: number): Refusal {
  const sentence = `Version ${version} is the current one. Restore another version first, then remove this one.`;
  return new Refusal('VERSION_IS_CURRENT', sentence, {
    detail: `${sentence} ${describeSubject(subject)} itself is removed by DELETE of its own address.`,
  });
}

/** The audit row of a change of the history itself. */
async function auditHistory(
  context: Context,
  writes: Writes,
  subject: Subject,
  operation: 'name' | 'delete',
  version: number,
): Promise<void> {
  const { org } = subject;
  await writes.addAudit({
    org,
    time: context.now(),
    user: requireUser(context.caller).email,
    action: subject.kind === 'profile' ? `${operation}-profiles/${subject.profile}/version/${version}` : `${operation}-version/${version}`,
    requestId: context.requestId,
    ...(subject.kind === 'site' ? { site: subject.site } : {}),
  });
}
