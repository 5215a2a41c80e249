import { sql } from 'kysely';
import type { InsertQueryBuilder, Kysely, RawBuilder } from 'kysely';
import type { SessionEndStore, ShortLived, ShortLivedKind } from '../domain/short-lived.ts';
import { CLOCKS_APART } from './clocks-apart.ts';
import { payloadOf } from './change-notifier.ts';
import type { Change } from './change-notifier.ts';
import { serial, text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Tables } from './tables.ts';

/** What stores something that nodes may have ready. */
export interface TellingEngine {
  readonly read: Query;
  /** Executes a durable change. */
  readonly change: Query;
  /** Stores what nodes may have cached, and announces it on this one. */
  tell(change: Change, store: () => Promise<unknown>): Promise<void>;
  /** Where the other nodes are told, in the same transaction: of PostgreSQL alone. */
  readonly channel?: string;
}

/** Things that end by themselves. */
export function sqlShortLived(compile: Compile, { read, change, tell, channel }: TellingEngine): ShortLived {
  const statements = shortLivedStatements(compile, channel);
  const now = () => new Date().toISOString();
  // Late enough for each node: what ended by this clock may hold by that of another one.
  const purge = () => change(statements.purge, { before: new Date(Date.now() - CLOCKS_APART).toISOString() });
  return {
    async put(kind, key, value, expires) {
      const row = { kind, key, value: JSON.stringify(value), expires: expires.toISOString() };
      if (kind === REVOKED) await tell({ kind: 'token', id: key }, () => change(statements.revoke, row));
      else await change(statements.put, row);
      await purge();
    },
    async putAll(kind, keys, value, expires) {
      const row = { kind, keys: JSON.stringify([...new Set(keys)]), value: JSON.stringify(value), expires: expires.toISOString() };
      await change(statements.putAll, row);
      await purge();
    },
    async add(kind, key, value, expires) {
      await purge();
      const row = { kind, key, value: JSON.stringify(value), expires: expires.toISOString(), now: now() };
      return (await change(statements.add, row)).length > 0;
    },
    async list(kind, prefix) {
      const rows = await read(statements.list, { kind, prefix, length: prefix.length, now: now() });
      return rows.map((row): unknown => JSON.parse(text(row, 'value')));
    },
    async count(kind) {
      const [row] = await read(statements.count, { kind, now: now() });
      return Number(row?.['count'] ?? 0);
    },
    async get(kind, key) {
      const [row] = await read(statements.get, { kind, key, now: now() });
      return row === undefined ? undefined : JSON.parse(text(row, 'value'));
    },
    async keepLatest(kind, most, prefix = '') {
      await change(statements.keepLatest, { kind, most, prefix, length: prefix.length });
    },
    async displace(kind, share) {
      const statement = typeof share === 'number' ? statements.displace : statements.displaceUntil;
      await change(statement, { kind, share, now: now() });
    },
    async take(kind, key) {
      const [row] = await change(statements.take, { kind, key });
      return row === undefined || text(row, 'expires') <= now() ? undefined : JSON.parse(text(row, 'value'));
    },
  };
}

export function sqlSessionEnds(compile: Compile, { read, change, tell, channel }: TellingEngine): SessionEndStore {
  // Of two that end them at once, and where a clock was set back, each is later than the one before.
  const put = (db: Kysely<Tables>) =>
    db
      .insertInto('session_ends')
      .values({ person: slot<string>('person'), ended: slot<number>('now') })
      .onConflict((conflict) =>
        conflict.column('person').doUpdateSet({
          ended: sql<number>`case when session_ends.ended < excluded.ended then excluded.ended else session_ends.ended + 1 end`,
        }),
      )
      .returning('person as key');
  const statements = {
    end: compile('session-ends-put', (db) => (channel === undefined ? put(db) : tellingOfToken(db, put(db), channel))),
    last: compile('session-ends-last', (db) => db.selectFrom('session_ends').select('ended').where('person', '=', slot<string>('person'))),
  };
  return {
    async last(person) {
      const [row] = await read(statements.last, { person });
      return row === undefined ? 0 : serial(row, 'ended');
    },
    end: (person, now) => tell({ kind: 'token', id: person }, () => change(statements.end, { person, now: now.getTime() })),
  };
}

