import { Member } from '@repoless/contract/access.ts';

/** Why an entry cannot be added to a list. */
export type MemberProblem = 'empty' | 'invalid' | 'listed';

/** Checks an entry by the contract's own rule. In: the list, and what was written. */
export function memberProblem(list: readonly string[], text: string): MemberProblem | undefined {
  const entry = text.trim();
  if (entry === '') return 'empty';
  if (!Member.safeParse(entry).success) return 'invalid';
  return isListed(list, entry) ? 'listed' : undefined;
}

/** Letters of the two cases are the same to the service. */
export function isListed(list: readonly string[], entry: string): boolean {
  return list.some((other) => sameMember(other, entry));
}

export function sameMember(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The changes that lead from `base` to `mine`, applied to `theirs`, entry by entry: no entry is lost, and none comes back. */
export function mergeMembers(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const kept = theirs.filter((entry) => isListed(mine, entry) || !isListed(base, entry));
  return [...kept, ...mine.filter((entry) => !isListed(base, entry) && !isListed(theirs, entry))];
}
