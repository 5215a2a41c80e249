import { isRoleName, ROLE_NAMES } from '#contract/access.ts';
import type { RoleName } from '#contract/access.ts';
import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import type { Caller, KeyGrant } from '../caller.ts';
import { createMeaning } from './group-members.ts';

/** The parts of a site that say who may do what; its name says which API keys are good for it. */
export type Grants = Pick<Site, 'name' | 'access' | 'groups'>;

/**
 * The roles that a caller has: as a user of the organization, on every site of it, and by `access.admin.role` of the site
 * (docs/contract.md 4.2); `access.admin.defaultRole` are those of whoever has none by these. Without a site, or without
 * `access.admin.role`, the organization's users alone decide. An API key has the roles that it was made with, on its own site
 * or organization.
 */
export function rolesOf(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): ReadonlySet<RoleName> {
  const roles = new Set<RoleName>();
  if (caller.kind === 'anonymous') return roles;
  if (caller.key !== undefined) return isGoodFor(caller.key, org.name, site?.name) ? new Set(caller.key.roles) : roles;
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

export function isGoodFor(key: KeyGrant, org: string, site: string | undefined): boolean {
  return key.org === org && (key.site === undefined || key.site === site);
}
