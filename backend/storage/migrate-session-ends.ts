import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** When all sessions of a person were ended last. */
export function sessionEnds(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    async up(db) {
      await db.schema
        .createTable('session_ends')
        .addColumn('person', text, (column) => column.primaryKey().notNull())
        .addColumn('ended', number, (column) => column.notNull())
        .execute();
    },
  };
}
