import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ended, execute, ownDirectory, postgresBinaries, ready, unprivileged } from './postgres.ts';
import type { PostgresCluster } from './postgres.ts';

export interface Standby {
  /** The address of a database of the cluster, with the first server and this one. */
  both(database: string): string;
  /** Its address on this server alone. */
  own(database: string): string;
  /** Makes it take writes, as whoever watches the servers does once the first is gone. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A second server that follows the first by streaming replication; from now on the first acknowledges no write before this one has it. */
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
    promote: () => execute(address(directory), 'select pg_promote()'),
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
