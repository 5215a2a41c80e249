import { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../migrate.ts';
import { hasMoved, isOutdatedPlan, isReadTimeout } from '../storage-error.ts';
import { serverAddresses } from './server-addresses.ts';

export interface Connections {
  /**
   * Runs work on the current connections. If one stopped responding, all of them are replaced before the error is passed on. Work that
   * finds its table changed is repeated on new ones: it must be one statement, or one transaction.
   */
  run<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>;
  /** Others may not respond either: new work gets new connections. */
  renew(): void;
  close(): Promise<void>;
}

/** A query with its own deadline, in milliseconds; pg's types do not declare that option. */
export function withDeadline(query: pg.QueryConfig, milliseconds: number | undefined): pg.QueryConfig {
  return milliseconds === undefined ? query : Object.assign(query, { query_timeout: milliseconds });
}

/**
 * Runs one statement on a connection of the pool. Rejects like a lost connection if the server stopped waiting for its synchronous standby,
 * as it does when that is canceled: the commit is on this server only, and lost with it.
 */
export async function queryOn(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await client.query<Record<string, unknown>>(query);
    requireReplicated(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

/** Call after anything that may have committed; see `queryOn`. */
export function requireReplicated(client: pg.ClientBase): void {
  if (!alone.delete(client)) return;
  throw Object.assign(new Error('The wait for the synchronous standby was canceled; the commit may be lost with the server.'), {
    code: 'ECONNRESET',
  });
}

/** Connections whose last commit was not confirmed by the standby. */
const alone = new WeakSet<pg.ClientBase>();
/** The function of PostgreSQL that waits: its message is in the server's language, but its name is not. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';

interface ConnectionsOptions {
  /** Concurrent connections; defaults to ten. */
  readonly most?: number | undefined;
  log(message: string, error: unknown): void;
  /** Called with every error of a statement. */
  noticed(error: unknown, pool: pg.Pool): void;
}

/**
 * The pool of connections. A connection lost in the network would wait forever, and so would the next one from the pool: each statement has
 * a deadline on both sides, and one that exceeds it replaces the entire pool. If the server is unreachable, or no longer accepts writes,
 * searches for the one that does.
 */
export function connections(servers: Servers, { most = POOL_SIZE, log, noticed }: ConnectionsOptions): Connections {
  let pool = make(servers.address(), most, log);
  const renew = () => {
    const before = pool;
    pool = make(servers.address(), most, log);
    void before.end(STATEMENT_TIMEOUT);
  };
  const follow = async () => {
    if (await servers.probe()) renew();
  };
  return {
    renew,
    async run(work) {
      const used = pool;
      try {
        return await used.use(work);
      } catch (error) {
        if (isOutdatedPlan(error)) {
          if (used === pool) renew();
          return await pool.use(work);
        }
        noticed(error, used.pool);
        if (used === pool && isReadTimeout(error)) renew();
        if (used === pool && hasMoved(error)) void follow();
        throw error;
      }
    },
    close: () => pool.end(CLOSE_GRACE),
  };
}

function make(databaseUrl: string, most: number, log: ConnectionsOptions['log']) {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: TYPES,
    max: most,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: STATEMENT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    // A node that stops in the middle of a write must not keep its rows locked.
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
    pipeline: true,
    keepAliveInitialDelayMillis: 1000,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  pool.on('connect', (client) => {
    // If the server ends while a connection is in use without a statement in progress, the next statement fails. Without a listener the
    // program would end.
    client.on('error', () => undefined);
    client.on('notice', ({ routine }) => {
      if (routine === WAITS_FOR_STANDBY) alone.add(client);
    });
  });
  pool.on('error', (error) => log('A connection to the storage was lost.', error));
  const users = new Set<Promise<unknown>>();
  return {
    pool,
    async use<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
      const user = work(pool);
      users.add(user);
      try {
        return await user;
      } finally {
        users.delete(user);
      }
    },
    /**
     * Lets work end by itself or by its deadline, whether it is running or waiting for a connection, and cuts off what does not respond.
     */
    async end(grace: number): Promise<void> {
      let cut: () => void = () => undefined;
      const cutOff = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
        cut();
      }, grace);
      // A pool that ends no longer serves those who wait for a connection.
      await Promise.race([Promise.allSettled(users), new Promise<void>((resolve) => (cut = resolve))]);
      await pool.end().catch((error: unknown) => log('The connections to the storage were not closed properly.', error));
      if (sockets.size === 0) clearTimeout(cutOff);
      else cutOff.unref();
    },
  };
}

/** Milliseconds that a read may take, because someone waits for it. */
export const READ_TIMEOUT = 5000;
const STATEMENT_TIMEOUT = 10_000;
const CONNECTION_TIMEOUT = 3000;
const CLOSE_GRACE = 2000;
const POOL_SIZE = 10;

/** Counts and sums are numbers; pg returns them as text. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
};

/**
 * A connection for one piece of work. If the server ends between two statements, the next one rejects: without a listener the program would
 * end.
 */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ types: TYPES, ...config });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Brings the tables of a PostgreSQL database up to date. Rejects if that is impossible, or if the server ends in the meantime. */
export async function migratePostgres(address: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: address, max: 1 });
  // As above: without listeners the program would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  await migrate('postgres', new PostgresDialect({ pool }));
}

/** The server of a database that accepts writes, among those in an address. */
export interface Servers {
  /** The address of the server that last accepted writes. */
  address(): string;
  /** Finds the server that accepts writes now; true if it has changed. Concurrent calls share one search. */
  probe(): Promise<boolean>;
}

/**
 * Takes an address in libpq's format, with one server or several: `postgres://one:5432,two:5432/name`, or `?host=one,two`. Uses the first
 * until the first search.
 */
export function databaseServers(databaseUrl: string): Servers {
  const all = serverAddresses(databaseUrl);
  let [current = databaseUrl] = all;
  let probing: Promise<boolean> | undefined;

  async function probeAll(): Promise<boolean> {
    const found = await Promise.all(all.map(async (address) => ({ address, timeline: await timelineOf(address) })));
    const [best] = found.filter(({ timeline }) => timeline > 0).toSorted((a, b) => b.timeline - a.timeline);
    if (best === undefined || best.address === current) return false;
    current = best.address;
    return true;
  }

  return {
    address: () => current,
    probe: async () => {
      if (all.length === 1) return false;
      probing ??= probeAll().finally(() => (probing = undefined));
      return await probing;
    },
  };
}

/** Finds the server that accepts writes, and returns its address. */
export async function writableAddress(databaseUrl: string): Promise<string> {
  const servers = databaseServers(databaseUrl);
  await servers.probe();
  return servers.address();
}

/** The timeline of a server that accepts writes, which is higher after each promotion; 0 if it does not, or is unreachable. */
async function timelineOf(address: string): Promise<number> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: TIMEOUT, query_timeout: TIMEOUT });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number }>(TIMELINE);
    return rows[0]?.timeline ?? 0;
  } catch {
    return 0;
  } finally {
    client.end().catch(() => undefined);
  }
}

const TIMELINE = `select case when pg_is_in_recovery() then 0
  else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;
/** Milliseconds. */
const TIMEOUT = 1500;
