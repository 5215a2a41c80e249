import pg from 'pg';
import { serverAddresses } from './server-addresses.ts';

/** The server of a database that accepts writes, among those in an address. */
export interface Servers {
  /** The address of the server that last accepted writes. */
  address(): string;
  /** Finds the server that accepts writes now; true if it has changed. Concurrent calls share one search. */
  look(): Promise<boolean>;
}

/**
 * Takes an address in libpq's format, with one server or several: `postgres://one:5432,two:5432/name`, or `?host=one,two`. Uses the first
 * until the first search.
 */
export function databaseServers(databaseUrl: string): Servers {
  const all = serverAddresses(databaseUrl);
  let [current = databaseUrl] = all;
  let looking: Promise<boolean> | undefined;

  async function look(): Promise<boolean> {
    const found = await Promise.all(all.map(async (address) => ({ address, timeline: await timelineOf(address) })));
    const [best] = found.filter(({ timeline }) => timeline > 0).toSorted((a, b) => b.timeline - a.timeline);
    if (best === undefined || best.address === current) return false;
    current = best.address;
    return true;
  }

  return {
    address: () => current,
    look: async () => {
      if (all.length === 1) return false;
      looking ??= look().finally(() => (looking = undefined));
      return await looking;
    },
  };
}

/** Finds the server that accepts writes, and returns its address. */
export async function writableAddress(databaseUrl: string): Promise<string> {
  const servers = databaseServers(databaseUrl);
  await servers.look();
  return servers.address();
}

/** The timeline of a server that accepts writes, which is higher after each promotion; 0 if it does not, or is unreachable. */
async function timelineOf(address: string): Promise<number> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE });
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
const PATIENCE = 1500;
