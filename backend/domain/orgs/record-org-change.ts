import type { Context } from '../context.ts';
import { addVersion } from '../history/add-version.ts';
import type { Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';
import type { OrgChange, OrgDecision } from './change-org.ts';

/** Stores a change of an organization with its numbered version and its audit row. */
export async function recordOrgChange(context: Context, change: OrgChange, decision: OrgDecision, writes: Writes): Promise<void> {
  const { org } = change;
  const { config, etag } = decision;
  const user = requireUser(context.caller).email;
  const time = context.now();
  const from = decision.present?.version;
  const version = (from ?? 0) + 1;
  await writes.putOrg({ org, config, etag, version });
  await addVersion(context, writes, { subject: { kind: 'org', org }, version, data: config, time, name: change.query.versionName });
  await writes.addAudit({
    org,
    time,
    user,
    action: change.action,
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  });
}
