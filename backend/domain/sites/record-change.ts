import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { addVersion } from '../history/add-version.ts';
import type { Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';
import type { SiteChange, SiteDecision } from './change-site.ts';
import { lookUpKeys } from './look-up-keys.ts';

/** Stores a change with its numbered version and its audit row. Version numbers are never given twice, deleted sites included. */
export async function recordChange(context: Context, change: SiteChange, decision: SiteDecision, writes: Writes): Promise<void> {
  const { org, site } = change.name;
  const time = context.now();
  const from = decision.present?.version;
  const subject = { kind: 'site', org, site } as const;
  const version = (from ?? (await writes.latestVersion(subject))) + 1;
  const { config, aggregate = config, etag } = decision;
  if (config === null || aggregate === null) await writes.deleteSite(org, site);
  else {
    const extended = config.extends === undefined ? {} : { aggregate };
    await writes.putSite({ org, site, config, ...extended, etag: etag ?? etagOf(config), version, ...lookUpKeys(aggregate) });
  }
  await addVersion(context, writes, { subject, version, data: config, time, name: change.query.versionName });
  await writes.addAudit({
    org,
    site,
    time,
    user: requireUser(context.caller).email,
    action: change.action,
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  });
}
