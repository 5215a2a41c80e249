import { referredGroup } from '#contract/access.ts';
import type { Org } from '#contract/org.ts';
import { storable } from './statement.ts';

type Lists = Partial<Pick<Org, 'users' | 'groups'>>;

/**
 * Everybody whom the users and groups of an organization name, lower-cased and once each. Whether that comes to a role is
 * not looked at: an organization is found by more names than have one.
 */
export function membersNamed({ users = [], groups = {} }: Lists): string[] {
  const entries = [...users, ...Object.values(groups).flatMap(({ members }) => members)].map(({ email }) => email);
  const names = entries.filter((entry) => entry !== '*' && referredGroup(entry) === undefined);
  return [...new Set(names.map((name) => String(storable(name.toLowerCase()))))];
}
