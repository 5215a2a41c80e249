import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** The nodes that hear of changes, each until its lease runs out. The embedded store has one, and needs no such list. */
export function listeners(dialect: Dialect): Migration {
  return {
    async up(db) {
      if (dialect === 'sqlite') return;
      await db.schema
        .createTable('listeners')
        .addColumn('node', 'text', (column) => column.primaryKey().notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('heard_until', sql`timestamptz`, (column) => column.notNull())
        .execute();
    },
  };
}
