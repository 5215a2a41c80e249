import type { KeptFinding, PackedFindings } from '@repoless/contract/site-check.ts';

/** See `PackedFindings`. */
export function packFindings(findings: readonly KeptFinding[]): PackedFindings {
  const [first, ...others] = findings;
  const isShared = ([name, value]: readonly [string, string]) => others.every(({ data }) => data[name] === value);
  const common = Object.fromEntries(Object.entries(first?.data ?? {}).filter(isShared));
  const ownOf = (data: KeptFinding['data']) => Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(common, name)));
  return { common, own: findings.map((finding) => ({ ...finding, data: ownOf(finding.data) })) };
}

export function unpackFindings({ common, own }: PackedFindings): KeptFinding[] {
  return own.map((finding) => ({ ...finding, data: { ...common, ...finding.data } }));
}
