import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { randomBytes } from 'node:crypto';
import { chmod, link, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { sha256 } from '../support/blob-places.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { endJob, externalOrigin } from '../support/code-world.ts';
import { names, operate } from '../support/operate.ts';
import { execute, startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;

let running: TestBackend | undefined;
let port: number;
beforeAll(async () => {
  ({ backend: port } = await freePorts());
});
const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres);
beforeAll(buildCommandLine);
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('a restore', () => {
  it('is refused while the service runs, and for an incomplete copy; the database that it replaces is preserved', async () => {
    const { dataDir, copy } = await filled('restored');
    const backend = await start({ dataDir });
    const refused = await operate(['restore-backup', copy], { DATA_DIR: dataDir });
    expect(refused).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^The service runs on .*repoless\.sqlite\. Stop it first\.\n$/),
    });
    await backend.stop();
    running = undefined;

    const damaged = join(dataDir, 'damaged.sqlite');
    await writeFile(damaged, await readFile(copy));
    const db = new Database(damaged);
    db.exec(`update sites set config = replace(config, 'One', 'Two')`);
    db.close();
    const broken = await operate(['restore-backup', damaged], { DATA_DIR: dataDir });
    expect(broken).toMatchObject({ status: 2, err: expect.stringContaining('The copy is incomplete, so it was not restored.') });
    expect((await readdir(dataDir)).filter((name) => name.includes('replaced'))).toEqual([]);

    const done = await operate(['restore-backup', copy], { DATA_DIR: dataDir });
    expect(done).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /sites 2, .*: restored into .*repoless\.sqlite\. The previous database is kept as .*replaced-.*\nEverything revoked after the copy was made is valid again: /,
      ),
    });
    const replaced = (await readdir(dataDir)).find((name) => /replaced-[^.]*$/.test(name)) ?? '';
    expect(await operate(['verify-backup', join(dataDir, replaced)], {})).toMatchObject({ status: 0 });
    expect((await stat(join(dataDir, 'repoless.sqlite'))).mode & 0o777).toBe(0o600);
  });

  it('is refused while a node runs on PostgreSQL, and then restores the complete dump', async () => {
    const databaseUrl = await cluster.database();
    const dataDir = join(folder.path, 'postgres');
    const backend = await start({ dataDir, databaseUrl, claim: true });
    await fill(backend);
    const copy = join(folder.path, 'postgres.dump');
    const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    expect(await operate(['backup', copy], settings)).toMatchObject({ status: 0, err: '' });
    await backend.call('DELETE', '/config/wknd/sites/one.json', { as });
    const refused = await operate(['restore-backup', copy], settings);
    expect(refused).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^The service runs on this database \(.+\)\. Stop all nodes first\.\n$/),
    });
    await backend.stop();
    running = undefined;
    expect(await operate(['restore-backup', copy], settings)).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringMatching(
        /sites 2, .*: restored into postgres:\/\/postgres@localhost\/.*\.\nEverything revoked after the copy was made is valid again: /,
      ),
    });
    expect(await operate(['verify-backup', databaseUrl], {})).toMatchObject({ status: 0, out: expect.stringContaining('sites 2,') });
  });
});

describe('a copy', () => {
  it('is preserved if a new one cannot be made', async () => {
    const { dataDir, copy } = await filled('kept');
    const before = await readFile(copy);
    const failed = await operate(['backup', copy], { DATA_DIR: join(dataDir, 'nowhere') });
    expect(failed).toMatchObject({
      status: 2,
      err: expect.stringContaining('Set DATA_DIR, or DATABASE_URL, to the value that the service uses.'),
    });
    expect((await readFile(copy)).equals(before)).toBe(true);
    expect((await readdir(join(copy, '..'))).filter((name) => name.includes('copy.sqlite.'))).toEqual([]);
  });
});

