import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuditVerification } from '#contract/audit.ts';
import { openStore } from '#backend/storage/open-store.ts';
import { openTrailKeys } from '#backend/storage/secret-key-file.ts';
import { Database } from '#backend/storage/sqlite/driver.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import type { PostgresCluster } from '../support/postgres.ts';
import { openFolder } from './command.ts';

const as = OPERATOR;
const PROGRAM = new URL('../../dist/backend/administration/main.js', import.meta.url).pathname;

let cluster: PostgresCluster;
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let running: TestBackend | undefined;
const folders: (typeof folder)[] = [];
beforeAll(async () => {
  [cluster, folder] = await Promise.all([startPostgres(), temporaryDirectory(), buildCommandLine()]);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all(folders.splice(0).map((one) => one.remove()));
});
afterAll(async () => {
  await cluster.stop();
  await folder.remove();
});

describe.each(['SQLite', 'PostgreSQL'])('the audit trails of a service that runs on %s', (engine) => {
  it('are shortened while people read and write, and what was removed is in the archive', { timeout: 120_000 }, async () => {
    const { backend, settings, dataDir } = await start(engine, 1200);
    const before = await entriesOf(backend);
    const [first, second] = [join(dataDir, 'archive/first.ndjson'), join(dataDir, 'archive/second.ndjson')];
    let goesOn = true;
    let written = 0;
    const using = (async () => {
      for (; goesOn; written += 1) {
        const { status, text } = await put(backend, `site-${written}`);
        expect(status, text).toBe(201);
        expect(await verification(backend)).toMatchObject({ intact: true });
      }
    })();
    const pruned = await prune(settings, first);
    goesOn = false;
    await using;
    expect(pruned).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringMatching(/^wknd: entries 1\d\d\d, up to 1\d\d\d, hash [0-9a-f]{64}\.\nEntries 1\d\d\d: removed\. Keep /),
    });
    expect(written).toBeGreaterThan(0);
    expect((await stat(first)).mode & 0o777).toBe(0o600);

    const archived = await archive(first);
    const last = archived.at(-1);
    expect(archived.map(({ seq }) => seq)).toEqual(archived.map((_, index) => index + 1));
    expect(archived.slice(0, before.length)).toEqual(before.slice(0, archived.length));
    const left = await entriesOf(backend);
    expect(left[0]).toMatchObject({ seq: archived.length + 1, previous: last?.hash });
    const found = await verification(backend);
    expect(found).toMatchObject({ intact: true, verified: { from: archived.length + 1 }, removed: { entry: last?.seq, hash: last?.hash } });

    expect(await verifyArchives(settings, first)).toEqual({
      status: 0,
      err: '',
      out: `${first}: entries 1 to ${last?.seq} of "wknd" are unaltered.\n`,
    });
    // What is shortened further goes on from the first archive.
    await sealed(backend);
    expect(await prune(settings, second)).toMatchObject({ status: 0, err: '' });
    expect(await verifyArchives(settings, first)).toMatchObject({
      status: 1,
      err: expect.stringContaining(`Specify the archive that continues with entry ${archived.length + 1}.`),
    });
    expect(await verifyArchives(settings, first, second)).toMatchObject({ status: 0, err: '' });
    const place = engine === 'SQLite' ? join(dataDir, 'repoless.sqlite') : (settings['DATABASE_URL'] ?? '');
    expect(await operate(['verify-backup', place, join(dataDir, 'secret-keys.json')], {})).toMatchObject({ status: 0, err: '' });
  });

  it('are whole wherever the command is cut off, and it goes on when it is given again', { timeout: 120_000 }, async () => {
    const { backend, settings, dataDir } = await start(engine, 6000);
    const before = await entriesOf(backend);
    const [first, second] = [join(dataDir, 'first.ndjson'), join(dataDir, 'second.ndjson')];
    const child = spawn(process.execPath, [PROGRAM, ...pruneArgs(first)], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await expect.poll(() => backend.store.reads.auditAnchor('wknd'), { timeout: 60_000, interval: 1 }).toBeDefined();
    child.kill('SIGKILL');
    await ended;
    const { removed, intact } = await verification(backend);
    expect([intact, removed?.entry]).toEqual([true, expect.any(Number)]);
    expect(removed?.entry).toBeLessThan(before.length - 1);
    expect((await entriesOf(backend)).map(({ seq }) => seq)).toEqual(before.slice(removed?.entry).map(({ seq }) => seq));
    expect(await verifyArchives(settings, first)).toMatchObject({ status: 0, err: '' });

    expect(await prune(settings, first)).toMatchObject({ status: 2, err: expect.stringContaining('already exists. Specify another one') });
    expect(await prune(settings, second)).toMatchObject({ status: 0, err: '' });
    expect(await archive(first)).toEqual(before.slice(0, -1));
    expect(await archive(second)).toEqual(before.slice(removed?.entry, -1));
    expect(await verifyArchives(settings, first, second)).toMatchObject({ status: 0, err: '' });
    expect(await verification(backend)).toMatchObject({ intact: true, verified: { from: before.length } });
  });
});

