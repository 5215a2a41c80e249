import { memberMatches, ROLE_NAMES } from '#contract/access.ts';
import type { RoleName } from '#contract/access.ts';
import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import type { Caller } from '../caller.ts';

type Groups = Org['groups'];
/** The parts of a site that say who may do what. */
export type Grants = Pick<Site, 'access' | 'groups'>;

/**
 * The roles that a caller has: as a user of the organization, on every site of it, and by `access.admin.role` of the site
 * (service contract, section 3). Without a site, or without `access.admin.role`, the organization's users alone decide.
 */
export function rolesOf(caller: Caller, org: Pick<Org, 'users' | 'groups'>, site?: Grants): ReadonlySet<RoleName> {
  const roles = new Set<RoleName>();
  if (caller.kind === 'anonymous') return roles;
  for (const user of org.users) {
    if (isMeant(user.email, caller.names, undefined, org.groups)) user.roles.forEach((role) => roles.add(role));
  }
  const granted = site?.access?.admin?.role;
  for (const role of ROLE_NAMES) {
    if (granted?.[role]?.some((entry) => isMeant(entry, caller.names, site?.groups, org.groups)) === true) roles.add(role);
  }
  return roles;
}

// A group of the site hides one of the same name of the organization.
function isMeant(entry: string, names: readonly string[], siteGroups: Groups, orgGroups: Groups): boolean {
  const group = GROUP.exec(entry)?.[1];
  if (group === undefined) return memberMatches(entry, names);
  const members = (siteGroups?.[group] ?? orgGroups?.[group])?.members ?? [];
  return members.some((member) => memberMatches(member.email, names));
}

const GROUP = /^groups\/(.+?)(?:\.json)?$/;
