import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** Blobs of the code, where the database keeps them, in parts; and those that no branch serves, wherever they are kept. */
export function codeBlobs(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const [number, bytes] = dialect === 'postgres' ? [sql`bigint`, sql`bytea`] : [sql`integer`, sql`blob`];
  return {
    async up(db) {
      await db.schema
        .createTable('code_blobs')
        .addColumn('hash', text, (column) => column.notNull())
        .addColumn('part', 'integer', (column) => column.notNull())
        .addColumn('size', number, (column) => column.notNull())
        .addColumn('bytes', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('code_blobs_key', ['hash', 'part'])
        .execute();
      await db.schema
        .createTable('code_condemned')
        .addColumn('hash', text, (column) => column.primaryKey().notNull())
        .addColumn('since', sql`text`, (column) => column.notNull())
        .addColumn('taken', sql`text`, (column) => column.notNull())
        .execute();
    },
  };
}
