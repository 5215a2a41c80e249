import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import pg, { type Pool } from 'pg';
import { Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { isRecent } from '../../domain/change-aware-cache.ts';
import type { Store } from '../../domain/ports.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import { once } from '../migrate.ts';
import { compilerFor, type Database, type Query, tracedStatements } from '../queries.ts';
import { isDamage, storageDamaged, storageError, storageReadOnly, isReadTimeout } from '../storage-error.ts';
import { type StoreOptions, storesOn } from '../store.ts';
import { changeOf, createChangeNotifier, transactions } from '../transactions.ts';
import { connections, migratePostgres, queryOn, READ_TIMEOUT, withDeadline, databaseServers, type Servers } from './connections.ts';
import { postgresTransactions } from './transaction.ts';

/** The store of a deployment with many nodes, which notify each other of changes by LISTEN and NOTIFY. */
export async function openPostgres(
  databaseUrl: string,
  { log = () => undefined, tracing = NO_TRACING, refusesNested }: Pick<StoreOptions, 'log' | 'tracing' | 'refusesNested'>,
): Promise<Store> {
  const servers = databaseServers(databaseUrl);
  await servers.probe();
  await migratePostgres(servers.address());
  const condition = databaseCondition();
  const pools = connections(servers, { log, noticed: condition.noticed });
  const compile = compilerFor('postgres');
  const traced = tracedStatements(tracing, 'postgresql');
  // Safe: a query declares the type of its rows.
  const within = (deadline?: number) =>
    (async (query) => {
      const statement = compile(query);
      const { name, sql: text, parameters } = statement;
      return await traced(statement, async () => {
        try {
          const { rows } = await pools.run((pool) => queryOn(pool, withDeadline({ name, text, values: [...parameters] }, deadline)));
          return rows;
        } catch (error) {
          throw storageError(error);
        }
      });
    }) as Query;
  const [read, change] = [within(READ_TIMEOUT), within()];
  const notifier = createChangeNotifier();
  const node = randomBytes(8).toString('hex');
  const listener = await listen({
    servers,
    channel: CHANNEL,
    node,
    process: process.pid,
    onNotification(payload) {
      // Including its own changes: a write whose answer was lost may have been stored, or may still be.
      const notified = changeOf(payload);
      if (notified !== undefined) notifier.changed(notified);
    },
    renew: pools.renew,
    log,
  }).catch(async (error: unknown) => {
    await pools.close();
    throw error;
  });
  const writing = transactions(postgresTransactions({ pools, compile, channel: CHANNEL, traced }), {
    announce: notifier.changed,
    traced,
    refusesNested,
  });
  const database: Database = { dialect: 'postgres', read, change, announce: notifier.changed, channel: CHANNEL };
  const nodes = async () => {
    const { rows } = await pools.run((pool) => pool.query<KnownNodeRow>(withDeadline(KNOWN_NODES, READ_TIMEOUT)));
    return rows.map((row) => ({ name: row.name, self: row.node === node, running: row.listening }));
  };
  return {
    ...storesOn(database, nodes),
    write: writing.write,
    onSiteChange: notifier.onSiteChange,
    onTokenChange: notifier.onTokenChange,
    sharedTime: () => databaseTime(read),
    isCurrent: (since) => isRecent(since, Date.now()),
    async ping() {
      try {
        const { rows } = await pools.run((pool) => pool.query<Record<string, unknown>>(withDeadline({ text: WRITABLE }, PING_TIMEOUT)));
        requireWritable(rows);
      } catch (error) {
        throw storageError(error);
      }
      condition.requireSound();
    },
    close: once(async () => {
      await writing.close();
      await listener.close();
      await pools.close();
    }),
  };
}

const CHANNEL = 'repoless_changed';
const PING_TIMEOUT = 2000;

/** Damage is remembered, because it stays until it is repaired. */
function databaseCondition() {
  let damaged: string | undefined;
  return {
    noticed(error: unknown, pool: Pool): void {
      if (!isDamage(error) || (damaged !== undefined && damaged !== '')) return;
      damaged = '';
      tableOf(error, pool).then(
        (table) => (damaged = table),
        () => undefined,
      );
    },
    requireSound(): void {
      if (damaged !== undefined) throw storageDamaged(damaged);
    },
  };
}

/** PostgreSQL names the file; finds the table that it belongs to, whether as an index or for large values. */
async function tableOf(error: unknown, pool: Pool): Promise<string> {
  const [path] = /\bbase\/\d+\/\d+/.exec(error instanceof Error ? error.message : '') ?? [];
  const { rows } = await pool.query<{ name: string }>({ text: TABLE_OF_FILE, values: [path ?? ''] });
  return rows[0]?.name ?? '';
}

const TABLE_OF_FILE = `
select coalesce(indexed.relname, large.relname, file.relname) as name from pg_class as file
left join pg_index on pg_index.indexrelid = file.oid
left join pg_class as indexed on indexed.oid = pg_index.indrelid
left join pg_class as large on large.reltoastrelid = file.oid
where pg_relation_filepath(file.oid) = $1`;

/** Refuses a result of `WRITABLE`: a replica, or a database configured as read-only. */
function requireWritable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  if (rows[0]?.['read_only'] !== 'off') throw storageReadOnly();
}
const WRITABLE = "select current_setting('transaction_read_only') as read_only";

