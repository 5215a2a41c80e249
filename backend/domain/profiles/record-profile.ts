import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { addVersion } from '../history/add-version.ts';
import type { Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';
import type { ProfileChange, ProfileDecision } from './change-profile.ts';

/** Stores the change of a profile with its version and its audit row, and what it makes of the sites that extend it. */
export async function recordProfile(context: Context, change: ProfileChange, decision: ProfileDecision, writes: Writes): Promise<void> {
  const { org, profile } = change.name;
  const time = context.now();
  const from = decision.present?.version;
  const subject = { kind: 'profile', org, profile } as const;
  const version = (from ?? (await writes.latestVersion(subject))) + 1;
  const { config, etag } = decision;
  if (config === null) await writes.deleteProfile(org, profile);
  else await writes.putProfile({ org, profile, config, etag: etag ?? etagOf(config), version });
  for (const site of decision.sites) await writes.putAggregate(site);
  await addVersion(context, writes, { subject, version, data: config, time, name: change.query.versionName });
  await writes.addAudit({
    org,
    time,
    user: requireUser(context.caller).email,
    action: auditAction(change.action, profile),
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  });
}

/** `set-headers` of the profile `base` is `set-profiles/base/headers`, by its address. */
function auditAction(action: string, profile: string): string {
  const [verb = '', ...rest] = action.split('-');
  return [`${verb}-profiles/${profile}`, ...(rest.length === 0 ? [] : [rest.join('-')])].join('/');
}
