import { sql } from 'kysely';
import type { CreateTableBuilder, Kysely, Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** Secrets of sites, code sync jobs, and the code of branches as it is served. */
export function codeAndSecrets(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      let secrets: CreateTableBuilder<'secrets', string> = db.schema.createTable('secrets');
      for (const column of ['org', 'site', 'name', 'type', 'sealed', 'created', 'last_modified'])
        secrets = secrets.addColumn(column, text, (one) => one.notNull());
      await secrets.addPrimaryKeyConstraint('secrets_key', ['org', 'site', 'name']).execute();

      let jobs: CreateTableBuilder<'code_jobs', string> = db.schema
        .createTable('code_jobs')
        .addColumn('name', text, (one) => one.primaryKey().notNull());
      for (const column of ['key', 'ref', 'state', 'created', 'origin', 'record', 'owner', 'lease_until'])
        jobs = jobs.addColumn(column, text, (one) => one.notNull());
      for (const column of ['attempts', 'again']) jobs = jobs.addColumn(column, 'integer', (one) => one.notNull());
      await jobs.execute();
      await sql`create unique index code_jobs_open on code_jobs (key, ref) where state <> 'stopped'`.execute(db);
      await sql`create index code_jobs_idle on code_jobs (lease_until) where state <> 'stopped'`.execute(db);
      await sql`create index code_jobs_branch on code_jobs (key, ref, created)`.execute(db);

      let branches: CreateTableBuilder<'code_branches', string> = db.schema.createTable('code_branches');
      for (const column of ['key', 'ref', 'branch', 'sha', 'manifest']) branches = branches.addColumn(column, text, (one) => one.notNull());
      await branches.addPrimaryKeyConstraint('code_branches_key', ['key', 'ref']).execute();
      await sql`create index sites_holding_secret on sites (repository) where holds_secret = 1`.execute(db);
    },
  };
}
