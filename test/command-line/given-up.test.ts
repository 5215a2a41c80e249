import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { postgresBinaries, startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const PROGRAM = new URL('../../backend/dist/administration/main.js', import.meta.url).pathname;
const WITHIN = { timeout: 60_000, interval: 2 };
const GIVEN_UP = {
  backup: 'The copy was discarded. No file was created, and an earlier copy is unchanged.\n',
  'restore-backup': 'The restore was canceled. The database is unchanged.\n',
};
type Command = keyof typeof GIVEN_UP;

const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres);
beforeAll(buildBackend);

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it.each(['backup', 'restore-backup'] as const)(
    'during a %s leaves nothing half done, and is reported',
    { timeout: 120_000 },
    async (command) => {
      const place = await ownerKey(`${command}-${signal}`);
      const interrupt = async () => {
        const started = start(command, place);
        await expect.poll(place.drafts, WITHIN).not.toEqual([]);
        started.child.kill(signal);
        return { ...(await started.ended()), files: await readdir(place.target) };
      };
      let outcome = await interrupt();
      // The signal may come after the last step. Then everything is done, and another run is interrupted.
      for (let runs = 1; outcome.status === 0 && runs < 10; runs += 1) {
        expect(outcome).toEqual({ status: 0, err: '', files: [expect.stringMatching(/^(?:copy|repoless\.sqlite)$/)] });
        await place.empty();
        outcome = await interrupt();
      }
      expect(outcome).toEqual({ status: 2, err: GIVEN_UP[command], files: [] });
    },
  );

  it('during a backup of PostgreSQL leaves nothing half done, and is reported', { timeout: 120_000 }, async () => {
    const databaseUrl = await cluster.database();
    const store = await openStore({ dataDir: '', databaseUrl });
    await store.close();
    const { target } = await ownerKey(`postgres-${signal}`);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('begin; lock table orgs in access exclusive mode');
    const started = run(['backup', join(target, 'copy')], {
      DATABASE_URL: databaseUrl,
      PATH: `${postgresBinaries()}:${process.env['PATH'] ?? ''}`,
    });
    await expect.poll(() => readdir(target), WITHIN).not.toEqual([]);
    started.child.kill(signal);
    expect(await started.ended()).toEqual({ status: 2, err: expect.stringContaining(GIVEN_UP.backup) });
    expect(await readdir(target)).toEqual([]);
    await client.end();
  });

  it('during a restore of PostgreSQL ends its programs, changes nothing, and is reported', { timeout: 120_000 }, async () => {
    const databaseUrl = await cluster.database();
    const store = await openStore({ dataDir: '', databaseUrl });
    await store.close();
    const [client, watcher] = [new pg.Client({ connectionString: databaseUrl }), new pg.Client({ connectionString: databaseUrl })];
    await Promise.all([client.connect(), watcher.connect()]);
    // More than fits into the pipes between the programs, so that one still reads while the other waits.
    await client.query(`insert into short_lived (kind, key, value, expires)
      select 'x', n::text, to_json((select string_agg(md5(random()::text), '') from generate_series(1, 2000) where n > 0)), '2999' from generate_series(1, 40) n`);
    const { target } = await ownerKey(`restore-${signal}`);
    const settings = { DATABASE_URL: databaseUrl, PATH: `${postgresBinaries()}:${process.env['PATH'] ?? ''}` };
    const copy = join(target, `copy-${signal}`);
    expect((await run(['backup', copy], settings).ended()).status).toBe(0);
    await client.query('begin; lock table orgs in access share mode');
    const started = run(['restore-backup', copy], settings);
    const waits = `select from pg_stat_activity where application_name = 'psql' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await watcher.query(waits)).rowCount, WITHIN).toBe(1);
    started.child.kill(signal);
    expect(await started.ended()).toEqual({ status: 2, err: expect.stringMatching(new RegExp(`${GIVEN_UP['restore-backup']}$`)) });
    expect(await programsOn(copy)).toEqual([]);
    // Nothing waits for the lock, which is still held.
    await expect.poll(async () => (await watcher.query(waits.replace(/ and wait.*/, ''))).rowCount, WITHIN).toBe(0);
    await client.query('rollback');
    expect((await client.query('select count(*)::int as count from short_lived')).rows).toEqual([{ count: 40 }]);
    await Promise.all([client.end(), watcher.end()]);
  });
});

/** The command lines of running programs that name a file. */
async function programsOn(file: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
  return stdout.split('\n').filter((line) => line.includes(file) && !line.includes('ps -A'));
}

it.each(['backup', 'restore-backup'] as const)(
  'the next %s removes the remains of a killed one, and nothing of one still running',
  async (command) => {
    const files = await ownerKey(`killed-${command}`);
    const killed = start(command, files);
    await expect.poll(files.drafts, WITHIN).not.toEqual([]);
    killed.child.kill('SIGKILL');
    await killed.ended();
    expect(await files.drafts()).not.toEqual([]);
    const others = [start(command, files), start(command, files)];
    for (const other of others) expect(await other.ended()).toEqual({ status: 0, err: '' });
    expect(await files.drafts()).toEqual([]);
  },
);

/** A database that takes a moment to copy, a copy of it, and the path of the next copy. */
async function ownerKey(name: string) {
  const [dataDir, target] = [join(folder.path, name, 'data'), join(folder.path, name, 'target')];
  await mkdir(dataDir, { recursive: true });
  await mkdir(target);
  const file = join(dataDir, 'repoless.sqlite');
  await (await openStore({ dataDir })).close();
  const db = new Database(file);
  db.exec('create table padding (bytes blob); insert into padding values (zeroblob(200000000))');
  db.close();
  const drafts = async () => (await readdir(target)).filter((one) => /^(?:copy|repoless\.sqlite)\.(?!replaced-)/.test(one));
  const empty = async () => {
    await rm(target, { recursive: true });
    await mkdir(target);
  };
  return { file, dataDir, target, drafts, empty };
}

function start(command: Command, { file, dataDir, target }: Awaited<ReturnType<typeof ownerKey>>) {
  return command === 'backup' ? run([command, join(target, 'copy')], { DATA_DIR: dataDir }) : run([command, file], { DATA_DIR: target });
}

function run(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const exit = once(child, 'close');
  return {
    child,
    async ended() {
      await exit;
      return { status: child.exitCode, err };
    },
  };
}