/** The current time by the clock of the database, which all nodes share. */
async function databaseTime(read: Query): Promise<Date> {
  const [row] = await read(sql<{ time: string }>`
    select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time`);
  return new Date(row?.time ?? '');
}

interface ListenOptions {
  readonly servers: Servers;
  readonly channel: string;
  /** This node, and its process number, for the operators' overview. */
  readonly node: string;
  readonly process: number;
  onNotification(payload: string): void;
  /** The other connections of this node may be lost too: another server takes writes now, or this one stopped responding. */
  renew(): void;
  log(message: string, error: unknown): void;
}

interface Listener {
  close(): Promise<void>;
}

/**
 * Listens for changes of all nodes on a separate connection, checks repeatedly over it that it still listens, and reconnects if it does
 * not. Missed changes need no repair: no cache keeps anything for longer than a second. Resolves when it listens.
 */
async function listen(options: ListenOptions): Promise<Listener> {
  const { servers, node, log, renew } = options;
  let closed = false;
  let client: Connection | undefined = await connected(options, lost);
  let beating = false;
  let retry: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;
  client.query(FORGET_ENDED).catch(() => undefined);

  function lost(one: Connection, error: unknown): void {
    one.drop();
    if (closed || one !== client) return;
    client = undefined;
    log('The notifications of other nodes are interrupted; reconnecting.', error);
    if (isReadTimeout(error)) renew();
    reconnectLater();
  }
  /** Many nodes lose a database at the same time: they should not all reconnect at once. */
  function reconnectLater(): void {
    retry = setTimeout(
      () => {
        reach().catch((error: unknown) => {
          if (closed) return;
          log('The notifications of other nodes are still interrupted.', error);
          reconnectLater();
        });
      },
      pause * (0.5 + Math.random()),
    );
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
  async function reach(): Promise<void> {
    if (await servers.probe()) renew();
    const next = await connected(options, lost);
    if (closed) return next.drop();
    client = next;
    pause = FIRST_PAUSE;
  }
  function beat(): void {
    const one = client;
    if (one === undefined || beating) return;
    beating = true;
    prove(one, options)
      .catch((error: unknown) => lost(one, error))
      .finally(() => (beating = false));
  }

  const beats = setInterval(beat, BEAT);
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(beats);
      await Promise.race([
        client?.query({ ...UNREGISTER, values: [node] }).catch(() => undefined),
        later(GOODBYE, undefined, { ref: false }),
      ]);
      client?.drop();
    },
  };
}

class Connection extends pg.Client {
  readonly #socket: Socket;
  constructor(connectionString: string) {
    const socket = new Socket();
    super({ connectionString, stream: () => socket, keepAlive: true, connectionTimeoutMillis: TIMEOUT, query_timeout: TIMEOUT });
    this.#socket = socket;
  }
  /** A hanging connection would never end gracefully. */
  drop(): void {
    this.end().catch(() => undefined);
    this.#socket.destroy();
  }
}

async function connected(options: ListenOptions, lost: (client: Connection, error: unknown) => void): Promise<Connection> {
  const client = new Connection(options.servers.address());
  client.on('error', (error) => lost(client, error));
  client.on('end', () => lost(client, new Error('The connection ended.')));
  client.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
  try {
    await client.connect();
    // What this connection writes is valid for seconds only: no one needs to wait until it is on disk.
    await client.query(`set synchronous_commit = off; listen ${client.escapeIdentifier(options.channel)}`);
    await prove(client, options);
    return client;
  } catch (error) {
    client.drop();
    throw error;
  }
}

/** Registers the node as running, if its connection listens: a pooler may have changed the session behind the same connection. */
async function prove(client: Connection, { node, process, channel }: ListenOptions): Promise<void> {
  const { rowCount } = await client
    .query({ ...REGISTER, values: [channel, node, `process ${process}`] })
    // Nothing can be written, so only the listening is verified.
    .catch((error: unknown) => (isReadOnly(error) ? client.query({ ...STILL_LISTENING, values: [channel] }) : Promise.reject(error)));
  if (rowCount !== 1)
    throw new Error('The connection does not receive notifications. A connection pooler must preserve LISTEN in sessions.');
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

/** Milliseconds. */
const BEAT = 1000;
const TIMEOUT = 1500;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;
const GOODBYE = 500;

const REGISTER = {
  name: 'register',
  text: `insert into listeners (node, name, listening_until)
    select $2, concat_ws(', ', host(inet_client_addr()), $3::text), clock_timestamp() + interval '5 seconds' from pg_listening_channels() as channel where channel = $1
    on conflict (node) do update set listening_until = excluded.listening_until`,
};
const STILL_LISTENING = { name: 'still-listening', text: 'select 1 from pg_listening_channels() as channel where channel = $1' };
const UNREGISTER = { name: 'unregister', text: 'delete from listeners where node = $1' };
/** Nodes that have not been seen for long. */
const FORGET_ENDED = {
  text: `delete from listeners where node in
    (select node from listeners where listening_until < clock_timestamp() - interval '1 hour' for update skip locked)`,
};

interface KnownNodeRow {
  readonly node: string;
  readonly name: string;
  readonly listening: boolean;
}

/** Nodes seen within a minute: a killed one is still included for a while, and does not listen. */
const KNOWN_NODES = {
  name: 'known-nodes',
  text: `select node, name, listening_until > clock_timestamp() as listening from listeners
    where listening_until > clock_timestamp() - interval '1 minute' order by name, node`,
};
