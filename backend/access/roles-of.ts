import { isRoleName, memberMatches, referredGroup, ROLE_NAMES } from '@repoless/contract/access.ts';
import type { Group, RoleName } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Caller, KeyGrant } from '../domain/caller.ts';
import { profileAt } from '../owners/owner.ts';

/** The parts of a site that say who may do what; its name and its profile say which API keys are good for it. */
export type Grants = Pick<Site, 'name' | 'access' | 'groups' | 'extends'>;

/**
 * The roles that a caller has: as a user of the organization, on every site of it, and by `access.admin.role` of the site
 * (docs/contract.md 4.2); `access.admin.defaultRole` are those of whoever has none by these. Without a site, or without
 * `access.admin.role`, the organization's users alone decide. An API key has the roles that it was made with, on its own site,
 * the sites of its profile, or its organization.
 */
export function rolesOf(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): ReadonlySet<RoleName> {
  const roles = new Set<RoleName>();
  if (caller.kind === 'anonymous') return roles;
  if (caller.key !== undefined) return isGoodFor(caller.key, org.name, site) ? new Set(caller.key.roles) : roles;
  const isMeant = createMeaning(caller.names, { org: org.groups });
  for (const user of org.users) {
    if (isMeant(user.email)) user.roles.filter(isRoleName).forEach((role) => roles.add(role));
  }
  const granted = site?.access?.admin?.role;
  const isGranted = createMeaning(caller.names, { site: site?.groups, org: org.groups });
  for (const role of ROLE_NAMES) {
    if (granted?.[role]?.some(isGranted) === true) roles.add(role);
  }
  if (roles.size === 0) site?.access?.admin?.defaultRole?.filter(isRoleName).forEach((role) => roles.add(role));
  return roles;
}

/**
 * Whether a list of the organization or the site gives a caller a role by name, domain or group: not as one of everybody (`*`), nor as one
 * who has no other role (`defaultRole`). Only they are told who administers a place.
 */
export function isNamed(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): boolean {
  if (caller.kind === 'anonymous') return false;
  if (caller.key !== undefined) return isGoodFor(caller.key, org.name, site);
  const { names } = caller;
  const meaning = (scope: GroupScope) => anyMember(scope, (member) => member !== '*' && memberMatches(member, names));
  const [ofOrg, ofSite] = [meaning({ org: org.groups }), meaning({ site: site?.groups, org: org.groups })];
  if (org.users.some((user) => user.roles.some(isRoleName) && ofOrg(user.email))) return true;
  return ROLE_NAMES.some((role) => site?.access?.admin?.role?.[role]?.some(ofSite) === true);
}

/** In: the site as it holds, with its profile. */
export function isGoodFor(key: KeyGrant, org: string, site: Grants | undefined): boolean {
  if (key.org !== org) return false;
  if (key.site === undefined) return true;
  const profile = profileAt(key.site);
  return profile === undefined ? key.site === site?.name : profile === site?.extends?.profile;
}

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
 * Tells of list entries whether they mean an identity (its lower-cased names): by itself, or as a member of the group that an
 * entry refers to, or of a group in that group. A ring of groups ends where it meets itself and grants nothing. Each group is
 * looked at once, however many entries refer to it.
 */
export function createMeaning(names: readonly string[], scope: GroupScope): (entry: string) => boolean {
  return anyMember(scope, (member) => memberMatches(member, names));
}

/** Tells of list entries whether they come to anybody at all: an empty group does not. */
export function createPresence(scope: GroupScope): (entry: string) => boolean {
  return anyMember(scope, () => true);
}

function anyMember(scope: GroupScope, test: (member: string) => boolean): (entry: string) => boolean {
  const known = new Map<string, boolean>();
  const look = (entry: string, within: GroupScope, depth: number): boolean => {
    const name = referredGroup(entry);
    if (name === undefined) return test(entry);
    const found = findGroup(name, within);
    if (found === undefined || depth >= LIMITS.groupDepth) return false;
    const before = known.get(found.id);
    if (before !== undefined) return before;
    known.set(found.id, false);
    const is = found.group.members.some((member) => look(member.email, found.scope, depth + 1));
    known.set(found.id, is);
    return is;
  };
  return (entry) => look(entry, scope, 0);
}

function ownGroup(groups: Groups, name: string): Group | undefined {
  return groups !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
}
