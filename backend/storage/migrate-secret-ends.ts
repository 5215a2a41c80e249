import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * When a secret ends, where somebody said so. `expires_of` is the writing that said it (its `last_modified`): a value that is written later
 * has no end unless one comes with it, and a program that does not know these columns leaves them as they are.
 */
export function secretEnds(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`alter table secrets add column expires ${text}`.execute(db);
      await sql`alter table secrets add column expires_of ${text}`.execute(db);
    },
  };
}
