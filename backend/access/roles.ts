import { GRANTS, isRoleName, memberMatches, referredGroup, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { PeopleContext } from '@repoless/core/access/consequences.ts';
import { findGroup, type Groups, type GroupScope } from '@repoless/core/access/groups.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { profileAt } from '../owners/owner.ts';
import type { Caller, KeyGrant } from '../sessions/identity.ts';

/** The parts of a site that grant roles; its name and profile decide which API keys are valid for it. */
export type Grants = Pick<Site, 'name' | 'access' | 'groups' | 'extends'>;

/**
 * The roles of a caller: as a user of the organization, on all of its sites, and by the site's `access.admin.role` (docs/contract.md 4.2);
 * `access.admin.defaultRole` applies to callers who have none by these. Without a site, or without `access.admin.role`, only the
 * organization's users count. An API key has the roles that it was created with, on its site, the sites of its profile, or its
 * organization.
 */
export function rolesOf(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): ReadonlySet<RoleName> {
  const roles = new Set<RoleName>();
  if (caller.kind === 'anonymous') return roles;
  if (caller.key !== undefined) return isKeyValidFor(caller.key, org.name, site) ? new Set(caller.key.roles) : roles;
  const matchesPerson = entryMatcher(caller.names, { organization: org.groups });
  for (const user of org.users) {
    if (matchesPerson(user.email)) user.roles.filter(isRoleName).forEach((role) => roles.add(role));
  }
  const granted = site?.access?.admin?.role;
  const isGranted = entryMatcher(caller.names, { site: site?.groups, organization: org.groups });
  for (const role of ROLE_NAMES) {
    if (granted?.[role]?.some(isGranted) === true) roles.add(role);
  }
  if (roles.size === 0) site?.access?.admin?.defaultRole?.filter(isRoleName).forEach((role) => roles.add(role));
  return roles;
}

/** Other people, for the consequences of a change. A dry run must not show them to callers who may not read the organization. */
export function peopleContext(caller: Caller, org: { readonly config: Org } | undefined): PeopleContext {
  const names = caller.kind === 'anonymous' || caller.key !== undefined ? [] : caller.names;
  const roles = org === undefined ? [] : [...rolesOf(caller, org.config)];
  if (org === undefined || !roles.some((role) => GRANTS['org:read'].includes(role)))
    return { caller: names, organization: undefined, users: undefined };
  return { caller: names, organization: org.config.groups ?? {}, users: org.config.users };
}

/**
 * Whether a list grants the caller a role other than as everyone (`*`) or by `defaultRole`. Only listed callers learn who administers it.
 */
export function isListed(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): boolean {
  if (caller.kind === 'anonymous') return false;
  if (caller.key !== undefined) return isKeyValidFor(caller.key, org.name, site);
  const { names } = caller;
  const matcher = (scope: GroupScope) => anyMember(scope, (member) => member !== '*' && memberMatches(member, names));
  const [ofOrg, ofSite] = [matcher({ organization: org.groups }), matcher({ site: site?.groups, organization: org.groups })];
  if (org.users.some((user) => user.roles.some(isRoleName) && ofOrg(user.email))) return true;
  return ROLE_NAMES.some((role) => site?.access?.admin?.role?.[role]?.some(ofSite) === true);
}

/** Takes the effective site, including its profile. */
export function isKeyValidFor(key: KeyGrant, org: string, site: Grants | undefined): boolean {
  if (key.org !== org) return false;
  if (key.site === undefined) return true;
  const profile = profileAt(key.site);
  return profile === undefined ? key.site === site?.name : profile === site?.extends?.profile;
}

/**
 * Whether list entries include an identity (its names in lower case): directly, or as a member of a group that the entry refers to, or of a
 * nested group. A cycle of groups ends where it closes and grants nothing. Each group is visited once, however many entries refer to it.
 */
export function entryMatcher(names: readonly string[], scope: GroupScope): (entry: string) => boolean {
  return anyMember(scope, (member) => memberMatches(member, names));
}

function anyMember(scope: GroupScope, test: (member: string) => boolean): (entry: string) => boolean {
  let known: Map<string, boolean> | undefined;
  const includes = (entry: string, within: GroupScope, depth: number): boolean => {
    const name = referredGroup(entry);
    if (name === undefined) return test(entry);
    known ??= new Map();
    const found = findGroup(name, within);
    if (found === undefined || depth >= LIMITS.groupDepth) return false;
    const before = known.get(found.id);
    if (before !== undefined) return before;
    known.set(found.id, false);
    const isIncluded = found.group.members.some((member) => includes(member.email, found.scope, depth + 1));
    known.set(found.id, isIncluded);
    return isIncluded;
  };
  return (entry) => includes(entry, scope, 0);
}

interface AccessChange {
  readonly caller: Caller;
  readonly org: Org;
  /** The parts that grant roles and host access; undefined without a site. For a new site, those of its profile. */
  readonly before: Grants | undefined;
  readonly after: Grants | undefined;
  /** The caller accepts that they may no longer be an admin afterwards. */
  readonly confirmed: boolean;
}

/**
 * Refuses changes to who administers a site or reads its hosts by a caller who is not its admin (NOT_AUTHORIZED), changes with cyclic or
 * too deeply nested groups (BODY_INVALID), and changes by which the caller loses the administration (WOULD_LOCK_OUT) unless confirmed.
 * Rule: docs/contract.md 4.4.
 */
export function checkAccessChange(change: AccessChange): void {
  const { caller, org, before, after } = change;
  if (after === undefined) return;
  if (hasSameGrants(before, after)) return;
  if (!rolesOf(caller, org, before).has('admin')) {
    throw notAuthorized(caller, org, {
      why: 'Only an admin may change who administers the site or reads its hosts (access and groups).',
      reason: 'access',
      site: before,
    });
  }
  checkSiteGroups(after, org);
  if (change.confirmed || rolesOf(caller, org, after).has('admin')) return;
  const sentence =
    'With this change you would no longer administer the site. Keep yourself in access.admin.role.admin, or send the request with ?confirm=true.';
  throw new Refusal('WOULD_LOCK_OUT', sentence, { data: { reason: 'site' } });
}

export function hasSameGrants(before: Pick<Grants, 'access' | 'groups'> | undefined, after: Pick<Grants, 'access' | 'groups'>): boolean {
  return sameValue(before?.access ?? {}, after.access ?? {}) && sameValue(before?.groups ?? {}, after.groups ?? {});
}

/** Refuses an organization without an admin, and one that its caller would no longer administer unless confirmed. */
export function requireAdmins(caller: Caller, config: Org, confirmed: boolean): void {
  const includesAnyone = anyMember({ organization: config.groups }, () => true);
  if (!config.users.some((user) => user.roles.includes('admin') && includesAnyone(user.email))) {
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".', {
      data: { reason: 'lastAdmin' },
    });
  }
  if (confirmed || rolesOf(caller, config).has('admin')) return;
  const sentence =
    'With this change you would no longer administer the organization. Keep yourself among its users, or send ?confirm=true.';
  throw new Refusal('WOULD_LOCK_OUT', sentence, { data: { reason: 'organization' } });
}

