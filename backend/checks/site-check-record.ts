import { sameValue } from '@repoless/contract/json.ts';
import { CHECK_IDS, type CheckId, JUDGED_BY, type KeptFinding } from '@repoless/contract/site-check.ts';
import { isComplete, siteState } from '@repoless/core/checks/site-state.ts';
import type { StoredSite, Writes } from '../domain/ports.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import type { CheckSummary, Looks, PackedFindings, SiteCheckRecord } from './rules/ports.ts';

/** Derived from the checks of a site, in this one place, and stored so that lists and counts only read it. */
export function siteCheckRecord({ org, site, version, aggregate }: StoredSite, looks: Looks): SiteCheckRecord {
  const findings = mergedFindings(looks);
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

/** For each check, the newest finding of somebody who could make it (docs/contract.md 3.16). Findings about the person who checked are left out. */
export function mergedFindings({ service, authoring }: Looks): KeptFinding[] {
  const ofService = byCheck(service?.findings);
  const ofAuthoring = byCheck(authoring?.findings);
  const isServiceNewer = service !== undefined && authoring !== undefined && service.at > authoring.at;
  const isWrittenSince = service !== undefined && authoring !== undefined && service.version > authoring.version;
  // What was found from outside holds until the site is written.
  const mayClear = (check: CheckId) => JUDGED_BY[check] === 'service' || (JUDGED_BY[check] === 'outside' && isWrittenSince);
  return CHECK_IDS.flatMap((check) => {
    if (JUDGED_BY[check] === 'caller') return [];
    const [one, other] = [ofService.get(check), ofAuthoring.get(check)];
    if (one === undefined || other === undefined || !isSeen(one) || !isSeen(other)) {
      const seen = [other, one].find((finding) => finding !== undefined && isSeen(finding)) ?? other ?? one;
      return seen === undefined ? [] : [seen];
    }
    return [isServiceNewer && (isAmiss(one) || mayClear(check)) && !isStillBehind(one, other) ? one : other];
  });
}

/**
 * The service's own check does not query the code source: that the last sync succeeded does not clear a person's finding that the branch moved, as
 * long as the same commit is served.
 */
function isStillBehind(service: KeptFinding, seen: KeptFinding): boolean {
  const isBehind = seen.check === 'code-sync-fresh' && (seen.variant === 'behind' || seen.variant === 'gone');
  return isBehind && service.verdict === 'fine' && service.data['commit'] === seen.data['commit'];
}

/**
 * Newer looks beside the earlier ones. What a person could not see keeps the finding of whoever saw it before, as long as no newer one of the service
 * holds instead: somebody who sees less makes nothing green.
 */
export function withLooks(before: Looks, { authoring, ...looks }: Looks): Looks {
  if (authoring === undefined) return { ...before, ...looks };
  const inForce = new Map(mergedFindings(before).map((finding) => [finding.check, finding]));
  const earlier = byCheck(before.authoring?.findings);
  const findings = unpackFindings(authoring.findings).map((finding) => {
    const seen = earlier.get(finding.check);
    const isKept = !isSeen(finding) && seen !== undefined && isSeen(seen) && sameValue(seen, inForce.get(finding.check));
    return isKept ? seen : finding;
  });
  return { ...before, ...looks, authoring: { ...authoring, findings: packFindings(findings) } };
}

function byCheck(findings: Parameters<typeof unpackFindings>[0] | undefined): ReadonlyMap<CheckId, KeptFinding> {
  return new Map((findings === undefined ? [] : unpackFindings(findings)).map((finding) => [finding.check, finding]));
}

function isSeen({ verdict }: KeptFinding): boolean {
  return verdict !== 'unknown';
}

function isAmiss({ verdict }: KeptFinding): boolean {
  return verdict === 'wrong' || verdict === 'warning';
}

/** Findings as they are stored: values that they share are stored once. */
export function packFindings(findings: readonly KeptFinding[]): PackedFindings {
  const [first, ...others] = findings;
  const isShared = ([name, value]: readonly [string, string]) => others.every(({ data }) => data[name] === value);
  const common = Object.fromEntries(Object.entries(first?.data ?? {}).filter(isShared));
  const ownOf = (data: KeptFinding['data']) => Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(common, name)));
  return { common, own: findings.map((finding) => ({ ...finding, data: ownOf(finding.data) })) };
}

function unpackFindings({ common, own }: PackedFindings): KeptFinding[] {
  return own.map((finding) => ({ ...finding, data: { ...common, ...finding.data } }));
}

/**
 * Replaces the stored results of a site's checks. The only place where a state changes: the previous and the new results are both at hand, within
 * the transaction.
 */
export async function storeSiteCheck(writes: Writes, site: StoredSite, looks: Looks): Promise<SiteCheckRecord> {
  const before = await writes.siteCheck(site.org, site.site);
  const after = siteCheckRecord(site, withLooks(before?.looks ?? {}, looks));
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
