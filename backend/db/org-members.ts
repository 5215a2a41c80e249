import { sql } from 'kysely';
import { referredGroup } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import { slot, storable } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';

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

const ORG = slot<string>('org');
const MEMBERS = slot<string>('members');

/** Bring the rows of an organization's members to a list (a JSON text), whatever their number: those that stay are not touched. */
export function orgMemberStatements(compile: Compile, dialect: Dialect) {
  const listed =
    dialect === 'postgres'
      ? sql<string>`select value from json_array_elements_text(${MEMBERS}::text::json) as listed(value)`
      : sql<string>`select value from json_each(${MEMBERS})`;
  return {
    forgetOrgMembers: compile('forget-org-members', (db) =>
      db
        .deleteFrom('org_members')
        .where('org', '=', ORG)
        .where('member', 'not in', sql<string>`(${listed})`),
    ),
    addOrgMembers: compile('add-org-members', (db) =>
      db
        .insertInto('org_members')
        .columns(['member', 'org'])
        // Without a condition SQLite takes the conflict clause for one of a join.
        .expression(sql`select value, cast(${ORG} as text) from (${listed}) as named where true`)
        .onConflict((conflict) => conflict.doNothing()),
    ),
  };
}
