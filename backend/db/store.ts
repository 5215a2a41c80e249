import { type RawBuilder, sql } from 'kysely';
import { checkStore, siteCheckReads, siteCheckWrites } from '../checks/check-queries.ts';
import { branchStore, blobStorage, condemnedBlobs } from '../code/branch-queries.ts';
import { jobStore } from '../code/job-queries.ts';
import type { KnownNode, Reads, SessionEndStore, ShortLived, ShortLivedKind, Store, Writes } from '../domain/ports.ts';
import { causeWrites } from '../events/cause-queries.ts';
import { eventStore, subscriptionReads, subscriptionWrites } from '../events/event-queries.ts';
import { hostedDocuments } from '../hosted/document-queries.ts';
import { auditReads, auditWrites, versionReads, versionWrites } from '../history/history-queries.ts';
import { overview } from '../operators/overview-queries.ts';
import { orgReads, orgWrites, profileReads, profileWrites } from '../orgs/org-queries.ts';
import { rolloutReads, rolloutStore, rolloutWrites } from '../rollouts/rollout-queries.ts';
import { secretReads, secretWrites, apiKeyReads, apiKeyWrites } from '../secrets/secret-queries.ts';
import { contentRootReads, contentRootWrites, siteReads, siteWrites } from '../sites/site-queries.ts';
import { type Database, listed, MAX_CLOCK_SKEW, type Query, type WriteQueries } from './queries.ts';
import type { ExclusiveUse } from './sqlite/connect.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { payloadOf } from './transactions.ts';

export interface StoreOptions {
  /** Folder of the embedded store; created if it is missing. */
  readonly dataDir: string;
  /** A postgres address, of one server or several; without it the embedded store is used. */
  readonly databaseUrl?: string;
  readonly maxPages?: number;
  /** For the service: two services must not open the embedded store at the same time. Not used on PostgreSQL. */
  readonly exclusive?: ExclusiveUse;
  /** Receives errors outside of calls, e.g. a lost connection. Never contains a secret. */
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
  /**
   * A write that starts another one is refused instead of waiting for itself. For tests: on Node.js 20, following the call from which a
   * write comes costs every request of the program about a tenth of its time.
   */
  readonly refusesNested?: boolean;
}

export function readsOn(query: Query): Reads {
  return {
    ...orgReads(query),
    ...siteReads(query),
    ...contentRootReads(query),
    ...profileReads(query),
    ...versionReads(query),
    ...auditReads(query),
    ...apiKeyReads(query),
    ...secretReads(query),
    ...subscriptionReads(query),
    ...siteCheckReads(query),
    ...rolloutReads(query),
  };
}

export function writesOn(write: WriteQueries): Writes {
  return {
    ...readsOn(write.rows),
    ...orgWrites(write),
    ...siteWrites(write),
    ...contentRootWrites(write),
    ...profileWrites(write),
    ...versionWrites(write),
    ...auditWrites(write),
    ...apiKeyWrites(write),
    ...secretWrites(write),
    ...subscriptionWrites(write),
    ...causeWrites(write),
    ...siteCheckWrites(write),
    ...rolloutWrites(write),
  };
}

type Stores =
  'reads' | 'shortLived' | 'sessionEnds' | 'code' | 'checks' | 'rollouts' | 'overview' | 'blobs' | 'condemned' | 'events' | 'hosted';

/** The same on both engines. `nodes`: the programs that use the storage, as known to the engine. */
export function storesOn(database: Database, nodes: () => Promise<readonly KnownNode[]>): Pick<Store, Stores> {
  return {
    reads: readsOn(database.read),
    shortLived: shortLived(database),
    sessionEnds: sessionEnds(database),
    code: { shared: database.dialect === 'postgres', ...jobStore(database), ...branchStore(database) },
    checks: checkStore(database),
    rollouts: rolloutStore(database),
    overview: overview(database, nodes),
    blobs: blobStorage(database),
    condemned: condemnedBlobs(database),
    events: eventStore(database),
    hosted: hostedDocuments(database),
  };
}

interface Stored {
  readonly value: string;
}

