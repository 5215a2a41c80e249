import pg from 'pg';
import { expect, vi } from 'vitest';
import { execute, startPostgres } from './postgres.ts';

/** A PostgreSQL server whose commits wait for a synchronous standby that is away. */
export interface AbsentStandby {
  readonly database: string;
  /** Commits wait from now on. */
  begin(): Promise<void>;
  /** They wait no longer. */
  end(): Promise<void>;
  /** Settles when one waits. */
  untilOneWaits(): Promise<void>;
  /** Cancels the wait of commits, as an operator may, until this is settled. */
  cancelUntilSettled(write: Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export async function startWithoutStandby(): Promise<AbsentStandby> {
  const server = await startPostgres();
  const database = await server.database();
  const set = async (names: string) => {
    await execute(database, `alter system set synchronous_standby_names = '${names}'`);
    await execute(database, 'select pg_reload_conf()');
  };
  return {
    database,
    begin: () => set('away'),
    end: () => set(''),
    untilOneWaits: () => vi.waitFor(async () => expect(await waiting(database)).toBeGreaterThan(0), PATIENCE),
    async cancelUntilSettled(write) {
      let isSettled = false;
      const settle = () => (isSettled = true);
      void write.then(settle, settle);
      await vi.waitFor(async () => {
        await execute(database, "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
        expect(isSettled).toBe(true);
      }, PATIENCE);
    },
    stop: () => server.stop(),
  };
}

const PATIENCE = { timeout: 20_000, interval: 20 };

async function waiting(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'").finally(() => client.end());
  return rowCount ?? 0;
}
