import type { ClientBase } from 'pg';
import { serial, text } from '../row.ts';
import type { UsualWrite } from './batch.ts';

/**
 * Holds the ends of the audit trails of all organizations of these writes, in their order, until the transaction ends: nobody else
 * adds a site to them. Answers the writes for whose sites there is room, and those that add none.
 */
export async function holdSiteQuota(client: ClientBase, batch: readonly UsualWrite[]): Promise<UsualWrite[]> {
  if (batch.every(({ siteLimit }) => siteLimit === undefined)) return [...batch];
  await client.query({ name: 'hold-trails', text: HOLD, values: [batch.map(({ site }) => site.org)] });
  // A statement of its own: it sees what was stored by those who held them before.
  const adding = batch.filter(({ siteLimit }) => siteLimit !== undefined).map(({ site }) => site.org);
  const { rows } = await client.query<Record<string, unknown>>({ name: 'sites-used', text: USED, values: [adding] });
  const used = new Map(rows.map((row) => [text(row, 'org'), serial(row, 'sites')]));
  return batch.filter(({ site: { org }, siteLimit }) => {
    if (siteLimit === undefined) return true;
    const sites = (used.get(org) ?? 0) + 1;
    if (sites > siteLimit) return false;
    used.set(org, sites);
    return true;
  });
}

const HOLD = `
select count(repoless_default_profile(org)) from (select distinct org from unnest($1::text[]) as named(org) order by org) as orgs`;

const USED = 'select org, sum(sites) as sites from org_usage where org = any($1::text[]) group by org';
