import type { ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { GRANTS, type Group, isRoleName, memberMatches, referredGroup, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { PeopleContext } from '@repoless/core/access/consequences.ts';
import type { Caller, KeyGrant } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
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

/** Who else is there, for what a change does to people. Who may not read the organization learns nothing of its groups and users by a dry run. */
export function peopleContext(caller: Caller, org: { readonly config: Org } | undefined): PeopleContext {
  const names = caller.kind === 'anonymous' || caller.key !== undefined ? [] : caller.names;
  const roles = org === undefined ? [] : [...rolesOf(caller, org.config)];
  if (org === undefined || !roles.some((role) => GRANTS['org:read'].includes(role)))
    return { caller: names, organization: undefined, users: undefined };
  return { caller: names, organization: org.config.groups ?? {}, users: org.config.users };
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

interface AccessChange {
  readonly caller: Caller;
  readonly org: Org;
  /**
   * What says who may do what, and who reads the hosts, before and after; undefined where there is no site. Before there is one, what its profile
   * says.
   */
  readonly before: Grants | undefined;
  readonly after: Grants | undefined;
  /** The caller confirmed that they may lose the administration. */
  readonly confirmed: boolean;
}

/**
 * Refuses a change of who administers a site or reads its hosts by somebody who is not its admin (NOT_AUTHORIZED), one whose groups lead in a ring
 * or too deep (BODY_INVALID), and one that would take the administration from its caller (WOULD_LOCK_OUT) unless confirmed.
 * Rule: docs/contract.md 4.4.
 */
export function preventLockout(change: AccessChange): void {
  const { caller, org, before, after } = change;
  if (after === undefined) return;
  if (isSamePeople(before, after)) return;
  if (!rolesOf(caller, org, before).has('admin')) {
    throw notAuthorized(caller, org, {
      why: 'Only an admin may change who administers the site or reads its hosts (access and groups).',
      reason: 'access',
      site: before,
    });
  }
  checkAccess(after, org);
  if (change.confirmed || rolesOf(caller, org, after).has('admin')) return;
  throw new Refusal(
    'WOULD_LOCK_OUT',
    'With this change you would no longer administer the site. Keep yourself in access.admin.role.admin, or send the request with ?confirm=true.',
    { data: { reason: 'site' } },
  );
}

/** Whether the same people may do the same, and read the same hosts. */
export function isSamePeople(before: Pick<Grants, 'access' | 'groups'> | undefined, after: Pick<Grants, 'access' | 'groups'>): boolean {
  return sameValue(before?.access ?? {}, after.access ?? {}) && sameValue(before?.groups ?? {}, after.groups ?? {});
}

/** Refuses an organization without any admin, and one that its caller would no longer administer unless confirmed. */
export function keepAdmins(caller: Caller, config: Org, confirmed: boolean): void {
  const meansAnybody = createPresence({ org: config.groups });
  if (!config.users.some((user) => user.roles.includes('admin') && meansAnybody(user.email))) {
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".', {
      data: { reason: 'lastAdmin' },
    });
  }
  if (confirmed || rolesOf(caller, config).has('admin')) return;
  throw new Refusal(
    'WOULD_LOCK_OUT',
    'With this change you would no longer administer the organization. Keep yourself among its users, or send ?confirm=true.',
    { data: { reason: 'organization' } },
  );
}

/**
 * Refuses a group that contains itself, directly or through others, and groups that are nested too deep.
 * People write in any order: a reference to a group that is not there is taken, and means nobody. In: the groups of the same
 * document, and where references are looked up.
 */
export function checkGroups(groups: Groups, scope: GroupScope): void {
  const errors = nesting(groups, scope);
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

/** Refuses with BODY_INVALID where the groups of a site or profile lead in a ring, or too deep. */
export function checkAccess({ groups }: Pick<Site, 'groups'>, org: Pick<Org, 'groups'>): void {
  checkGroups(groups, { site: groups, org: org.groups });
}

/**
 * A group that contains itself, and groups that are nested too deep. Each group is walked once: what stands below one that was
 * walked is known. It stops at the first of them.
 */
function nesting(groups: Groups, scope: GroupScope): FieldError[] {
  const heights = new Map<string, number>();
  for (const name of Object.keys(groups ?? {})) {
    const error = tooDeep(name, name, scope, [], heights);
    if (error !== undefined) return [error];
  }
  return [];
}

/** In: the group that the walk began at, the one it is at, and those on the way there. */
function tooDeep(
  root: string,
  name: string,
  scope: GroupScope,
  way: readonly Step[],
  heights: Map<string, number>,
): FieldError | undefined {
  const found = findGroup(name, scope);
  if (found === undefined) return undefined;
  const steps = [...way, { id: found.id, name }];
  const path = () => steps.map((step) => `"${step.name}"`).join(' contains ');
  const pointer = jsonPointer(['groups', root]);
  if (way.some(({ id }) => id === found.id)) {
    return { pointer, detail: `A group cannot contain itself: ${path()}. Remove one of them.` };
  }
  if (steps.length + (heights.get(found.id) ?? 0) > LIMITS.groupDepth) {
    return { pointer, detail: `Groups are nested more than ${LIMITS.groupDepth} deep: ${path()}. Put the members into fewer groups.` };
  }
  if (heights.has(found.id)) return undefined;
  let height = 0;
  for (const { email } of found.group.members) {
    const next = referredGroup(email);
    if (next === undefined) continue;
    const error = tooDeep(root, next, found.scope, steps, heights);
    if (error !== undefined) return error;
    const below = findGroup(next, found.scope);
    if (below !== undefined) height = Math.max(height, 1 + (heights.get(below.id) ?? 0));
  }
  heights.set(found.id, height);
  return undefined;
}

interface Step {
  readonly id: string;
  readonly name: string;
}

/** In: why, where it is not that there is no role; the site that it is about, where it is about one. Who can grant it is told as `isNamed` says. */
export function notAuthorized(
  caller: Caller,
  org: Pick<Org, 'users' | 'name' | 'groups'>,
  { why, reason, site }: { readonly why?: string; readonly reason?: Reason; readonly site?: Grants | undefined } = {},
): Refusal {
  const isTold = isNamed(caller, org, site);
  const admins = isTold ? org.users.filter((user) => user.roles.includes('admin')).map((user) => user.email) : [];
  const who = admins.slice(0, SHOWN_ADMINS).join(', ');
  const ask = !isTold ? ASK : who === '' ? `Organization "${org.name}" has no administrator.` : `An administrator can grant it: ${who}.`;
  return new Refusal('NOT_AUTHORIZED', why ?? 'not authorized', {
    detail: [why ?? noRole(caller), callerIs(caller), unadministered(site), ask].filter((sentence) => sentence !== '').join(' '),
    data: { ...callerData(caller), ...(reason === undefined ? {} : { reason }), grantedBy: who },
  });
}

type Reason = (typeof ERROR_REASONS)['NOT_AUTHORIZED'][number];

function callerData(caller: Caller): { caller?: string } {
  return caller.kind === 'user' && caller.key === undefined ? { caller: caller.email } : {};
}

/** A site that was created in one click has no administrator of its own (docs/contract.md 4.5). */
function unadministered(site: Grants | undefined): string {
  if (site === undefined || (site.access?.admin?.role?.admin ?? []).length > 0) return '';
  return 'The site has no administrator of its own, like every site created in one click. The administrators of the organization administer it.';
}

export function noRole(caller: Caller): string {
  const isKey = caller.kind === 'user' && caller.key !== undefined;
  return isKey ? 'This API key does not allow this here.' : 'Your account has no role here that allows this.';
}

export function callerIs(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  if (caller.key === undefined) return `You are signed in as ${caller.email}.`;
  const { id, org, site, roles } = caller.key;
  const profile = site === undefined ? undefined : profileAt(site);
  const place = site === undefined ? `the organization "${org}"` : `only ${placeName(org, site, profile)}`;
  return `The key ${id} is valid for ${place}, with the roles ${roles.join(', ')}.`;
}

function placeName(org: string, site: string, profile: string | undefined): string {
  return profile === undefined ? `the site "${org}/${site}"` : `the sites that extend the profile "${org}/${profile}"`;
}

export const ASK = 'Ask an administrator of the organization for access.';

const SHOWN_ADMINS = 5;
