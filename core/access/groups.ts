import { type Group, Member, memberMatches, referredGroup } from '@repoless/contract/access.ts';
import type { Profile } from '@repoless/contract/session.ts';

export type Groups = Readonly<Record<string, Group>>;

/** Where references are looked up: a site's group hides the organization's group of the same name. Absent if it could not be read. */
export interface GroupScope {
  readonly site?: Groups | undefined;
  readonly organization: Groups | undefined;
}

interface FoundGroup {
  readonly group: Group;
  /** Unique among the groups of the site and those of the organization. */
  readonly id: string;
  /** Where references in this group's members are resolved: groups of the organization cannot refer to those of a site. */
  readonly scope: GroupScope;
}

export function findGroup(name: string, scope: GroupScope): FoundGroup | undefined {
  const own = ownGroup(scope.site, name);
  if (own !== undefined) return { group: own, id: `site/${name}`, scope };
  const shared = ownGroup(scope.organization, name);
  return shared === undefined ? undefined : { group: shared, id: `organization/${name}`, scope: { organization: scope.organization } };
}

function ownGroup(groups: Groups | undefined, name: string): Group | undefined {
  return groups !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
}

/** Whether an entry refers to a missing group. False if the groups could not be read. */
export function refersToMissingGroup(entry: string, scope: GroupScope): boolean {
  const name = referredGroup(entry);
  return name !== undefined && scope.organization !== undefined && findGroup(name, scope) === undefined;
}

/** The entries that a reference resolves to; an entry that is not a group resolves to itself. */
export function resolveEntry(entry: string, scope: GroupScope): readonly string[] {
  return expand(entry, scope, new Set());
}

/** Whether an entry matches someone, directly or through groups. */
export function matchesPerson(entry: string, names: readonly string[], scope: GroupScope): boolean {
  return resolveEntry(entry, scope).some((member) => memberMatches(member, names));
}

/** The names by which lists match the signed-in person; an API key is in no list. */
export function namesOf(profile: Profile): readonly string[] {
  if (profile.apiKey !== undefined) return [];
  const names = [profile.email, profile.user_id ?? '', profile.preferred_username ?? ''];
  return [...new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()))];
}

function expand(entry: string, scope: GroupScope, seen: Set<string>): readonly string[] {
  const name = referredGroup(entry);
  if (name === undefined) return [entry];
  const found = findGroup(name, scope);
  if (found === undefined || seen.has(found.id)) return [];
  seen.add(found.id);
  return found.group.members.flatMap(({ email }) => expand(email, found.scope, seen));
}

type MemberProblem = 'empty' | 'invalid' | 'listed';

/** Checks new text for a list by the contract's own rule. */
export function memberProblem(list: readonly string[], text: string): MemberProblem | undefined {
  const entry = text.trim();
  if (entry === '') return 'empty';
  if (!Member.safeParse(entry).success) return 'invalid';
  return isListed(list, entry) ? 'listed' : undefined;
}

/** Ignores case, as the service does. */
export function isListed(list: readonly string[], entry: string): boolean {
  return list.some((other) => sameMember(other, entry));
}

export function sameMember(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Applies the changes from `base` to `mine` to `theirs`, entry by entry: no entry is lost, and no removed one returns. */
export function mergeMembers(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const remaining = theirs.filter((entry) => isListed(mine, entry) || !isListed(base, entry));
  return [...remaining, ...mine.filter((entry) => !isListed(base, entry) && !isListed(theirs, entry))];
}
