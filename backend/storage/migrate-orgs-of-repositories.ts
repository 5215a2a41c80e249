import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Which organizations have sites on a repository, without a look at all of these sites. The index that it takes the place of has its first
 * column alone, so that a program that does not know it misses nothing.
 */
export function orgsOfRepositories(dialect: Dialect): MarkedMigration {
  const concurrently = dialect === 'postgres' ? sql`concurrently` : sql``;
  return {
    mark: 'expand',
    inPieces: true,
    async up(db) {
      await sql`drop index ${concurrently} if exists sites_repository_org`.execute(db);
      await sql`create index ${concurrently} sites_repository_org on sites (repository, org) where repository is not null`.execute(db);
      await sql`drop index ${concurrently} if exists sites_repository`.execute(db);
    },
  };
}
