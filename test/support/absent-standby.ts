import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { ended, execute, ownDirectory, postgresBinaries, type PostgresCluster, ready, startPostgres, unprivileged } from './postgres.ts';

/** A PostgreSQL server whose commits wait for a synchronous standby that is not connected. */
export interface AbsentStandby {
  readonly database: string;
  /** Makes commits wait. */
  begin(): Promise<void>;
  /** Lets commits pass again. */
  end(): Promise<void>;
  /** Resolves when a commit waits. */
  untilOneWaits(): Promise<void>;
  /** Cancels the waits of commits, as an operator may, until `write` has settled. */
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
    async begin() {
      await set('away');
      // The server applies the setting with a delay; until then commits do not wait.
      for (let waits = false; !waits;) {
        const commit = execute(database, "select pg_logical_emit_message(true, 'probe', '')");
        commit.catch(() => undefined);
        waits = await endByCancelling(database, commit);
        await commit;
      }
    },
    end: () => set(''),
    untilOneWaits: () => vi.waitFor(async () => expect(await waiting(database)).toBeGreaterThan(0), TIMEOUT),
    async cancelUntilSettled(write) {
      await endByCancelling(database, write);
    },
    stop: () => server.stop(),
  };
}

const TIMEOUT = { timeout: 20_000, interval: 20 };

/** Cancels the waits of commits until this one has settled. Returns whether any waited. */
async function endByCancelling(database: string, commit: Promise<unknown>): Promise<boolean> {
  let [isSettled, cancelled] = [false, 0];
  const settle = () => (isSettled = true);
  void commit.then(settle, settle);
  await vi.waitFor(async () => {
    cancelled += await cancelWaits(database);
    expect(isSettled).toBe(true);
  }, TIMEOUT);
  return cancelled > 0;
}

const WAITING = "from pg_stat_activity where wait_event = 'SyncRep'";
const waiting = (database: string) => count(database, `select 1 ${WAITING}`);
const cancelWaits = (database: string) => count(database, `select pg_cancel_backend(pid) ${WAITING}`);

const count = async (database: string, query: string) => (await execute(database, query)).length;

interface Standby {
  /** The address of a database of the cluster, with the first server and this one. */
  both(database: string): string;
  /** Its address on this server only. */
  own(database: string): string;
  /** Promotes it to primary, as a failover manager does when the first server is lost. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A second server that follows the first by streaming replication. The first then acknowledges no write before this one has it. */
export async function startStandby(primary: PostgresCluster): Promise<Standby> {
  const binaries = postgresBinaries();
  const owner = unprivileged();
  const directory = ownDirectory(owner);
  const data = join(directory, 'data');
  const from = `host=${primary.directory} user=postgres application_name=standby`;
  execFileSync(join(binaries, 'pg_basebackup'), ['-d', from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=200', `primary_conninfo=${from}`];
  const server = spawn(join(binaries, 'postgres'), ['-D', data, '-k', directory, ...settings.flatMap((one) => ['-c', one])], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await ready(server);
  const address = (folder: string) => `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await execute(address(primary.directory), "alter system set synchronous_standby_names = 'standby'");
  await execute(address(primary.directory), 'select pg_reload_conf()');
  return {
    both: (database) => at(database, `${primary.directory},${directory}`),
    own: (database) => at(database, directory),
    promote: async () => void (await execute(address(directory), 'select pg_promote()')),
    async stop() {
      await ended(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function at(database: string, host: string): string {
  const address = new URL(database);
  address.searchParams.set('host', host);
  return address.href;
}
