import { execFile, spawn } from 'node:child_process';
import { truncate, chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, expect, it, describe } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { buildCommandLine, temporaryDirectory, sendSignal } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { execute, postgresBinaries, startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { sha256 } from '../support/blob-places.ts';

const WITHIN = { timeout: 60_000, interval: 20 };

const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres, 120_000);
beforeAll(buildCommandLine, 120_000);

it('leaves nothing of the previous database, including tables and functions of a later version', async () => {
  const databaseUrl = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  const before = await objectsIn(databaseUrl);
  const copy = await dumped(databaseUrl, 'earlier.dump');
  await execute(databaseUrl, `insert into authoring_hosts (host, org) values ('author.example.com', 'now')`);
  await execute(databaseUrl, 'create table later (host text); create view hosts as select host from authoring_hosts');
  await execute(databaseUrl, 'create function later() returns integer language sql as $$ select 1 $$');

  const restored = await operate(['restore-backup', copy], { DATABASE_URL: databaseUrl });
  expect(restored).toMatchObject({ status: 0, err: '', out: expect.stringContaining('restored into postgres:') });
  expect(await objectsIn(databaseUrl)).toEqual(before);
  await (await openStore({ dataDir: '', databaseUrl })).close();
  expect(await execute(databaseUrl, 'select * from authoring_hosts')).toEqual([]);
});

it('refuses a dump of another program, of a newer version or without its end, and changes nothing', async () => {
  const databaseUrl = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  await execute(databaseUrl, `insert into authoring_hosts (host, org) values ('author.example.com', 'now')`);
  const before = await objectsIn(databaseUrl);
  const other = await cluster.database();
  await execute(other, 'create table bm_jobs (name text); create table migrations (name text, applied text)');
  const newer = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl: newer })).close();
  await execute(newer, `insert into migrations (name, applied) values ('9000-later', '')`);
  const cut = await dumped(databaseUrl, 'cut.dump');
  const text = await dumped(databaseUrl, 'text.dump', ['--format=plain']);
  const large = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl: large })).close();
  const random = `string_agg(md5(random()::text), '')`;
  await execute(
    large,
    `insert into short_lived (kind, key, value, expires) select 'x', n::text, to_json((select ${random} from generate_series(1, 2000) where n > 0)), '2999' from generate_series(1, 20) n`,
  );
  const damaged = await dumped(large, 'damaged.dump');
  await truncate(damaged, 200_000);
  for (const [copy, sentence] of [
    [await dumped(other, 'other.dump'), 'is not a copy of the database of the service: it has no table "orgs".'],
    [await dumped(newer, 'newer.dump'), 'A newer version has migrated the tables ("9000-later")'],
    [text, 'pg_restore failed; its output is shown above. Nothing was replaced.'],
    [damaged, 'pg_restore failed; its output is shown above. Nothing was replaced.'],
  ] as const) {
    const refused = await operate(['restore-backup', copy], { DATABASE_URL: databaseUrl });
    expect(refused, copy).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
    expect(await objectsIn(databaseUrl)).toEqual(before);
    expect(await execute(databaseUrl, 'select org from authoring_hosts')).toEqual([{ org: 'now' }]);
  }
  // Nor does it replace another program's tables.
  const refused = await operate(['restore-backup', cut], { DATABASE_URL: other });
  expect(refused).toMatchObject({ status: 2, out: '', err: expect.stringContaining('holds the tables of another program') });
  expect(await execute(other, `select to_regclass('bm_jobs')::text as found`)).toEqual([{ found: 'bm_jobs' }]);
});

it('prevents a node that starts during it from writing what would be lost', async () => {
  const databaseUrl = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  const copy = await dumped(databaseUrl, 'empty.dump');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin; lock table orgs in access share mode');
  const restoring = operate(['restore-backup', copy], { DATABASE_URL: databaseUrl });
  await expect.poll(() => execute(databaseUrl, 'select from pg_locks where not granted'), WITHIN).not.toEqual([]);

  let started = false;
  const starting = openStore({ dataDir: '', databaseUrl }).finally(() => (started = true));
  const asks = `select from pg_stat_activity where query like '%pg_advisory_xact_lock%' and pid <> pg_backend_pid()`;
  await expect.poll(async () => started || (await execute(databaseUrl, asks)).length > 0, WITHIN).toBe(true);
  const write = async () => (await starting).shortLived.put('revoked-token', 'id', true, new Date(Date.now() + 60_000));
  const isEarly = started;
  if (isEarly) await write();
  await client.query('rollback');
  const { status, err } = await restoring;
  if (!isEarly) await write();
  expect([status, err]).toEqual([0, '']);
  expect(await execute(databaseUrl, 'select count(*)::int as count from short_lived')).toEqual([{ count: 1 }]);
  await client.end();
  await (await starting).close();
});

