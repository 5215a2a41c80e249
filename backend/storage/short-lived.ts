import type { ShortLived } from '#backend/domain/ports.ts';
import { text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

/** Things that end by themselves. In: how to read, and how to execute a durable change. */
export function sqlShortLived(compile: Compile, read: Query, change: Query): ShortLived {
  const statements = shortLivedStatements(compile);
  const now = () => new Date().toISOString();
  return {
    async put(kind, key, value, expires) {
      await change(statements.put, { kind, key, value: JSON.stringify(value), expires: expires.toISOString() });
      await change(statements.purge, { now: now() });
    },
    async get(kind, key) {
      const [row] = await read(statements.get, { kind, key, now: now() });
      return row === undefined ? undefined : JSON.parse(text(row, 'value'));
    },
    async take(kind, key) {
      const [row] = await change(statements.take, { kind, key });
      return row === undefined || text(row, 'expires') <= now() ? undefined : JSON.parse(text(row, 'value'));
    },
  };
}

function shortLivedStatements(compile: Compile) {
  const [kind, key] = [slot<string>('kind'), slot<string>('key')];
  const row = { kind, key, value: slot<string>('value'), expires: slot<string>('expires') };
  return {
    put: compile('short-lived-put', (db) =>
      db
        .insertInto('short_lived')
        .values(row)
        .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ value: row.value, expires: row.expires })),
    ),
    get: compile('short-lived-get', (db) =>
      db
        .selectFrom('short_lived')
        .select('value')
        .where('kind', '=', kind)
        .where('key', '=', key)
        .where('expires', '>', slot<string>('now')),
    ),
    take: compile('short-lived-take', (db) =>
      db.deleteFrom('short_lived').where('kind', '=', kind).where('key', '=', key).returning(['value', 'expires']),
    ),
    purge: compile('short-lived-purge', (db) => db.deleteFrom('short_lived').where('expires', '<=', slot<string>('now'))),
  };
}
