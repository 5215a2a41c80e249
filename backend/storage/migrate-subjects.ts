import { sql } from 'kysely';
import type { CreateTableBuilder, Kysely, Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** Profiles and what sites make of them, versions of more than sites, API keys, and the ways to read the audit trail. */
export function profilesAndHistory(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      let profiles: CreateTableBuilder<'profiles', string> = db.schema.createTable('profiles');
      for (const column of ['org', 'profile', 'config', 'etag']) profiles = profiles.addColumn(column, text, (one) => one.notNull());
      await profiles
        .addColumn('version', 'integer', (one) => one.notNull())
        .addPrimaryKeyConstraint('profiles_key', ['org', 'profile'])
        .execute();
      for (const column of ['profile', 'aggregate']) await db.schema.alterTable('sites').addColumn(column, text).execute();
      await sql`create index sites_of_profile on sites (org, profile, site) where profile is not null`.execute(db);

      // A primary key cannot be changed in place on SQLite: the rows move to a new table.
      let versions: CreateTableBuilder<'subject_versions', string> = db.schema.createTable('subject_versions');
      for (const column of ['org', 'kind', 'item']) versions = versions.addColumn(column, text, (one) => one.notNull());
      versions = versions.addColumn('version', 'integer', (one) => one.notNull()).addColumn('created', text, (one) => one.notNull());
      for (const column of ['name', 'changed_by', 'data']) versions = versions.addColumn(column, text);
      await versions
        .addColumn('gone', 'integer', (one) => one.notNull())
        .addPrimaryKeyConstraint('subject_versions_key', ['org', 'kind', 'item', 'version'])
        .execute();
      await sql`insert into subject_versions (org, kind, item, version, created, name, changed_by, data, gone)
        select org, 'site', site, version, created, name, changed_by, data, 0 from versions`.execute(db);
      await db.schema.dropTable('versions').execute();
      await db.schema.alterTable('subject_versions').renameTo('versions').execute();

      let keys: CreateTableBuilder<'api_keys', string> = db.schema
        .createTable('api_keys')
        .addColumn('id', text, (one) => one.primaryKey().notNull())
        .addColumn('description', text);
      for (const column of ['org', 'site', 'roles', 'created', 'created_by', 'expires'])
        keys = keys.addColumn(column, text, (one) => one.notNull());
      await keys.execute();
      await db.schema.createIndex('api_keys_of_site').on('api_keys').columns(['org', 'site', 'created', 'id']).execute();

      await db.schema.createIndex('audit_org').on('audit').columns(['org', 'id']).execute();
      await sql`create index audit_site on audit (org, site, id) where site is not null`.execute(db);
    },
  };
}
