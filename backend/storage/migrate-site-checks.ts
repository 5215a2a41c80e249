import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/**
 * What was found at sites, and who looks at an organization's sites. What is kept of a site goes with it, whoever removes it. Of a job, when
 * it ended and whether it failed, to be counted and found by without its record.
 */
export function siteChecks(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db) {
      await sql`create table site_checks (org ${text} not null, site ${text} not null, revision integer not null, state ${text} not null,
        version integer not null, checked_at ${text} not null, service_at ${text}, service_version integer, authoring_at ${text},
        authoring_by ${text}, summary ${text} not null, looks ${text} not null, primary key (org, site))`.execute(db);
      await sql`create table check_rounds (org ${text} not null primary key, due ${text} not null, owner ${text} not null,
        lease_until ${text} not null, since ${text} not null, whole integer not null, again integer not null, done integer not null,
        total integer not null)`.execute(db);
      await db.schema.alterTable('code_jobs').addColumn('ended', text).execute();
      await db.schema
        .alterTable('code_jobs')
        .addColumn('failed', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`create index code_jobs_ended on code_jobs (ended) where ended is not null`.execute(db);
      for (const statement of dialect === 'postgres' ? POSTGRES : SQLITE) await sql.raw(statement).execute(db);
    },
  };
}

const DELETE = 'delete from site_checks where org = old.org and site = old.site;';
const SQLITE = [`create trigger site_checks_of_removed after delete on sites begin ${DELETE} end`];
const POSTGRES = [
  `create function forget_site_check() returns trigger language plpgsql as $$ begin ${DELETE} return null; end $$`,
  'create trigger site_checks_of_removed after delete on sites for each row execute function forget_site_check()',
];
