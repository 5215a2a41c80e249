import type { Looks, SiteCheckRecord } from './rules/ports.ts';
import type { StoredSite, Writes } from '../domain/ports.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import { siteCheckRecord } from './site-check-record.ts';

/**
 * Replaces the stored results of a site's checks. The only place where a state changes: the previous and the new results are both at hand, within
 * the transaction.
 */
export async function storeSiteCheck(writes: Writes, site: StoredSite, looks: Looks): Promise<SiteCheckRecord> {
  const before = await writes.siteCheck(site.org, site.site);
  const after = siteCheckRecord(site, { ...before?.looks, ...looks });
  await writes.putSiteCheck(after, before);
  if (before !== undefined) for (const change of causesOf(before, after)) await writes.setCause(change);
  return after;
}

/**
 * What started to fail between two checks, and what is in order again (docs/contract.md 9.1). Findings of the first check are not new failures,
 * and failed syncs are reported elsewhere.
 */
function causesOf(before: SiteCheckRecord, after: SiteCheckRecord): CauseChange[] {
  const { org, site } = after;
  const time =
    [after.looks.service?.at, after.looks.authoring?.at]
      .filter((at) => at !== undefined)
      .toSorted()
      .at(-1) ?? '';
  const [was, is] = [wrongChecks(before), wrongChecks(after)];
  const checks = [...new Set([...was, ...is])].filter((check) => was.has(check) !== is.has(check));
  const changes = checks.map((check): CauseChange => {
    const about = { kind: 'check-failed', cause: `check:${site}/${check}`, about: check } as const;
    return { ...about, org, site, time, isOpen: is.has(check) };
  });
  const [differed, differs] = [before.summary.differs.length > 0, after.summary.differs.length > 0];
  if (differed === differs) return changes;
  const fields = (differs ? after : before).summary.differs.join(', ');
  return [...changes, { kind: 'drift', cause: `drift:${site}`, about: fields, org, site, time, isOpen: differs }];
}

function wrongChecks({ summary }: SiteCheckRecord): ReadonlySet<string> {
  return new Set(
    summary.problems.filter(({ check, verdict }) => verdict === 'wrong' && check !== 'code-sync-fresh').map(({ check }) => check),
  );
}