/**
 * Refuses with BODY_INVALID a group that contains itself, directly or through others, and groups that are nested too deeply. Documents may
 * be written in any order: a reference to a missing group is accepted and includes no one.
 */
export function checkGroups(groups: Groups | undefined, scope: GroupScope): void {
  const heights = new Map<string, number>();
  for (const name of Object.keys(groups ?? {})) {
    const error = tooDeep(name, name, scope, [], heights);
    if (error !== undefined) throw new Refusal('BODY_INVALID', error.detail, { errors: [error] });
  }
}

/** `checkGroups` for the groups of a site or profile. */
export function checkSiteGroups({ groups }: Pick<Site, 'groups'>, org: Pick<Org, 'groups'>): void {
  checkGroups(groups, { site: groups, organization: org.groups });
}

/** `root`: the group where the walk started; `above`: the groups from there to this one; `heights`: the depth below each visited group. */
function tooDeep(
  root: string,
  name: string,
  scope: GroupScope,
  above: readonly { readonly id: string; readonly name: string }[],
  heights: Map<string, number>,
): FieldError | undefined {
  const found = findGroup(name, scope);
  if (found === undefined) return undefined;
  const steps = [...above, { id: found.id, name }];
  const path = () => steps.map((step) => `"${step.name}"`).join(' contains ');
  const pointer = jsonPointer(['groups', root]);
  if (above.some(({ id }) => id === found.id)) {
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

/** `why` replaces the message about a missing role. Administrators are named only to callers that `isListed` accepts. */
export function notAuthorized(
  caller: Caller,
  org: Pick<Org, 'users' | 'name' | 'groups'>,
  { why, reason, site }: { readonly why?: string; readonly reason?: Reason; readonly site?: Grants | undefined } = {},
): Refusal {
  const mayKnowAdmins = isListed(caller, org, site);
  const admins = mayKnowAdmins ? org.users.filter((user) => user.roles.includes('admin')).map((user) => user.email) : [];
  const grantedBy = admins.slice(0, SHOWN_ADMINS).join(', ');
  const directs = !mayKnowAdmins
    ? CONTACT_ADMIN
    : grantedBy === ''
      ? `Organization "${org.name}" has no administrator.`
      : `An administrator can grant it: ${grantedBy}.`;
  return new Refusal('NOT_AUTHORIZED', why ?? 'not authorized', {
    detail: [why ?? noRoleSentence(caller), callerSentence(caller), noAdminSentence(site), directs]
      .filter((sentence) => sentence !== '')
      .join(' '),
    data: {
      ...(caller.kind === 'user' && caller.key === undefined && { caller: caller.email }),
      ...(reason === undefined ? {} : { reason }),
      grantedBy,
    },
  });
}

type Reason = (typeof ERROR_REASONS)['NOT_AUTHORIZED'][number];

/** A site created in one click has no administrators of its own (docs/contract.md 4.5). */
function noAdminSentence(site: Grants | undefined): string {
  if (site === undefined || (site.access?.admin?.role?.admin ?? []).length > 0) return '';
  return 'The site has no administrator of its own, like every site created in one click. The administrators of the organization administer it.';
}

export function noRoleSentence(caller: Caller): string {
  const isKey = caller.kind === 'user' && caller.key !== undefined;
  return isKey ? 'This API key does not allow this here.' : 'Your account has no role here that allows this.';
}

export function callerSentence(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  if (caller.key === undefined) return `You are signed in as ${caller.email}.`;
  const { id, org, site, roles } = caller.key;
  const scope = site === undefined ? `the organization "${org}"` : `only ${scopeName(org, site, profileAt(site))}`;
  return `The key ${id} is valid for ${scope}, with the roles ${roles.join(', ')}.`;
}

function scopeName(org: string, site: string, profile: string | undefined): string {
  return profile === undefined ? `the site "${org}/${site}"` : `the sites that extend the profile "${org}/${profile}"`;
}

export const CONTACT_ADMIN = 'Ask an administrator of the organization for access.';

const SHOWN_ADMINS = 5;
