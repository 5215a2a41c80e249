import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import { membersNamed } from './org-members.ts';
import { document } from './row.ts';
import type { Dialect } from './tables.ts';

type Orgs = { orgs: { org: string; config: string }; org_members: { member: string; org: string } };

/** Organizations are found by who is named in them. */
export function orgMembers(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('org_members')
        .addColumn('member', text, (column) => column.notNull())
        .addColumn('org', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('org_members_key', ['member', 'org'])
        .execute();
      await db.schema.createIndex('org_members_org').on('org_members').column('org').execute();
      await fill(db.withTables<Orgs>());
    },
  };
}

async function fill(db: Kysely<Orgs>): Promise<void> {
  for (let after = ''; ;) {
    const page = await db.selectFrom('orgs').select(['org', 'config']).where('org', '>', after).orderBy('org').limit(ORGS).execute();
    for (const { org, config } of page) {
      const members = membersNamed(document(config));
      for (let from = 0; from < members.length; from += ROWS) {
        const rows = members.slice(from, from + ROWS).map((member) => ({ member, org }));
        await db.insertInto('org_members').values(rows).execute();
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ORGS) return;
    after = last.org;
  }
}

const ORGS = 100;
const ROWS = 400;
