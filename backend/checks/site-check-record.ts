import type { KeptFinding } from '@repoless/contract/checked-site.ts';
import { CHECK_IDS, JUDGED_BY } from '@repoless/contract/site-check.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { CheckSummary, Looks, SiteCheckRecord } from './rules/ports.ts';
import type { StoredSite } from '../domain/ports.ts';
import { isComplete, siteState } from '@repoless/core/checks/site-state.ts';
import { unpackFindings } from './pack-findings.ts';

/** Derived from the checks of a site, in this one place, and stored so that lists and counts only read it. */
export function siteCheckRecord({ org, site, aggregate }: StoredSite, looks: Looks): SiteCheckRecord {
  const findings = mergedFindings(looks);
  const { authoring } = looks;
  const drifts = authoring?.drifts ?? [];
  const state = siteState({
    registered: true,
    complete: isComplete(aggregate),
    ...(authoring === undefined ? {} : { authoring: { switched: authoring.switched, differs: drifts.length > 0 } }),
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

function byCheck(findings: Parameters<typeof unpackFindings>[0] | undefined): ReadonlyMap<CheckId, KeptFinding> {
  return new Map((findings === undefined ? [] : unpackFindings(findings)).map((finding) => [finding.check, finding]));
}

function isSeen({ verdict }: KeptFinding): boolean {
  return verdict !== 'unknown';
}

function isAmiss({ verdict }: KeptFinding): boolean {
  return verdict === 'wrong' || verdict === 'warning';
}
