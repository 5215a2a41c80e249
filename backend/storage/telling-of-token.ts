import { sql } from 'kysely';
import type { InsertQueryBuilder, Kysely } from 'kysely';
import { payloadOf } from './news.ts';
import { slot } from './statement.ts';
import type { Tables } from './tables.ts';

/**
 * An insert that changes what nodes keep ready of a token: the others are told with the same commit, and then the mark.
 * In: the insert, which returns what the change is known by as `key`.
 */
export function tellingOfToken<T extends keyof Tables>(
  db: Kysely<Tables>,
  insert: InsertQueryBuilder<Tables, T, { key: string }>,
  channel: string,
) {
  return db
    .with('stored', () => insert)
    .selectFrom('stored')
    .select([
      sql`pg_notify(${sql.lit(channel)}, ${sql.lit(payloadOf({ kind: 'token', id: '' }))} || key)`.as('told'),
      sql`pg_notify(${sql.lit(channel)}, ${slot<string>('mark')})`.as('marked'),
    ]);
}
