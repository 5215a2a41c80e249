import type { Pool } from 'pg';
import { isDamage, storageDamaged, storageReadOnly } from '../storage-error.ts';

export interface Condition {
  /** What an engine said of a statement; damage is remembered, for it stays until somebody mends it. */
  noticed(error: unknown, pool: Pool): void;
  /** Rejects where the database is damaged, as far as it was noticed. */
  requireSound(): void;
}

export function databaseCondition(): Condition {
  let damaged: string | undefined;
  return {
    noticed(error, pool) {
      if (!isDamage(error) || (damaged !== undefined && damaged !== '')) return;
      damaged = '';
      tableOf(error, pool).then(
        (table) => (damaged = table),
        () => undefined,
      );
    },
    requireSound() {
      if (damaged !== undefined) throw storageDamaged(damaged);
    },
  };
}

/** PostgreSQL names the file; the table is the one that it belongs to, be it as an index or for large values. */
async function tableOf(error: unknown, pool: Pool): Promise<string> {
  const [path] = /\bbase\/\d+\/\d+/.exec(error instanceof Error ? error.message : '') ?? [];
  const { rows } = await pool.query<{ name: string }>({ text: TABLE_OF_FILE, values: [path ?? ''] });
  return rows[0]?.name ?? '';
}

const TABLE_OF_FILE = `
select coalesce(indexed.relname, large.relname, file.relname) as name from pg_class as file
left join pg_index on pg_index.indexrelid = file.oid
left join pg_class as indexed on indexed.oid = pg_index.indrelid
left join pg_class as large on large.reltoastrelid = file.oid
where pg_relation_filepath(file.oid) = $1`;

/** Refuses an answer of `WRITABLE`: a replica, or a database that somebody set so. */
export function requireWritable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  if (rows[0]?.['read_only'] !== 'off') throw storageReadOnly();
}
export const WRITABLE = "select current_setting('transaction_read_only') as read_only";