describe('a file that the service has', () => {
  it('is never overwritten by a copy or archive, by whatever path, and the service continues to run', { timeout: 120_000 }, async () => {
    const { dataDir, copy } = await filled('targets');
    const [place, linked, same] = [join(dataDir, 'repoless.sqlite'), join(folder.path, 'linked'), join(dataDir, 'same.sqlite')];
    const backend = await start({ dataDir });
    const body = siteBody('wknd', 'one', { title: 'Now' });
    expect((await backend.call('PUT', '/config/wknd/sites/one.json', { as, body })).status).toBe(200);
    await symlink(dataDir, linked);
    await link(place, same);
    const keys = () => Promise.all(['signing', 'secret'].map((kind) => readFile(join(dataDir, `${kind}-keys.json`), 'utf8')));
    const before = await keys();
    const inside = [
      'repoless.sqlite',
      'repoless.sqlite-wal',
      'repoless.sqlite-shm',
      'service.lock',
      'signing-keys.json',
      'secret-keys.json',
    ];
    for (const file of [...inside.map((name) => join(dataDir, name)), join(linked, 'repoless.sqlite-wal'), same]) {
      expect(await operate(['backup', file], { DATA_DIR: dataDir })).toEqual({
        status: 2,
        out: '',
        err: `${file} is a file of the service, which the copy would overwrite. Specify another one.\n`,
      });
    }
    expect(await keys()).toEqual(before);
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as })).json()).toMatchObject({ title: 'Now' });
    expect(await operate(['backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
    await backend.stop();
    running = undefined;
    // Nothing exists there yet, but the service would use the file as its own.
    expect(await operate(['backup', `${place}-wal`], { DATA_DIR: dataDir })).toMatchObject({ status: 2, out: '' });
    for (const file of [place, copy]) expect(await operate(['verify-backup', file], {})).toMatchObject({ status: 0, err: '' });
  });
});

describe.each(['signing', 'secret'] as const)('%s keys', (kind) => {
  it('are added, used and removed by their names, and never printed', async () => {
    const { dataDir } = await filled(`keys-${kind}`);
    const file = join(dataDir, `${kind}-keys.json`);
    await chmod(file, 0o600);
    const keys = (...args: string[]) => operate(['keys', kind, ...args], { DATA_DIR: dataDir });
    const [first = ''] = await names(keys('list'));
    expect(await names(keys('add', '--last'))).toEqual([first, expect.any(String)]);
    const [, second = ''] = await names(keys('list'));
    expect(await names(keys('use', second))).toEqual([second, first]);
    expect(await keys('remove', second)).toMatchObject({ status: 2, err: expect.stringContaining('Use another one first') });
    expect(await keys('remove', 'none')).toMatchObject({
      status: 2,
      err: expect.stringContaining(`Its keys: ${second}, ${first}.`),
    });
    expect(await names(keys('remove', first))).toEqual([second]);
    expect(await names(keys('add'))).toEqual([expect.any(String), second]);
    const result = await keys('list');
    const text = await readFile(file, 'utf8');
    const secrets = [...text.matchAll(/"(?:d|key)": ?"([^"]+)"/g)].map(([, secret = '']) => secret);
    expect(secrets).toHaveLength(2);
    expect(secrets.filter((secret) => result.out.includes(secret))).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const backend = await start({ dataDir });
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as })).status).toBe(200);
  });
});

