import type { Org, OrgUser } from '#contract/org.ts';
import type { Group } from '#contract/access.ts';

/** The part of an organization that a call is about. */
export interface OrgView {
  /** JSON pointer of the part. */
  pointer(org: Org): string;
  /** Undefined where the organization does not have it. */
  read(org: Org): unknown;
}

export const WHOLE_ORG: OrgView = { pointer: () => '', read: (org) => org };
export const ORG_USERS: OrgView = { pointer: () => '/users', read: (org) => org.users };
export const ORG_GROUPS: OrgView = { pointer: () => '/groups', read: (org) => org.groups ?? {} };

export function userView(id: string): OrgView {
  return { pointer: (org) => `/users/${org.users.findIndex((user) => user.id === id)}`, read: (org) => userOf(org, id) };
}

export function userOf(org: Pick<Org, 'users'>, id: string): OrgUser | undefined {
  return org.users.find((user) => user.id === id);
}

export function groupView(name: string): OrgView {
  return { pointer: () => `/groups/${name}`, read: (org) => groupOf(org, name) };
}

export function groupOf({ groups = {} }: Pick<Org, 'groups'>, name: string): Group | undefined {
  return Object.hasOwn(groups, name) ? groups[name] : undefined;
}
