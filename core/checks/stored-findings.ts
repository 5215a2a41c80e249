import {
  CHECK_IDS,
  type CheckId,
  EVALUATED_BY,
  type PackedFindings,
  type SiteCheckInput,
  type StoredFinding,
} from '@repoless/contract/site-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { bodyInvalid } from '@repoless/contract/refusal.ts';

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

/**
 * For each check, the latest finding by someone who could evaluate it (docs/contract.md 3.16). Findings about the person who checked are
 * left out.
 */
export function mergedFindings({ service, authoring, isWrittenSince }: BothLooks): StoredFinding[] {
  const ofService = byCheck(service?.findings);
  const ofAuthoring = byCheck(authoring?.findings);
  const isServiceNewer = service !== undefined && authoring !== undefined && service.at > authoring.at;
  // Findings from outside stay valid until the site is written.
  const mayClear = (check: CheckId) => EVALUATED_BY[check] === 'service' || (EVALUATED_BY[check] === 'outside' && isWrittenSince);
  return CHECK_IDS.flatMap((check) => {
    if (EVALUATED_BY[check] === 'caller') return [];
    const [one, other] = [ofService.get(check), ofAuthoring.get(check)];
    if (one === undefined || other === undefined || !isSeen(one) || !isSeen(other)) {
      const seen = [other, one].find((finding) => finding !== undefined && isSeen(finding)) ?? other ?? one;
      return seen === undefined ? [] : [seen];
    }
    return [isServiceNewer && (isAmiss(one) || mayClear(check)) && !isStillBehind(one, other) ? one : other];
  });
}

/**
 * The service's own check does not query the code source: a successful last sync does not clear a person's finding that the branch moved,
 * as long as the same commit is served.
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

/** See `PackedFindings`. */
export function packFindings(findings: readonly StoredFinding[]): PackedFindings {
  const [first, ...others] = findings;
  const isShared = ([name, value]: readonly [string, string]) => others.every(({ data }) => data[name] === value);
  const common = Object.fromEntries(Object.entries(first?.data ?? {}).filter(isShared));
  const ownOf = (data: StoredFinding['data']) => Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(common, name)));
  return { common, own: findings.map((finding) => ({ ...finding, data: ownOf(finding.data) })) };
}

export function unpackFindings({ common, own }: PackedFindings): StoredFinding[] {
  return own.map((finding) => ({ ...finding, data: { ...common, ...finding.data } }));
}

/** The findings of a check in stored form. Throws BODY_INVALID if a check is listed twice or the findings exceed the limit of a site. */
export function fitFindings({ findings, drifts }: SiteCheckInput): ReturnType<typeof packFindings> {
  const check = repeated(findings.map((one) => one.check));
  if (check !== undefined) throw bodyInvalid('/findings', `The check "${check}" is listed twice.`);
  const field = repeated(drifts.map((one) => one.field));
  if (field !== undefined) throw bodyInvalid('/drifts', `The field "${field}" is listed twice.`);
  const packed = packFindings(findings);
  const length = JSON.stringify(packed).length + JSON.stringify(drifts).length;
  if (length > LIMITS.storedFindings)
    throw bodyInvalid('/findings', `The findings have ${length} characters; ${LIMITS.storedFindings} are stored.`);
  return packed;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