describe('a move to PostgreSQL', () => {
  it('copies and verifies everything, after which the service continues there', async () => {
    const { dataDir, token } = await filled('moved');
    const databaseUrl = await cluster.database();
    const code = randomBytes(400_000);
    await withStore({ dataDir }, ({ blobs }) => blobs.write(sha256(code), code));
    const reported = await withStore({ dataDir }, async (store) => {
      const channel = { type: 'email', to: as, digest: 'each' } as const;
      const subscription = { id: '0a', org: 'wknd', kinds: undefined, sites: undefined, channel, created: new Date(), createdBy: as };
      await store.write((writes) => writes.putSubscription(subscription));
      await endJob(store, externalOrigin('wknd'), { error: 'The repository does not respond.' });
      return await reportedBy(store);
    });
    const moved = await operate(['move-database', databaseUrl], { DATA_DIR: dataDir });
    expect(moved).toMatchObject({
      status: 0,
      out: expect.stringMatching(/sites 2, .*: moved\. Set DATABASE_URL, and start the service\.\n$/),
    });
    expect(await operate(['verify-backup', databaseUrl], {})).toMatchObject({ status: 0, err: '' });
    const usage = await execute(databaseUrl, 'select sum(sites)::int as sites, sum(versions)::int as versions from org_usage');
    expect(usage).toEqual([{ sites: 2, versions: expect.any(Number) }]);
    await withStore({ dataDir, databaseUrl }, async ({ blobs }) => expect(sha256(await blobs.read(sha256(code)))).toBe(sha256(code)));
    await withStore({ dataDir, databaseUrl }, async (store) => {
      expect(await reportedBy(store)).toEqual(reported);
      expect([reported.events.length, reported.deliveries.length]).toEqual([1, 1]);
      // It continues where it stopped: problems already reported are not reported again, and their end is.
      await endJob(store, externalOrigin('wknd'), { error: 'The repository does not respond.' });
      await endJob(store, externalOrigin('wknd'), {});
      const { events, deliveries } = await reportedBy(store);
      expect([events.map(({ phase }) => phase), deliveries.length]).toEqual([['ended', 'began'], 2]);
    });

    const backend = await start({ dataDir, databaseUrl });
    const headers = { 'x-auth-token': token };
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { headers })).status).toBe(200);
    expect(
      (await backend.call('PUT', '/config/wknd/sites/one.json', { as, body: siteBody('wknd', 'one', { title: 'After' }) })).status,
    ).toBe(200);
    const verified = await backend.call('GET', '/config/wknd/log/verification.json', { as });
    expect(verified.json()).toMatchObject({ intact: true });
  });

  it('is refused into a non-empty database, and while the service runs', async () => {
    const { dataDir } = await filled('not-moved');
    const databaseUrl = await cluster.database();
    const there = await openStore({ dataDir, databaseUrl });
    await there.shortLived.put('revoked-token', 'id', true, new Date(Date.now() + 60_000));
    await there.close();
    const full = await operate(['move-database', databaseUrl], { DATA_DIR: dataDir });
    expect(full).toMatchObject({
      status: 2,
      err: 'The PostgreSQL database is not empty: there are rows in "short_lived". Specify an empty one.\n',
    });
    expect(await operate(['verify-backup', databaseUrl], {})).toMatchObject({ out: expect.stringContaining('Organizations 0, sites 0,') });
    await start({ dataDir });
    const busy = await operate(['move-database', databaseUrl], { DATA_DIR: dataDir });
    expect(busy).toMatchObject({ status: 2, err: expect.stringContaining('Stop it first.') });
  });
});

it.each([
  [[], 'Choose a command.'],
  [['dance'], 'Unknown command "dance".'],
  [['backup'], 'Specify the file for the copy'],
  [['restore-backup'], 'Specify the copy'],
  [['keys', 'gold', 'list'], 'Specify the kind of key'],
  [['keys', 'secret', 'list'], 'cannot be read. Set SECRET_KEY_FILE'],
  [['move-code', '--to', 'ftp://x'], 'Specify where to move the code'],
  [['move-code', '--to', 'folder'], 'The code is already there'],
  [['move-database', 'sqlite:x'], 'Specify the database to move to'],
])('refuses %j with its usage, and does nothing', async (args, sentence) => {
  const result = await operate(args, { DATA_DIR: join(folder.path, 'none') }, 'backend/dist/administration/main.js');
  expect(result).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
});

async function reportedBy({ events }: Store) {
  return { events: await events.events('wknd', { limit: 10 }), deliveries: await events.deliveries('0a', 10) };
}

/** A closed database, with a copy, its keys, and a valid token. */
async function filled(name: string) {
  const dataDir = join(folder.path, name);
  const backend = await start({ dataDir, claim: true });
  await fill(backend);
  const copy = join(dataDir, 'copy.sqlite');
  expect(await operate(['backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
  const token = await backend.token(as);
  await backend.stop();
  running = undefined;
  return { dataDir, copy, token };
}

async function start({ dataDir, databaseUrl, claim = false }: Place): Promise<TestBackend> {
  const open = () => openStore({ dataDir, ...(databaseUrl !== undefined && { databaseUrl }) });
  running = await startTestBackend({ settings: { DATA_DIR: dataDir, PORT: String(port) }, open, claim });
  return running;
}

async function withStore<T>(place: { dataDir: string; databaseUrl?: string }, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place);
  return await work(store).finally(() => store.close());
}

interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly claim?: boolean;
}

async function fill(backend: TestBackend): Promise<void> {
  for (const [index, site] of ['one', 'two'].entries()) {
    const body = siteBody('wknd', site, { title: ['One', 'Zwei – “zwei”'][index], public: publicPart(site) });
    expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body })).status).toBe(201);
  }
  const key = await backend.call('POST', '/config/wknd/sites/one/apiKeys.json', { as, body: { roles: ['author'] } });
  const secret = await backend.call('POST', '/config/wknd/sites/one/secrets.json', { as });
  expect([key.status, secret.status]).toEqual([201, 201]);
}
