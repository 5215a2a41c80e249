import type { Database as Connection } from 'better-sqlite3';
import pg from 'pg';
import { beginTrails } from './begin-trails.ts';
import { insertRows, NUMBERED } from './insert-rows.ts';
import { copiedTables, intoPostgres, tablesOf } from './into-postgres.ts';

/**
 * Brings to PostgreSQL what changed in the embedded database since a snapshot was copied, in one transaction, and then to the snapshot, which
 * is like both after that. In: a connection to the database, which nobody writes meanwhile, and the file of the snapshot, which has no triggers.
 * Out: the number of rows.
 */
export async function copyChanges(address: string, live: Connection, snapshot: string): Promise<number> {
  live.prepare('attach ? as before').run(snapshot);
  try {
    let changed = 0;
    const copied = copiedTables(live);
    await intoPostgres(address, async (client) => {
      for (const table of copied) changed += await removeGone(client, live, table);
      await beginTrails(client, live);
      for (const table of copied) {
        const { added } = differencesOf(live, table);
        const order = NUMBERED.includes(table) ? 'order by id' : '';
        changed += await insertRows(client, table, live.prepare<[], Record<string, unknown>>(`select one.* ${added} ${order}`).iterate());
      }
    });
    live.transaction(() => {
      for (const table of tablesOf(live)) {
        const { added, gone } = differencesOf(live, table);
        live.prepare(`delete from before."${table}" where rowid in (select one.rowid ${gone})`).run();
        live.prepare(`insert into before."${table}" select one.* ${added}`).run();
      }
    })();
    return changed;
  } finally {
    live.exec('detach before');
  }
}

/** A row that has another value now is removed, and inserted anew. */
async function removeGone(client: pg.Client, live: Connection, table: string): Promise<number> {
  const { gone, keys } = differencesOf(live, table);
  const names = keys.map((name) => pg.escapeIdentifier(name)).join(', ');
  const name = pg.escapeIdentifier(table);
  const rows = live.prepare<[], Record<string, unknown>>(`select ${keys.map((key) => `one."${key}"`).join(', ')} ${gone}`).all();
  for (let begun = 0; begun < rows.length; begun += ROWS)
    await client.query(`delete from ${name} where (${names}) in (select ${names} from json_populate_recordset(null::${name}, $1::json))`, [
      JSON.stringify(rows.slice(begun, begun + ROWS)),
    ]);
  return rows.length;
}

/** The rows that one of both has and the other has not, found by their keys. */
function differencesOf(
  live: Connection,
  table: string,
): { readonly added: string; readonly gone: string; readonly keys: readonly string[] } {
  const columns = live.prepare<[string], { name: string; pk: number }>('select name, pk from pragma_table_info(?)').all(table);
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  // What is named after the hash of its bytes has others under another name.
  const compared = columns.filter(({ name, pk }) => pk === 0 && !(table === 'code_blobs' && name === 'bytes'));
  const isSame = [
    ...keys.map((key) => `other."${key}" = one."${key}"`),
    ...compared.map(({ name }) => `other."${name}" is one."${name}"`),
  ].join(' and ');
  const only = (side: string, others: string) =>
    `from ${side}."${table}" as one where not exists (select 1 from ${others}."${table}" as other where ${isSame})`;
  return { added: only('main', 'before'), gone: only('before', 'main'), keys };
}

const ROWS = 500;
