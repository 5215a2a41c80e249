import type { Permission } from '#contract/permissions.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { REMOVAL, runWrite } from '../changes/run-write.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Subject } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import type { Outcome } from '../operation.ts';
import { auditHistory } from './audit-history.ts';
import { findVersion, versionEtag } from './get-version.ts';
import { currentVersion, describeSubject, permitOn } from './subject.ts';

export interface VersionRemoval extends ChangeRequest {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
}

/** Removes a version for good. Its number is never given again. Refuses with VERSION_IS_CURRENT. */
export function deleteVersion(context: Context, removal: VersionRemoval): Promise<Outcome> {
  const { subject, version } = removal;
  return runWrite(context, removal, async (reads) => {
    await permitOn(context, reads, removal.permission, subject);
    const found = await findVersion(reads, subject, version);
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