it(
  'nothing is removed of a trail that is not as it was written, or not of the organization that is named',
  { timeout: 120_000 },
  async () => {
    const { backend, settings, dataDir } = await start('SQLite', 20);
    const file = join(dataDir, 'archive.ndjson');
    // A name that is misspelt has no old entries either.
    expect(await prune(settings, file, '--org', 'other')).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(/^No organization "other" has an audit trail here\. Check its name/),
    });
    for (const args of [[], ['--org', 'wknd']]) {
      expect(await operate(['audit', 'prune', '--before', '2020-01-01', '--archive', file, ...args], settings)).toMatchObject({
        status: 0,
        err: '',
        out: expect.stringMatching(/^No sealed entry is old enough\. Nothing was removed, and no archive was created\.\n/),
      });
    }
    const before = await entriesOf(backend);
    for (const [seq, sentence] of [
      [before.length, 'so nothing was removed'],
      [3, 'Entry 3 was altered'],
    ] as const) {
      tamper(dataDir, `update audit set changed_by = 'eve@example.com' where seq = ${seq}`);
      expect(await prune(settings, file)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
      await expect(stat(file)).rejects.toThrow('ENOENT');
      expect(await entriesOf(backend)).toHaveLength(before.length);
      tamper(dataDir, `update audit set changed_by = '${as}' where seq = ${seq}`);
    }
    expect(await prune(settings, file)).toMatchObject({ status: 0 });
  },
);

it('an archive that was altered, or is of another trail, is found out', { timeout: 120_000 }, async () => {
  const { settings, dataDir } = await start('SQLite', 20);
  const file = join(dataDir, 'archive.ndjson');
  expect(await prune(settings, file)).toMatchObject({ status: 0 });
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const altered = join(dataDir, 'altered.ndjson');
  const verify = async (changed: readonly string[]) => {
    await writeFile(altered, changed.map((line) => `${line}\n`).join(''));
    return await verifyArchives(settings, altered);
  };
  const [, , third = ''] = lines;
  expect(await verify(lines.with(2, third.replace(as, 'eve@example.com')))).toMatchObject({
    status: 2,
    err: `Line 3 of ${altered} was altered. Entry 3 was altered or moved.\n`,
  });
  expect(await verify(lines.toSpliced(2, 1))).toMatchObject({ status: 2, err: expect.stringContaining('Entry 3 is missing') });
  expect(await verify(lines.with(2, '{}'))).toMatchObject({ status: 2, err: `Line 3 of ${altered} was altered.\n` });
  expect(await verify([])).toMatchObject({ status: 2, err: `There are no entries in ${altered}.\n` });
  expect(await verify(lines.slice(0, -1))).toMatchObject({ status: 1, err: expect.stringContaining('later entries were removed, too') });
  await running?.stop();
  const elsewhere = await start('SQLite', 20);
  expect(await prune(elsewhere.settings, join(elsewhere.dataDir, 'own.ndjson'))).toMatchObject({ status: 0 });
  expect(await verifyArchives(elsewhere.settings, file)).toMatchObject({
    status: 1,
    err: expect.stringContaining('does not continue from these archives'),
  });
});

