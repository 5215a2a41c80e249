import { referredGroup } from '@repoless/contract/access.ts';
import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/errors.ts';
import { notAuthorized } from './permit.ts';
import { createPresence, findGroup, type Grants, type Groups, type GroupScope, rolesOf } from './roles-of.ts';

export interface AccessChange {
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
      site: before,
    });
  }
  checkAccess(after, org);
  if (change.confirmed || rolesOf(caller, org, after).has('admin')) return;
  throw new Refusal(
    'WOULD_LOCK_OUT',
    'With this change you would no longer administer the site. Keep yourself in access.admin.role.admin, or send the request with ?confirm=true.',
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
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".');
  }
  if (confirmed || rolesOf(caller, config).has('admin')) return;
  throw new Refusal(
    'WOULD_LOCK_OUT',
    'With this change you would no longer administer the organization. Keep yourself among its users, or send ?confirm=true.',
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
