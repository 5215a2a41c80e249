import type { StoredFinding, PackedFindings, SiteCheckInput } from '@repoless/contract/site-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { bodyInvalid } from '@repoless/contract/refusal.ts';

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
    throw bodyInvalid('/findings', `The findings have ${length} characters; ${LIMITS.storedFindings} are kept.`);
  return packed;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
