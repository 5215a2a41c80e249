import { memberMatches, referredGroup } from '#contract/access.ts';
import type { Group } from '#contract/access.ts';

export type Groups = Readonly<Record<string, Group>> | undefined;

/** Where references to groups are looked up. A group of the site hides one of the same name of the organization. */
export interface GroupScope {
  readonly site?: Groups;
  readonly org: Groups;
}

export interface FoundGroup {
  readonly group: Group;
  /** Unique among the groups of the site and those of the organization. */
  readonly id: string;
  /** Where the references of this group's members are looked up: those of the organization know nothing of a site. */
  readonly scope: GroupScope;
}

/** The group of a name, where there is one. */
export function findGroup(name: string, scope: GroupScope): FoundGroup | undefined {
  const own = ownGroup(scope.site, name);
  if (own !== undefined) return { group: own, id: `site/${name}`, scope };
  const shared = ownGroup(scope.org, name);
  return shared === undefined ? undefined : { group: shared, id: `org/${name}`, scope: { org: scope.org } };
}

/**
 * Whether an identity (its lower-cased names) is meant by a list entry: by itself, or as a member of the group that it
 * refers to, or of a group in that group. A ring of groups ends where it meets itself and grants nothing.
 */
export function isMeant(entry: string, names: readonly string[], scope: GroupScope): boolean {
  return anyMember(entry, scope, (member) => memberMatches(member, names));
}

/** Whether a list entry comes to anybody at all: an empty group does not. */
export function meansAnybody(entry: string, scope: GroupScope): boolean {
  return anyMember(entry, scope, () => true);
}

function anyMember(entry: string, scope: GroupScope, test: (member: string) => boolean, seen: Set<string> = new Set()): boolean {
  const name = referredGroup(entry);
  if (name === undefined) return test(entry);
  const found = findGroup(name, scope);
  if (found === undefined || seen.has(found.id)) return false;
  seen.add(found.id);
  return found.group.members.some((member) => anyMember(member.email, found.scope, test, seen));
}

function ownGroup(groups: Groups, name: string): Group | undefined {
  return groups !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
}
