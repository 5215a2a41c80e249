import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { optionalText, text } from './row.ts';
import type { Row } from './row.ts';
import { withShortLocks } from './short-locks.ts';
import type { Dialect } from './tables.ts';

export interface CarriedOut {
  readonly name: string;
  /** The migration that a program must know to use the tables; empty where it need not know any. Undefined where nobody said. */
  readonly needs: string | undefined;
}

export interface MigrationRecord {
  carriedOut(): Promise<readonly CarriedOut[]>;
  keep(db: Kysely<unknown>, name: string, needs: string): Promise<void>;
  /** Makes what can be made only now that all tables are there. */
  complete(): Promise<void>;
}

/**
 * The table of what was carried out, which earlier versions made by Kysely's migrator. What is added to it, and what nodes say of
 * themselves, is no migration: earlier versions refuse tables with one that they do not know, and these are none of their business.
 */
export async function recordOf(
  db: Kysely<unknown>,
  { dialect, table }: { readonly dialect: Dialect; readonly table: string },
): Promise<MigrationRecord> {
  const changed = (name: string, change: (within: Kysely<unknown>) => Promise<void>) =>
    withShortLocks(db, { dialect, what: `The table "${name}"` }, change);
  const nodes = async () =>
    dialect === 'postgres' && (await lacks(db, dialect, 'listeners', 'knows'))
      ? changed('listeners', (within) => addColumn(within, dialect, 'listeners', 'knows'))
      : undefined;
  await sql`create table if not exists ${sql.table(table)} (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  if (await lacks(db, dialect, table, 'needs')) await changed(table, (within) => addColumn(within, dialect, table, 'needs'));
  await nodes();
  return {
    carriedOut: () => carriedOut(db, table),
    async keep(within, name, needs) {
      const now = new Date().toISOString();
      await sql`insert into ${sql.table(table)} (name, timestamp, needs) values (${name}, ${now}, ${needs})`.execute(within);
    },
    complete: nodes,
  };
}

async function carriedOut(db: Kysely<unknown>, table: string): Promise<readonly CarriedOut[]> {
  const { rows } = await sql<Row>`select name, needs from ${sql.table(table)} order by name`.execute(db);
  return rows.map((row) => ({ name: text(row, 'name'), needs: optionalText(row, 'needs') }));
}

/** To add a column takes a lock: a node that starts anew asks first. A table that is not there lacks none. */
async function lacks(db: Kysely<unknown>, dialect: Dialect, table: string, column: string): Promise<boolean> {
  const columns =
    dialect === 'postgres'
      ? sql<{ name: string }>`select attname as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0`
      : sql<{ name: string }>`select name from pragma_table_info(${table})`;
  const { rows } = await columns.execute(db);
  return rows.length > 0 && !rows.some(({ name }) => name === column);
}

async function addColumn(db: Kysely<unknown>, dialect: Dialect, table: string, column: string): Promise<void> {
  const type = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${type}`.execute(db);
}
