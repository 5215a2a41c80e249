import { sameValue } from '@repoless/contract/json.ts';
import type { StoredFinding } from '@repoless/contract/site-check.ts';
import { byCheck, isSeen, mergedFindings, packFindings, unpackFindings } from '@repoless/core/checks/stored-findings.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import type { Writes } from '../domain/ports.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import type { CheckSummary, Looks, SiteCheckRecord } from './rules/ports.ts';
import type { StoredSite } from '../sites/ports.ts';

/** Derived from the checks of a site, only here, and stored so that lists and counts only read it. */
export function siteCheckRecord({ org, site, version, aggregate }: StoredSite, looks: Looks): SiteCheckRecord {
  const findings = findingsInForce(looks);
  const { authoring } = looks;
  const drifts = authoring?.drifts ?? [];
  const state = siteState({
    registered: true,
    complete: isComplete(aggregate),
    ...(authoring === undefined
      ? {}
      : { authoring: { switched: authoring.switched, differs: drifts.length > 0, isOutdated: authoring.version !== version } }),
    findings,
  });
  const summary: CheckSummary = {
    problems: findings.flatMap(({ check, verdict, variant }) =>
      verdict === 'wrong' || verdict === 'warning' ? [{ check, verdict, ...(variant === undefined ? {} : { variant }) }] : [],
    ),
    differs: drifts.map(({ field }) => field),
    unseen: findings.filter(({ verdict }) => verdict === 'unknown').length,
  };
  return { org, site, state, looks, summary };
}

/** The effective findings (docs/contract.md 3.16). */
export function findingsInForce({ service, authoring }: Looks): StoredFinding[] {
  const isWrittenSince = service !== undefined && authoring !== undefined && service.version > authoring.version;
  const unpacked = (look: Looks['service']) => look && { at: look.at, findings: unpackFindings(look.findings) };
  return mergedFindings({ service: unpacked(service), authoring: unpacked(authoring), isWrittenSince });
}

/**
 * Merges newer checks with the earlier ones. What a person could not see keeps the earlier finding, unless a newer one of the service
 * replaces it: a caller who sees less cannot clear a problem.
 */
export function withLooks(before: Looks, { authoring, ...looks }: Looks): Looks {
  if (authoring === undefined) return { ...before, ...looks };
  const current = new Map(findingsInForce(before).map((finding) => [finding.check, finding]));
  const earlier = byCheck(before.authoring && unpackFindings(before.authoring.findings));
  const findings = unpackFindings(authoring.findings).map((finding) => {
    const seen = earlier.get(finding.check);
    const isKept = !isSeen(finding) && seen !== undefined && isSeen(seen) && sameValue(seen, current.get(finding.check));
    return isKept ? seen : finding;
  });
  return { ...before, ...looks, authoring: { ...authoring, findings: packFindings(findings) } };
}

/**
 * Replaces the stored results of a site's checks. The only place where a state changes: it has both the previous and the new results,
 * within the transaction.
 */
export async function storeSiteCheck(writes: Writes, site: StoredSite, looks: Looks): Promise<SiteCheckRecord> {
  const before = await writes.siteCheck(site.org, site.site);
  const after = siteCheckRecord(site, withLooks(before?.looks ?? {}, looks));
  await writes.putSiteCheck(after, before);
  if (before !== undefined) for (const change of causesOf(before, after)) await writes.setCause(change);
  return after;
}

/**
 * What started to fail between two checks, and what is resolved (docs/contract.md 9.1). Findings of the first check are not new failures,
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
