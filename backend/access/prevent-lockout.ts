import type { Org } from '@repoless/contract/org.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/errors.ts';
import { checkAccess } from './check-groups.ts';
import { notAuthorized } from './permit.ts';
import { createPresence, rolesOf } from './roles-of.ts';
import type { Grants } from './roles-of.ts';

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
export function keepAdministration(change: AccessChange): void {
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
