import pg from 'pg';

/** Rows keep their numbers and are inserted in that order. */
export const NUMBERED = ['audit', 'events'];

/**
 * Inserts rows of the embedded database into the table of the same name. In: rows that all have the same columns. Rejects with a sentence where
 * not every one came into it. Out: how many they were.
 */
export async function insertRows(client: pg.Client, table: string, rows: Iterable<Record<string, unknown>>): Promise<number> {
  let [batch, size]: [Record<string, unknown>[], number] = [[], 0];
  let [given, taken] = [0, 0];
  const store = async () => {
    const [first] = batch;
    if (first !== undefined) taken += (await client.query(insertInto(table, Object.keys(first)), [JSON.stringify(batch)])).rowCount ?? 0;
    given += batch.length;
    [batch, size] = [[], 0];
  };
  for (const row of rows) {
    const values = Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? hexadecimal(value) : value] as const);
    batch.push(Object.fromEntries(values));
    size += values.reduce<number>((sum, [, value]) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (batch.length >= ROWS || size >= CHARACTERS) await store();
  }
  await store();
  // The database may have triggers or policies that its owner added.
  if (taken !== given)
    throw new Error(
      `Of ${given} rows of "${table}" ${taken} arrived in the PostgreSQL database, so nothing was moved. Continue with the embedded one.`,
    );
  return given;
}

function insertInto(table: string, columns: readonly string[]): string {
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ');
  const [own, order] = NUMBERED.includes(table) ? ['overriding system value', 'order by id'] : ['', ''];
  return `insert into ${pg.escapeIdentifier(table)} (${names}) ${own}
    select ${names} from json_populate_recordset(null::${pg.escapeIdentifier(table)}, $1::json) ${order}`;
}

/** As PostgreSQL writes bytes as text. */
function hexadecimal(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

const ROWS = 500;
const CHARACTERS = 4_000_000;