/** Entries that expire by themselves. */
export function shortLived(database: Database): ShortLived {
  const { dialect, read, change, announce } = database;
  const now = () => new Date().toISOString();
  // Late enough for all nodes: what has expired by this clock may be valid by that of another.
  const purge = () => change(sql`delete from short_lived where expires <= ${new Date(Date.now() - MAX_CLOCK_SKEW).toISOString()}`);
  const isOf = (kind: ShortLivedKind, key: string) => sql`kind = ${kind} and key = ${key}`;
  const hasPrefix = (prefix: string) => sql`substr(key, 1, ${prefix.length}) = ${prefix}`;
  const replace = sql`on conflict (kind, key) do update set value = excluded.value, expires = excluded.expires`;
  const inserted = (kind: ShortLivedKind, key: string, value: unknown, expires: Date) =>
    sql`insert into short_lived (kind, key, value, expires) values (${kind}, ${key}, ${JSON.stringify(value)}, ${expires.toISOString()}) ${replace}`;
  return {
    async put(kind, key, value, expires) {
      const put = inserted(kind, key, value, expires);
      if (kind === 'revoked-token') {
        await change(notifyingOfToken(database, put));
        announce({ kind: 'token', id: key });
      } else await change(put);
      await purge();
    },
    async putAll(kind, keys, value, expires) {
      await change(sql`insert into short_lived (kind, key, value, expires)
        select cast(${kind} as text), listed.value, cast(${JSON.stringify(value)} as text), cast(${expires.toISOString()} as text)
        from ${listed(dialect, [...new Set(keys)])} where true ${replace}`);
      await purge();
    },
    async add(kind, key, value, expires) {
      await purge();
      return (await change(sql`${inserted(kind, key, value, expires)} where short_lived.expires <= ${now()} returning key`)).length > 0;
    },
    async list(kind, prefix) {
      const rows = await read(
        sql<Stored>`select value from short_lived where kind = ${kind} and ${hasPrefix(prefix)} and expires > ${now()}`,
      );
      return rows.map(({ value }): unknown => JSON.parse(value));
    },
    async count(kind) {
      const [row] = await read(
        sql<{ count: number }>`select count(*) as count from short_lived where kind = ${kind} and expires > ${now()}`,
      );
      return row?.count ?? 0;
    },
    async get(kind, key) {
      const [row] = await read(sql<Stored>`select value from short_lived where ${isOf(kind, key)} and expires > ${now()}`);
      return row && JSON.parse(row.value);
    },
    async retainLatest(kind, limit, prefix = '') {
      await change(sql`delete from short_lived where kind = ${kind} and key in (select key from short_lived
        where kind = ${kind} and ${hasPrefix(prefix)} order by expires desc, key limit ${sql.lit(AT_ONCE)} offset ${limit})`);
    },
    async displace(kind, share) {
      const length =
        typeof share === 'number' ? sql`${share}` : dialect === 'sqlite' ? sql`instr(key, ${share})` : sql`strpos(key, ${share})`;
      const places = sql`row_number() over (partition by substr(key, 1, ${length}) order by expires desc, key)`;
      await change(sql`delete from short_lived where kind = ${kind} and key in (select key from (
          select key, expires, ${places} as place from short_lived where kind = ${kind} and expires > ${now()}
        ) as ranked order by place desc, expires, key limit ${sql.lit(DISPLACED)})`);
    },
    async take(kind, key) {
      const [row] = await change(
        sql<Stored & { expires: string }>`delete from short_lived where ${isOf(kind, key)} returning value, expires`,
      );
      return row === undefined || row.expires <= now() ? undefined : JSON.parse(row.value);
    },
  };
}

export function sessionEnds(database: Database): SessionEndStore {
  const { read, change, announce } = database;
  return {
    async last(person) {
      return (await read(sql<{ ended: number }>`select ended from session_ends where person = ${person}`))[0]?.ended ?? 0;
    },
    // If two end them at once, or a clock was set back, each is later than the one before.
    async end(person, now) {
      const put = sql`insert into session_ends (person, ended) values (${person}, ${now.getTime()}) on conflict (person) do update
        set ended = case when session_ends.ended < excluded.ended then excluded.ended else session_ends.ended + 1 end`;
      await change(notifyingOfToken(database, put, 'person'));
      announce({ kind: 'token', id: person });
    },
  };
}

/**
 * An insert that changes what nodes have cached of a token: the other nodes are notified with the commit. `key`: the column that identifies
 * it.
 */
function notifyingOfToken({ channel }: Database, put: RawBuilder<unknown>, key: 'key' | 'person' = 'key'): RawBuilder<unknown> {
  if (channel === undefined) return put;
  const payload = sql`${sql.lit(payloadOf({ kind: 'token', id: '' }))} || ${sql.ref(key)}`;
  return sql`with stored as (${put} returning ${sql.ref(key)}) select pg_notify(${sql.lit(channel)}, ${payload}) as notified from stored`;
}

/** Rows removed at once, and those displaced. */
const AT_ONCE = 1000;
const DISPLACED = 100;
