import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * The organization that began a code sync, and whether others asked for it too. What a program writes that does not know these columns is
 * a sync of nobody in particular, as all were before.
 */
export function beginnersOfJobs(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`alter table code_jobs add column begun_by ${text}`.execute(db);
      await sql`alter table code_jobs add column joined integer not null default 0`.execute(db);
    },
  };
}
