import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** Where the seals of audit trails are; the service makes those of the trails that are there when it has its keys. */
export function auditSeals(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    async up(db) {
      await db.schema
        .createTable('audit_seals')
        .addColumn('org', text, (column) => column.primaryKey().notNull())
        .addColumn('since', number, (column) => column.notNull())
        .addColumn('entry', number, (column) => column.notNull())
        .addColumn('hash', text, (column) => column.notNull())
        .addColumn('key', text, (column) => column.notNull())
        .addColumn('seal', text, (column) => column.notNull())
        .execute();
    },
  };
}
