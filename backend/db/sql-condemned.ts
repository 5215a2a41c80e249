import { sql } from 'kysely';
import type { CondemnedBlobs } from '../code/rules/ports.ts';
import { text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { type Args, type Compile, slot, type Statement } from './statement.ts';
import type { Dialect } from './tables.ts';

/** Which blobs are condemned, on either engine. Each call is one statement, or begins with the one that decides. */
export function sqlCondemned(compile: Compile, read: Query, change: Query, dialect: Dialect): CondemnedBlobs {
  const statements = condemnedStatements(compile, dialect);
  const names = async (query: Query, statement: Statement, args: Args) => (await query(statement, args)).map((row) => text(row, 'hash'));
  // Sorted, so that two nodes do not wait for each other's rows.
  const list = (hashes: readonly string[]) => JSON.stringify(hashes.toSorted());
  return {
    async condemn(hashes, now) {
      if (hashes.length > 0) await change(statements.condemn, { hashes: list(hashes), now: now.toISOString() });
    },
    async rescue(hashes) {
      if (hashes.length === 0) return [];
      await change(statements.rescue, { hashes: list(hashes) });
      return await names(read, statements.held, { hashes: list(hashes) });
    },
    due: (before, after, limit) => names(read, statements.due, { before: before.toISOString(), after, limit }),
    async take(hashes, before, now) {
      if (hashes.length === 0) return [];
      return await names(change, statements.take, { hashes: list(hashes), before: before.toISOString(), now: now.toISOString() });
    },
    async removed(hashes) {
      if (hashes.length > 0) await change(statements.removed, { hashes: list(hashes) });
    },
    async giveUp(before) {
      await change(statements.giveUp, { before: before.toISOString() });
    },
  };
}

function condemnedStatements(compile: Compile, dialect: Dialect) {
  // A list of any length is one value, so that a statement stays the same.
  const given = slot<string>('hashes');
  const listed = dialect === 'sqlite' ? sql`json_each(${given})` : sql`json_array_elements_text(cast(${given} as json)) as given(value)`;
  const among = sql<boolean>`hash in (select value from ${listed})`;
  const now = slot<string>('now');
  const before = slot<string>('before');
  return {
    // "where true" keeps SQLite from taking "on" for the condition of a join.
    condemn: compile('condemn-blobs', (db) =>
      db
        .insertInto('code_condemned')
        .columns(['hash', 'since', 'taken'])
        .expression(sql`select value, cast(${now} as text), '' from ${listed} where true`)
        .onConflict((conflict) => conflict.doNothing()),
    ),
    rescue: compile('rescue-blobs', (db) => db.deleteFrom('code_condemned').where('taken', '=', '').where(among)),
    held: compile('held-blobs', (db) => db.selectFrom('code_condemned').select('hash').where('taken', '<>', '').where(among)),
    due: compile('due-blobs', (db) =>
      db
        .selectFrom('code_condemned')
        .select('hash')
        .where('taken', '=', '')
        .where('since', '<=', before)
        .where('hash', '>', slot<string>('after'))
        .orderBy('hash')
        .limit(slot<number>('limit')),
    ),
    take: compile('take-blobs', (db) =>
      db
        .updateTable('code_condemned')
        .set({ taken: now })
        .where('taken', '=', '')
        .where('since', '<=', before)
        .where(among)
        .returning('hash'),
    ),
    removed: compile('removed-blobs', (db) => db.deleteFrom('code_condemned').where('taken', '<>', '').where(among)),
    giveUp: compile('give-up-blobs', (db) => db.deleteFrom('code_condemned').where('taken', '<>', '').where('taken', '<', before)),
  };
}
