import type { DryRun } from '#contract/history.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Subject } from '../ports.ts';
import type { Outcome } from '../verb.ts';
import { auditHistory } from './audit-history.ts';
import { findVersion } from './get-version.ts';
import { currentVersion, describeSubject, permitOn } from './subject.ts';

export interface VersionRemoval {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
  readonly dryRun: boolean | undefined;
}

/** Removes a version for good. Its number is never given again. Refuses with VERSION_IS_CURRENT. */
export async function deleteVersion(context: Context, removal: VersionRemoval): Promise<Outcome> {
  const { subject, version } = removal;
  if (removal.dryRun === true) {
    await check(context, context.store.reads, removal);
    const body: DryRun = { dryRun: true, status: 204, result: null, diff: [{ op: 'remove', path: '' }] };
    return { status: 200, body };
  }
  await context.store.write(async (writes) => {
    await check(context, writes, removal);
    await writes.deleteVersion(subject, version);
    await auditHistory(context, writes, subject, 'delete', version);
  });
  return { status: 204 };
}

async function check(context: Context, reads: Reads, { subject, version, permission }: VersionRemoval): Promise<void> {
  await permitOn(context, reads, permission, subject);
  await findVersion(reads, subject, version);
  if ((await currentVersion(reads, subject)) !== version) return;
  throw new Refusal('VERSION_IS_CURRENT', `Version ${version} is the current one. Restore another version first, then remove this one.`, {
    detail: `Version ${version} is the current one. Restore another version first, then remove this one. ${describeSubject(subject)} itself is removed by DELETE of its own address.`,
  });
}
