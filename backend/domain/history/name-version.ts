import type { DryRun } from '#contract/history.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Subject, VersionEntry } from '../ports.ts';
import type { Outcome } from '../verb.ts';
import { auditHistory } from './audit-history.ts';
import { findVersion } from './get-version.ts';
import { versionEntry } from './list-versions.ts';
import { permitOn } from './subject.ts';

export interface Naming {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
  /** Empty: the name is taken away. */
  readonly name: string | undefined;
  readonly dryRun: boolean | undefined;
}

/** Names a version, which is then never forgotten. A name that it has already changes nothing. */
export async function nameVersion(context: Context, naming: Naming): Promise<Outcome> {
  const { name, subject, version } = naming;
  if (name === undefined) {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send {"name": …} or ?name=…; an empty name takes the name away.' });
  }
  if (naming.dryRun === true) {
    const { before, after } = await decide(context, context.store.reads, naming, name);
    const body: DryRun = {
      dryRun: true,
      status: 200,
      result: versionEntry(after),
      diff: difference(versionEntry(before), versionEntry(after)),
    };
    return { status: 200, body };
  }
  const named = await context.store.write(async (writes) => {
    const { before, after } = await decide(context, writes, naming, name);
    if (before.name === after.name) return after;
    await writes.nameVersion(subject, version, after.name);
    await auditHistory(context, writes, subject, 'name', version);
    return after;
  });
  return { status: 200, body: versionEntry(named) };
}

async function decide(
  context: Context,
  reads: Reads,
  naming: Naming,
  name: string,
): Promise<{ before: VersionEntry; after: VersionEntry }> {
  const { subject } = naming;
  await permitOn(context, reads, naming.permission, subject);
  const { data: _data, ...before } = await findVersion(reads, subject, naming.version);
  const { name: _name, ...nameless } = before;
  return { before, after: name === '' ? nameless : { ...nameless, name } };
}
