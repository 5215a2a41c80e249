import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Repositories of the code host are found by their names in small letters. Nothing that is stored changes; the indexes of the names as they
 * are spelled stay for the programs that do not know these. Sites without a repository are in these as well: where a condition was needed to use
 * them, SQLite would take one of the older ones for it.
 */
export function repositoryKeys(dialect: Dialect): MarkedMigration {
  const concurrently = dialect === 'postgres' ? sql`concurrently` : sql``;
  const key = sql`(case when substr(repository, 1, 7) = 'github:' then lower(repository) else repository end)`;
  return {
    mark: 'expand',
    inPieces: true,
    async up(db) {
      await sql`drop index ${concurrently} if exists sites_repository_key_org`.execute(db);
      await sql`create index ${concurrently} sites_repository_key_org on sites (${key}, org)`.execute(db);
      await sql`drop index ${concurrently} if exists sites_org_repository_key`.execute(db);
      await sql`create index ${concurrently} sites_org_repository_key on sites (org, ${key})`.execute(db);
    },
  };
}
