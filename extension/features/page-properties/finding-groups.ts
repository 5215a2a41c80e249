import type { CheckId, Verdict } from '@repoless/contract/site-check.ts';
import type { Finding } from '@repoless/core/checks/check-data.ts';
import type { Symptom } from '@repoless/core/messages/symptoms.ts';

export interface FindingGroup {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

const ORDER: readonly Verdict[] = ['wrong', 'warning', 'unknown', 'note', 'fine'];

/** Which checks matter first for what the author sees (docs/design-facts.md 3.1 and docs/design-facts.md 3.3). */
const CAUSES: Record<Symptom, readonly CheckId[]> = {
  'white-page': [
    'project-type',
    'site-registered',
    'editor-files',
    'code-sync-fresh',
    'config-preview',
    'config-live',
    'config-shadowed',
    'mapping-site-root',
  ],
  'old-code': [
    'code-sync-fresh',
    'secret-present',
    'organization-and-site-name',
    'content-address-site',
    'config-shadowed',
    'obsolete-files',
  ],
  publishing: [
    'technical-account-listed',
    'technical-account-environment',
    'delivery-answers',
    'organization-and-site-name',
    'cloud-configuration-own',
    'content-address-site',
  ],
  'config-missing': [
    'site-registered',
    'mapping-site-root',
    'mapping-configuration',
    'configuration-page',
    'host-label',
    'config-shadowed',
  ],
};

/** Findings by verdict, the worst first; groups without findings are left out. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  return ORDER.map((verdict) => ({ verdict, findings: findings.filter((finding) => finding.verdict === verdict) })).filter(
    (group) => group.findings.length > 0,
  );
}

export interface SymptomFindings {
  /** What may cause the symptom and is not fine, the most likely first. */
  readonly causes: readonly Finding[];
  /** What may cause it and could not be checked. */
  readonly unchecked: readonly Finding[];
  readonly others: readonly Finding[];
}

/** Parts the findings by what the author sees. What is fine is no cause. */
export function bySymptom(findings: readonly Finding[], symptom: Symptom): SymptomFindings {
  const suspects = CAUSES[symptom];
  const rank = ({ check, verdict }: Finding): number => ORDER.indexOf(verdict) * suspects.length + suspects.indexOf(check);
  const suspected = findings
    .filter(({ check, verdict }) => suspects.includes(check) && verdict !== 'fine')
    .toSorted((a, b) => rank(a) - rank(b));
  return {
    causes: suspected.filter(({ verdict }) => verdict !== 'unknown'),
    unchecked: suspected.filter(({ verdict }) => verdict === 'unknown'),
    others: findings.filter((finding) => !suspected.includes(finding)),
  };
}

export function countVerdicts(findings: readonly Finding[]): { readonly wrong: number; readonly warnings: number } {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { wrong: count('wrong'), warnings: count('warning') };
}
