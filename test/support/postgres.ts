import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface PostgresCluster {
  /** Makes an empty database and answers its address. */
  database(): Promise<string>;
  /** Ends every connection of the others, as a failing network would. */
  cutConnections(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a throw-away PostgreSQL of its own, reached by a socket in a temporary directory. */
export async function startPostgres(): Promise<PostgresCluster> {
  const binaries = postgresBinaries();
  const owner = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), 'repoless-pg-'));
  chmodSync(directory, 0o700);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, 'data');
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=200'],
    { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const stopAtExit = () => void server.kill('SIGQUIT');
  process.once('exit', stopAtExit);
  await ready(server);
  const address = (name: string) => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(directory)}`;
  const administer = (sql: string) => execute(address('postgres'), sql);
  let made = 0;
  return {
    async database() {
      made += 1;
      await administer(`create database t${made}`);
      return address(`t${made}`);
    },
    async cutConnections() {
      await administer('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null');
    },
    async stop() {
      process.off('exit', stopAtExit);
      const exited = once(server, 'exit');
      server.kill('SIGQUIT');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function execute(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}

/** The folder of the newest PostgreSQL of this machine. Throws where there is none. */
export function postgresBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
  if (found === undefined) throw new Error(`There is no PostgreSQL in ${root}; "npm test" installs it (Debian package "postgresql").`);
  return found;
}

// PostgreSQL refuses to run as root; Debian's package brings an account for it.
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
