import { text } from '../row.ts';
import type { Query } from '../sql-reads.ts';
import type { Statement } from '../statement.ts';

/** The present by the clock of the database, which all nodes share. */
export async function databaseTime(read: Query): Promise<Date> {
  const [row = {}] = await read(TIME, {});
  return new Date(text(row, 'present'));
}

const TIME: Statement = {
  name: 'database-time',
  sql: `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as present`,
  bind: () => [],
};
