import { MIGRATED } from '@repoless/service/db/migrate.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import type pg from 'pg';
import { z } from 'zod';

const Row = z.record(z.string(), z.unknown());
type Row = z.infer<typeof Row>;

/** The tables of an embedded database, with every row of each. */
export function embeddedRows(file: string): Map<string, Row[]> {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const names = db
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
      .pluck()
      .all();
    return new Map(names.filter((name) => name !== MIGRATED).map((name) => [name, db.prepare<[], Row>(`select * from "${name}"`).all()]));
  } finally {
    db.close();
  }
}

/** PostgreSQL counts an organization's storage in several rows, one per writer. */
const ALL_SHARDS = `select org, 0 as shard, sum(sites)::int as sites, sum(versions)::int as versions, sum(bytes)::int as bytes,
  sum(secrets)::int as secrets, sum(api_keys)::int as api_keys from org_usage group by org`;

/** Every row that only one database has, with its table; a row with a different value is named twice. */
export async function differences(embedded: ReadonlyMap<string, readonly Row[]>, postgres: pg.ClientBase): Promise<string[]> {
  const found: string[] = [];
  for (const [table, rows] of embedded) {
    const rowsOf = table === 'org_usage' ? `(${ALL_SHARDS})` : `"${table}"`;
    const { rows: there } = await postgres.query<{ row: unknown }>(`select row_to_json(one) as row from ${rowsOf} as one`);
    const [before, after] = [counted(rows), counted(there.map(({ row }) => Row.parse(row)))];
    for (const [row, count] of before) if ((after.get(row) ?? 0) < count) found.push(`${table} lacks ${row}`);
    for (const [row, count] of after) if ((before.get(row) ?? 0) < count) found.push(`${table} has besides ${row}`);
  }
  return found;
}

function counted(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const values = Object.entries(row).map(([name, value]) => [name, plain(value)] as const);
    const text = JSON.stringify(values.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** Converts bytes to PostgreSQL's notation in JSON. */
function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
