import type { Permission } from '#contract/permissions.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { runWrite } from '../changes/run-write.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Subject, VersionData } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import type { Outcome } from '../operation.ts';
import { auditHistory } from './audit-history.ts';
import { findVersion, versionEtag } from './get-version.ts';
import { versionEntry } from './list-versions.ts';
import { permitOn } from './subject.ts';

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
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send {"name": …} or ?name=…; an empty name takes the name away.' });
  }
  return await runWrite(context, naming, async (reads) => {
    await permitOn(context, reads, naming.permission, subject);
    const before = await findVersion(reads, subject, version);
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