it('"repoless verify-log" says what was removed', async () => {
  const { backend, settings, dataDir } = await start('SQLite', 20);
  expect(await prune(settings, join(dataDir, 'archive.ndjson'))).toMatchObject({ status: 0 });
  const commands = await openFolder();
  const env = { REPOLESS_TOKEN: await backend.token(as), REPOLESS_SERVICE: backend.address };
  const { code, out } = await commands.repoless(['verify-log', '--organization', 'wknd'], { env });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^All 1 entries .*\nEntries up to 20 were removed at 20.*Z, .* archive\. .*\nIt is sealed up to entry 21/),
  ]);
  await commands.remove();
});

it.each([
  [[], 'Choose one: audit prune'],
  [['prune'], 'Say how old, and where to'],
  [['prune', '--before', 'yesterday', '--archive', 'x'], '"yesterday" is not a date.'],
  [['prune', '--before', '9999-01-01', '--archive', 'x'], 'is in the future.'],
  [['prune', '--until', '2020-01-01'], "Unknown option '--until'"],
  [['prune', '--before', '2020-01-01', '--archive', 'x'], 'The secret key file '],
  [['verify-archive'], 'Specify the archives'],
])('says how "audit %j" is written, and does nothing', async (args, sentence) => {
  const said = await operate(['audit', ...args], { DATA_DIR: join(folder.path, 'none') }, 'dist/backend/administration/main.js');
  expect(said).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
});

/** A service that runs, whose organization has so many entries beside that of its claim, all of them sealed. */
async function start(engine: string, count: number) {
  const own = await temporaryDirectory();
  folders.push(own);
  const { path: dataDir } = own;
  const databaseUrl = engine === 'SQLite' ? undefined : await cluster.database();
  const trailKeys = await openTrailKeys(join(dataDir, 'secret-keys.json'));
  const open = () => openStore({ dataDir, trailKeys, ...(databaseUrl !== undefined && { databaseUrl }) });
  running = await startTestBackend({ settings: { DATA_DIR: dataDir }, open, dryRun: false });
  const { store } = running;
  const about = { org: 'wknd', site: 'site', user: as, action: 'put-site', requestId: 'r', from: 1, to: 2 };
  for (let begun = 0; begun < count; begun += 200) {
    const some = Array.from({ length: Math.min(200, count - begun) });
    await Promise.all(some.map(() => store.write((writes) => writes.addAudit({ ...about, time: new Date() }))));
  }
  await sealed(running);
  return { backend: running, dataDir, settings: { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) } };
}

async function sealed({ store: { reads } }: TestBackend): Promise<void> {
  const { entries } = await reads.auditHead('wknd');
  await expect.poll(async () => (await reads.auditSeal('wknd'))?.entry, { timeout: 30_000 }).toBe(entries);
}

function put(backend: TestBackend, site: string) {
  return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body: siteBody('wknd', site) });
}

async function verification(backend: TestBackend): Promise<AuditVerification> {
  return AuditVerification.parse((await backend.call('GET', '/config/wknd/log/verification.json', { as })).json());
}

function entriesOf({ store: { reads } }: TestBackend) {
  return reads.auditChain('wknd', { after: 0, limit: 100_000 });
}

function pruneArgs(file: string): string[] {
  return ['audit', 'prune', '--before', new Date().toISOString(), '--archive', file];
}

function prune(settings: Record<string, string>, file: string, ...more: readonly string[]) {
  return operate([...pruneArgs(file), ...more], settings);
}

function verifyArchives(settings: Record<string, string>, ...files: readonly string[]) {
  return operate(['audit', 'verify-archive', ...files], settings);
}

async function archive(file: string): Promise<{ seq: number; hash: string }[]> {
  return (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function tamper(dataDir: string, sql: string): void {
  const db = new Database(join(dataDir, 'repoless.sqlite'));
  db.exec(sql);
  db.close();
}
