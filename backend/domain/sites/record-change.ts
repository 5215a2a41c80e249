import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';
import type { Decision, SiteChange } from './change-site.ts';
import { lookUpKeys } from './look-up-keys.ts';

/** Stores a change with its numbered version and its audit row. Version numbers are never given twice, deleted sites included. */
export async function recordChange(context: Context, change: SiteChange, decision: Decision, writes: Writes): Promise<void> {
  const { org, site } = change.name;
  const user = requireUser(context.caller).email;
  const time = context.now();
  const from = decision.present?.version;
  const subject = { kind: 'site', org, site } as const;
  const version = (from ?? (await writes.latestVersion(subject))) + 1;
  const { config, etag } = decision;
  if (config === null) await writes.deleteSite(org, site);
  else await writes.putSite({ org, site, config, etag: etag ?? etagOf(config), version, ...lookUpKeys(config) });
  const name = change.query.versionName;
  await writes.addVersion({ subject, version, created: time, user, data: config, ...(name === undefined ? {} : { name }) });
  await writes.addAudit({
    org,
    site,
    time,
    user,
    action: change.action,
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  });
}
