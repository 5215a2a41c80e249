import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sendSignal } from './child-backend.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresCluster {
  /** The path of its socket. */
  readonly socket: string;
  /** The folder of the socket. */
  readonly directory: string;
  /** Creates a database and returns its address. It is empty, or a copy of one that `prepare` filled once. */
  database(prepare?: Prepare): Promise<string>;
  /** Drops the databases created so far. */
  removeDatabases(): Promise<void>;
  /** Ends every other connection, as a failing network would. */
  cutConnections(): Promise<void>;
  /** Kills the database as a power failure would, and starts it again. */
  restart(): Promise<void>;
  /** Suspends all of its processes, as on a machine that hangs; `false` resumes them. */
  hang(stopped: boolean): void;
  /** Kills it as a power failure would, for good. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

type Prepare = (address: string) => Promise<void>;

let shared: Promise<PostgresCluster> | undefined;

/** A PostgreSQL for all tests of this process, each with its own database. It starts for the first and ends with the run. */
export function sharedPostgres(): Promise<PostgresCluster> {
  return (shared ??= startPostgres());
}

/** Starts a separate throw-away PostgreSQL, reached by a socket in a temporary directory. */
export async function startPostgres(): Promise<PostgresCluster> {
  const binaries = postgresBinaries();
  const owner = unprivileged();
  const directory = ownDirectory(owner);
  const data = join(directory, 'data');
  execFileSync('cp', ['-a', initialData(binaries, owner), data]);
  const startServer = async () => {
    const started = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=200'],
      { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await ready(started);
    return started;
  };
  let server = await startServer();
  const stopAtExit = () => void server.kill('SIGQUIT');
  process.once('exit', stopAtExit);
  const address = (name: string) => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(directory)}`;
  const administer = (sql: string) => execute(address('postgres'), sql);
  let count = 0;
  const databases: string[] = [];
  const templates = new Map<Prepare, Promise<string>>();
  const makeTemplate = async (prepare: Prepare) => {
    const name = `template_${templates.size}`;
    await administer(`create database ${name}`);
    await prepare(address(name));
    return name;
  };
  const templateOf = (prepare: Prepare) => {
    const template = templates.get(prepare) ?? makeTemplate(prepare);
    templates.set(prepare, template);
    return template;
  };
  return {
    socket: join(directory, '.s.PGSQL.5432'),
    directory,
    async database(prepare) {
      const name = `t${(count += 1)}`;
      databases.push(name);
      await administer(`create database ${name} template ${prepare === undefined ? 'template1' : await templateOf(prepare)}`);
      return address(name);
    },
    async removeDatabases() {
      for (const name of databases.splice(0)) await administer(`drop database if exists ${name} with (force)`);
    },
    async cutConnections() {
      await administer('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null');
    },
    async restart() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      // Its child processes notice its death one by one, and it only starts when the last has ended.
      for (let attempt = 1; ; attempt += 1) {
        try {
          server = await startServer();
          return;
        } catch (error) {
          if (attempt === 50) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    hang(stopped) {
      for (const pid of [server.pid ?? 0, ...childrenOf(server.pid ?? 0)]) sendSignal(pid, stopped ? 'SIGSTOP' : 'SIGCONT');
    },
    async kill() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
    async stop() {
      process.off('exit', stopAtExit);
      await ended(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let initial: string | undefined;

/** The data of a PostgreSQL that was never started, created once per process because copying is faster. */
function initialData(binaries: string, owner: Account | undefined): string {
  if (initial === undefined) {
    const cwd = ownDirectory(owner);
    const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'];
    execFileSync(join(binaries, 'initdb'), ['-D', join(cwd, 'initial'), ...settings], {
      ...owner,
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    initial = join(cwd, 'initial');
  }
  return initial;
}

export function ownDirectory(owner: Account | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), 'repoless-pg-'));
  chmodSync(directory, 0o700);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

export async function execute<T extends object>(address: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<T>(sql).finally(() => client.end());
  return rows;
}

function childrenOf(parent: number): number[] {
  const found = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
  return found.stdout.split('\n').filter(Boolean).map(Number);
}

/** Kills a server unless it has ended. */
export async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGQUIT');
  await exited;
}

export function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/ready to accept (?:read-only )?connections/.test(output)) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${output}`)));
  });
}

/** The folder of this machine's newest PostgreSQL. Throws if there is none. */
export function postgresBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
  if (found === undefined) throw new Error(`There is no PostgreSQL in ${root}; "npm test" installs it (Debian package "postgresql").`);
  return found;
}

// PostgreSQL refuses to run as root; Debian's package creates an account for it.
export function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
