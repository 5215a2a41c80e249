import type { Looks, SiteCheckRecord } from '#backend/domain/checks/ports.ts';
import type { StoredSite, Writes } from '#backend/domain/ports.ts';
import { causesOf } from './causes-of.ts';
import { siteCheckRecord } from './site-check-record.ts';

/**
 * Puts looks in the place of those that are kept. The one place where a state changes: what was kept before and what is kept now are both at
 * hand here, within the transaction.
 */
export async function keepLook(writes: Writes, site: StoredSite, looks: Looks): Promise<SiteCheckRecord> {
  const before = await writes.siteCheck(site.org, site.site);
  const after = siteCheckRecord(site, { ...before?.looks, ...looks });
  await writes.putSiteCheck(after, before);
  if (before !== undefined) for (const change of causesOf(before, after)) await writes.setCause(change);
  return after;
}