async function dumped(databaseUrl: string, name: string, args: readonly string[] = ['--format=custom']): Promise<string> {
  const file = join(folder.path, name);
  await promisify(execFile)(join(postgresBinaries(), 'pg_dump'), [...args, '--file', file, databaseUrl]);
  return file;
}

/** Every table, function and trigger, by name. */
async function objectsIn(databaseUrl: string): Promise<unknown[]> {
  return await execute(
    databaseUrl,
    `select 'relation ' || relname || relkind::text as name from pg_class where relnamespace = 'public'::regnamespace
      union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'trigger ' || tgname || ' ' || tgrelid::regclass from pg_trigger where not tgisinternal order by 1`,
  );
}
describe('Restoring SQLite', () => {
  const PROGRAM = new URL('../../backend/dist/administration/main.js', import.meta.url).pathname;

  let copy: string;
  beforeAll(async () => {
    await buildCommandLine();
    copy = join(folder.path, 'copy');
    const dataDir = join(folder.path, 'copied');
    const store = await openStore({ dataDir });
    // Large enough to be stopped while it is copied.
    for (let part = 0; part < 40; part += 1) {
      const bytes = randomBytes(500_000);
      await store.blobs.write(sha256(bytes), bytes);
    }
    await store.close();
    expect(await operate(['backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
  }, 120_000);

  describe.each(['there', 'not there'])('while a %s database is replaced', (before) => {
    it('a starting service loses no acknowledged write', async () => {
      const dataDir = join(folder.path, `raced, ${before}`);
      await mkdir(dataDir, { mode: 0o700 });
      if (before === 'there') await (await openStore({ dataDir })).close();
      const watching = watch(dataDir);
      const child = spawn(process.execPath, [PROGRAM, 'restore-backup', copy], {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const exit = once(child, 'close');
      await new Promise<void>((resolve) => {
        watching.on('change', (_, name) => {
          // The temporary file that will replace it.
          if (!/^repoless\.sqlite\.[0-9a-f-]{36}$/.test(String(name))) return;
          sendSignal(child.pid ?? 0, 'SIGSTOP');
          resolve();
        });
      });
      watching.close();
      const store = await openStore({ dataDir }).catch(() => undefined);
      await store?.shortLived.put('revoked-token', 'id', true, new Date(Date.now() + 60_000));
      sendSignal(child.pid ?? 0, 'SIGCONT');
      await exit;
      await store?.close();
      expect([child.exitCode, err]).toEqual(
        store === undefined ? [0, ''] : [2, expect.stringMatching(/^The service .*Stop it first\.\n$/)],
      );
      if (store !== undefined) expect(wasWritten(dataDir)).toBe(true);
    });
  });

  describe('the restored database', () => {
    it.each(['644', '600', '400'])('is accessible only to the account of the service, from a copy of mode %s', async (mode) => {
      const dataDir = join(folder.path, `mode-${mode}`);
      const file = join(folder.path, `copy-${mode}`);
      await copyFile(copy, file);
      await chmod(file, Number.parseInt(mode, 8));
      const { status, out, err } = await operate(['restore-backup', file], { DATA_DIR: dataDir });
      expect([status, err]).toEqual([0, '']);
      expect(out).toContain(`restored into ${join(dataDir, 'repoless.sqlite')}.`);
      expect((await stat(join(dataDir, 'repoless.sqlite'))).mode & 0o777).toBe(0o600);
      await (await openStore({ dataDir })).close();
    });

    it.skipIf(process.getuid?.() !== 0)('belongs to the owner of the previous database, or else of the folder', async () => {
      for (const has of ['database', 'folder']) {
        const dataDir = join(folder.path, `owned-${has}`);
        await mkdir(dataDir);
        const database = join(dataDir, 'repoless.sqlite');
        if (has === 'database') await writeFile(database, '');
        await chown(has === 'database' ? database : dataDir, 4711, 4712);
        expect(await operate(['restore-backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
        expect(await stat(database), has).toMatchObject({ uid: 4711, gid: 4712 });
      }
    });
  });

  function wasWritten(dataDir: string): boolean {
    const db = new Database(join(dataDir, 'repoless.sqlite'), { readonly: true });
    const { count } = db.prepare<[], { count: number }>('select count(*) as count from short_lived').get() ?? { count: 0 };
    db.close();
    return count === 1;
  }
});
