import { CHECK_IDS, type CheckId, JUDGED_BY, type StoredFinding } from '@repoless/contract/site-check.ts';

/** The findings for a site, and when they were made (ISO). */
export interface FindingsOf {
  readonly at: string;
  readonly findings: readonly StoredFinding[];
}

interface BothLooks {
  /** Without the authoring system. */
  readonly service?: FindingsOf | undefined;
  /** By someone who could read the authoring system. */
  readonly authoring?: FindingsOf | undefined;
  /** The site was written between the two checks. */
  readonly isWrittenSince: boolean;
}

/** For each check, the latest finding by someone who could judge it (docs/contract.md 3.16). Findings about the person who checked are left out. */
export function mergedFindings({ service, authoring, isWrittenSince }: BothLooks): StoredFinding[] {
  const ofService = byCheck(service?.findings);
  const ofAuthoring = byCheck(authoring?.findings);
  const isServiceNewer = service !== undefined && authoring !== undefined && service.at > authoring.at;
  // Findings from outside stay valid until the site is written.
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
 * The service's own check does not query the code source: a successful last sync does not clear a person's finding that the branch moved, as long
 * as the same commit is served.
 */
function isStillBehind(service: StoredFinding, seen: StoredFinding): boolean {
  const isBehind = seen.check === 'code-sync-fresh' && (seen.variant === 'behind' || seen.variant === 'gone');
  return isBehind && service.verdict === 'fine' && service.data['commit'] === seen.data['commit'];
}

export function byCheck(findings: readonly StoredFinding[] = []): ReadonlyMap<CheckId, StoredFinding> {
  return new Map(findings.map((finding) => [finding.check, finding]));
}

export function isSeen({ verdict }: StoredFinding): boolean {
  return verdict !== 'unknown';
}

function isAmiss({ verdict }: StoredFinding): boolean {
  return verdict === 'wrong' || verdict === 'warning';
}
