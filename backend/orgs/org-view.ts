import type { Group } from '@repoless/contract/access.ts';
import type { Org, OrgUser } from '@repoless/contract/org.ts';
import type { View } from '../changes/change.ts';
import type { Context } from '../domain/context.ts';
import type { StoredOrg } from '../domain/ports.ts';
import { unclaimed } from '../access/permit.ts';

export type OrgView = View<Org>;

export const WHOLE_ORG: OrgView = { pointer: '', read: (org) => org };
export const ORG_USERS: OrgView = { pointer: '/users', read: (org) => org.users };
export const ORG_GROUPS: OrgView = { pointer: '/groups', read: (org) => org.groups ?? {} };

export function userView(id: string): OrgView {
  return {
    pointer: '/users',
    pointerIn: (org) => `/users/${org.users.findIndex((user) => user.id === id)}`,
    read: (org) => userOf(org, id),
  };
}

export function userOf(org: Pick<Org, 'users'>, id: string): OrgUser | undefined {
  return org.users.find((user) => user.id === id);
}

export function groupView(name: string): OrgView {
  return { pointer: `/groups/${name}`, read: (org) => groupOf(org, name) };
}

export function groupOf({ groups = {} }: Pick<Org, 'groups'>, name: string): Group | undefined {
  return Object.hasOwn(groups, name) ? groups[name] : undefined;
}

/** The stored organization. Refuses with ORG_NOT_FOUND. */
export async function findOrg(context: Context, org: string): Promise<StoredOrg> {
  const stored = await context.store.reads.org(org);
  if (stored === undefined) throw unclaimed(org, context.caller);
  return stored;
}