function shortLivedStatements(compile: Compile, channel: string | undefined) {
  const [kind, key] = [slot<string>('kind'), slot<string>('key')];
  const row = { kind, key, value: slot<string>('value'), expires: slot<string>('expires') };
  const keys = slot<string>('keys');
  // PostgreSQL has a channel by which nodes are told.
  const listed =
    channel === undefined ? sql`json_each(${keys}) as listed` : sql`json_array_elements_text(cast(${keys} as json)) as listed(value)`;
  const put = (db: Kysely<Tables>) =>
    db
      .insertInto('short_lived')
      .values(row)
      .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ value: row.value, expires: row.expires }));
  return {
    put: compile('short-lived-put', put),
    putAll: compile('short-lived-put-all', (db) =>
      db
        .insertInto('short_lived')
        .columns(['kind', 'key', 'value', 'expires'])
        .expression(
          sql`select cast(${kind} as text), listed.value, cast(${row.value} as text), cast(${row.expires} as text) from ${listed} where true`,
        )
        .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ value: row.value, expires: row.expires })),
    ),
    revoke: compile('short-lived-revoke', (db) =>
      channel === undefined ? put(db) : tellingOfToken(db, put(db).returning('key'), channel),
    ),
    add: compile('short-lived-add', (db) =>
      db
        .insertInto('short_lived')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'key'])
            .doUpdateSet({ value: row.value, expires: row.expires })
            .where('short_lived.expires', '<=', slot<string>('now')),
        )
        .returning('key'),
    ),
    list: compile('short-lived-list', (db) =>
      db
        .selectFrom('short_lived')
        .select('value')
        .where('kind', '=', kind)
        .where(sql`substr(key, 1, ${slot<number>('length')})`, '=', slot<string>('prefix'))
        .where('expires', '>', slot<string>('now')),
    ),
    count: compile('short-lived-count', (db) =>
      db
        .selectFrom('short_lived')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('kind', '=', kind)
        .where('expires', '>', slot<string>('now')),
    ),
    get: compile('short-lived-get', (db) =>
      db
        .selectFrom('short_lived')
        .select('value')
        .where('kind', '=', kind)
        .where('key', '=', key)
        .where('expires', '>', slot<string>('now')),
    ),
    keepLatest: compile('short-lived-keep-latest', (db) =>
      db
        .deleteFrom('short_lived')
        .where('kind', '=', kind)
        .where(
          sql<boolean>`key in (select key from short_lived where kind = ${kind}
            and substr(key, 1, ${slot<number>('length')}) = ${slot<string>('prefix')}
            order by expires desc, key limit ${sql.lit(AT_ONCE)} offset ${slot<number>('most')})`,
        ),
    ),
    displace: compile('short-lived-displace', (db) => displace(db, slot<number>('share'))),
    displaceUntil: compile('short-lived-displace-until', (db) =>
      displace(db, channel === undefined ? sql`instr(key, ${slot<string>('share')})` : sql`strpos(key, ${slot<string>('share')})`),
    ),
    take: compile('short-lived-take', (db) =>
      db.deleteFrom('short_lived').where('kind', '=', kind).where('key', '=', key).returning(['value', 'expires']),
    ),
    purge: compile('short-lived-purge', (db) => db.deleteFrom('short_lived').where('expires', '<=', slot<string>('before'))),
  };
}

/** In: how many characters at the beginning of a key say whose share it is of. */
function displace(db: Kysely<Tables>, length: RawBuilder<unknown> | number) {
  const kind = slot<string>('kind');
  const places = sql`row_number() over (partition by substr(key, 1, ${length}) order by expires desc, key)`;
  return db
    .deleteFrom('short_lived')
    .where('kind', '=', kind)
    .where(
      sql<boolean>`key in (select key from (
          select key, expires, ${places} as place from short_lived where kind = ${kind} and expires > ${slot<string>('now')}
        ) as ranked order by place desc, expires, key limit ${sql.lit(DISPLACED)})`,
    );
}

/** An insert that changes what nodes have cached of a token: the others hear of it with the commit. In: the insert, which returns that as `key`. */
function tellingOfToken<T extends keyof Tables>(
  db: Kysely<Tables>,
  insert: InsertQueryBuilder<Tables, T, { key: string }>,
  channel: string,
) {
  return db
    .with('stored', () => insert)
    .selectFrom('stored')
    .select(sql`pg_notify(${sql.lit(channel)}, ${sql.lit(payloadOf({ kind: 'token', id: '' }))} || key)`.as('told'));
}

/** Rows that are forgotten at once, and those that make room. */
const AT_ONCE = 1000;
const DISPLACED = 100;

const REVOKED = 'revoked-token' satisfies ShortLivedKind;
