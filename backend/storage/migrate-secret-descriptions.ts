import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';

/** What people are told a secret is for. A program that does not know the column leaves it as it is. */
export function secretDescriptions(): MarkedMigration {
  return {
    mark: 'expand',
    async up(db) {
      await sql`alter table secrets add column description text`.execute(db);
    },
  };
}
