import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed, postgresDirectories } from '../environment.ts';
import { freePort } from '../free-port.ts';
import { untilReady } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';

const run = promisify(execFile);

export interface Postgres {
  /** Creates an empty database and returns its address. */
  database(name: string): Promise<string>;
}

/** Starts a separate PostgreSQL with default settings (every commit synced to disk); undefined if it is not installed. */
export async function startPostgres(workspace: Workspace): Promise<Postgres | undefined> {
  const directories = await postgresDirectories();
  const [initdb, program, createdb] = await Promise.all(['initdb', 'postgres', 'createdb'].map((name) => installed(name, directories)));
  if (initdb === undefined || program === undefined || createdb === undefined) return undefined;
  const owner = await unprivileged();
  const base = await workspace.directory('postgres');
  if ('uid' in owner) await chown(base, owner.uid, owner.gid);
  const data = join(base, 'data');
  await run(initdb, ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions'], { ...owner, cwd: base });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const child = workspace.start(program, args, { ...owner, cwd: base, stdio: ['ignore', 'ignore', 'pipe'] });
  const create = (name: string) => run(createdb, ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench', name]);
  await untilReady('PostgreSQL', child, async () => {
    await create('ready');
    return true;
  });
  return {
    async database(name) {
      await create(name);
      return `postgres://bench@127.0.0.1:${port}/${name}`;
    },
  };
}

/** PostgreSQL refuses to run as root, so it runs under the account of its package. */
async function unprivileged(): Promise<{ uid: number; gid: number } | Record<string, never>> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (option) => Number((await run('id', [option, 'postgres'])).stdout)));
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}
