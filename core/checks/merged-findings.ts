import { CHECK_IDS, type CheckId, JUDGED_BY, type KeptFinding } from '@repoless/contract/site-check.ts';

/** What was found at a site, and when (ISO). */
export interface FindingsOf {
  readonly at: string;
  readonly findings: readonly KeptFinding[];
}

interface BothLooks {
  /** Without the authoring system. */
  readonly service?: FindingsOf | undefined;
  /** Of somebody who could read the authoring system. */
  readonly authoring?: FindingsOf | undefined;
  /** The site that the first one saw was written after the other look. */
  readonly isWrittenSince: boolean;
}

/** For each check, the newest finding of somebody who could make it (docs/contract.md 3.16). Findings about the person who checked are left out. */
export function mergedFindings({ service, authoring, isWrittenSince }: BothLooks): KeptFinding[] {
  const ofService = byCheck(service?.findings);
  const ofAuthoring = byCheck(authoring?.findings);
  const isServiceNewer = service !== undefined && authoring !== undefined && service.at > authoring.at;
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

export function byCheck(findings: readonly KeptFinding[] = []): ReadonlyMap<CheckId, KeptFinding> {
  return new Map(findings.map((finding) => [finding.check, finding]));
}

export function isSeen({ verdict }: KeptFinding): boolean {
  return verdict !== 'unknown';
}

function isAmiss({ verdict }: KeptFinding): boolean {
  return verdict === 'wrong' || verdict === 'warning';
}
