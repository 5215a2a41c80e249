import type { CheckId, Finding, Verdict } from '#extension/setup/findings.ts';
import type { Symptom } from '#extension/words/en/checks.ts';

export interface FindingGroup {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

const ORDER: readonly Verdict[] = ['wrong', 'warning', 'unknown', 'note', 'fine'];

/** Which checks matter first for what the author sees (the symptom table of the design, and authoring-system facts, section 3). */
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

/** Parts the findings into those that may cause a symptom, most likely first, and the others. */
export function bySymptom(
  findings: readonly Finding[],
  symptom: Symptom,
): { readonly first: readonly Finding[]; readonly others: readonly Finding[] } {
  const causes = CAUSES[symptom];
  const first = findings.filter((finding) => causes.includes(finding.check));
  const rank = (finding: Finding): number => ORDER.indexOf(finding.verdict) * causes.length + causes.indexOf(finding.check);
  return {
    first: first.toSorted((a, b) => rank(a) - rank(b)),
    others: findings.filter((finding) => !causes.includes(finding.check)),
  };
}

export function countVerdicts(findings: readonly Finding[]): { readonly wrong: number; readonly warnings: number } {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { wrong: count('wrong'), warnings: count('warning') };
}
