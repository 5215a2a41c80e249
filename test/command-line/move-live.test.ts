import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Site } from '#contract/site.ts';
import { Database } from '#backend/storage/sqlite/driver.ts';
import { openStore } from '#backend/storage/open-store.ts';
import { openTrailKeys } from '#backend/storage/secret-key-file.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { differences, embeddedRows } from '../support/database-differences.ts';
import { endJob, externalOrigin } from '../support/end-job.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import type { PostgresCluster } from '../support/postgres.ts';

const as = OPERATOR;
const PROGRAM = new URL('../../dist/backend/administration/main.js', import.meta.url).pathname;
const SITES = ['one', 'two', 'three'];
const PATIENT = { timeout: 60_000, interval: 20 };

let cluster: PostgresCluster;
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let running: TestBackend | undefined;
beforeAll(async () => {
  [cluster] = await Promise.all([startPostgres(), buildCommandLine()]);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await folder.remove();
});
afterAll(() => cluster.stop());

it('nothing that was acknowledged is missing after a move while people write', { timeout: 180_000 }, async () => {
  const backend = await start();
  const databaseUrl = await cluster.database();
  const writers = SITES.map((site) => writesOf(backend, site));
  const move = startMove(databaseUrl);
  await expect.poll(move.said, PATIENT).toContain('Stop the service now.');

  // People read meanwhile; whoever writes is told to come again.
  expect((await backend.call('GET', '/config/wknd/sites/one.json', { as })).status).toBe(200);
  await expect.poll(() => writers.every(({ refused }) => refused() > 0), PATIENT).toBe(true);
  expect(await readdir(dataDir)).toContainEqual(expect.stringContaining('.moving-'));
  await Promise.all(writers.map(({ end }) => end()));
  await stop();
  expect(await move.ended()).toEqual({ status: 0, err: '' });
  expect(move.said()).toMatch(
    /: copied\. The service continues\.\n.*\nRows that changed in the meantime: [1-9]\d*\. .*\nRows that changed at the end: \d+\. Moved, \d+\.\d s after writes were refused\. Set DATABASE_URL/,
  );
  expect((await readdir(dataDir)).filter((name) => name.includes('.moving-'))).toEqual([]);

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  expect(await differences(embeddedRows(join(dataDir, 'repoless.sqlite')), client)).toEqual([]);
  await client.end();
  expect(await operate(['verify-backup', databaseUrl, join(dataDir, 'secret-keys.json')], {})).toMatchObject({ status: 0, err: '' });
  const after = await start(databaseUrl);
  for (const { site, acknowledged } of writers) {
    const { title } = Site.parse((await after.call('GET', `/config/wknd/sites/${site}.json`, { as })).json());
    expect([site, title]).toEqual([site, acknowledged()]);
  }
  expect((await write(after, 'one', 'Goes on')).status).toBe(200);
  expect((await after.call('GET', '/config/wknd/log/verification.json', { as })).json()).toMatchObject({ intact: true });
});

it('what is removed, made anew, exchanged, shortened and told of meanwhile is so afterwards, too', { timeout: 180_000 }, async () => {
  const backend = await start();
  const databaseUrl = await cluster.database();
  const { store } = backend;
  for (const site of SITES) expect((await write(backend, site, 'Before')).status).toBeLessThan(300);
  const channel = { type: 'email', to: as, digest: 'each' } as const;
  const subscription = { id: '0a', org: 'wknd', kinds: undefined, sites: undefined, channel, created: new Date(), createdBy: as };
  await store.write((writes) => writes.putSubscription(subscription));
  await endJob(store, externalOrigin('wknd'), { error: 'The repository does not respond.' });
  change(`insert into site_checks (org, site, revision, state, version, checked_at, summary, looks)
    values ('wknd', 'three', 1, 'well', 1, '2026-11-01T00:00:00.000Z', '{}', '{}')`);
  change(`insert into code_branches (key, ref, branch, sha, manifest, bytes) values ('github:wknd/code', 'one', 'one', 'before', 'm', 1)`);
  change(`insert into authoring_hosts (host, org) values ('author-p100-e200.example.com', 'wknd')`);
  await sealed(backend);
  // The snapshot is made by then; the rest is held up until the tables of PostgreSQL are free.
  const client = new pg.Client({ connectionString: databaseUrl });
  await (await openStore({ dataDir, databaseUrl })).close();
  await client.connect();
  await client.query('begin; lock table orgs in access exclusive mode');
  const move = startMove(databaseUrl);
  const waits = `select count(*)::int as count from pg_locks where not granted`;
  await expect.poll(async () => (await client.query<{ count: number }>(waits)).rows[0]?.count, PATIENT).toBeGreaterThan(0);

  const withRootOf = (site: string, other: string) =>
    backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body: siteBody('wknd', site, { public: publicPart(other) }) });
  expect((await backend.call('DELETE', '/config/wknd/sites/one.json', { as })).status).toBe(204);
  expect((await withRootOf('two', 'one')).status).toBe(200);
  expect((await withRootOf('one', 'two')).status).toBe(201);
  expect((await write(backend, 'three', 'After')).status).toBe(200);
  change('update event_deliveries set attempts = attempts + 1');
  change(`update code_branches set sha = 'after'`);
  await endJob(store, externalOrigin('wknd'), {});
  const archive = join(dataDir, 'audit.ndjson');
  await sealed(backend);
  expect(
    await operate(['audit', 'prune', '--before', new Date().toISOString(), '--archive', archive], { DATA_DIR: dataDir }),
  ).toMatchObject({ status: 0, err: '' });
  await client.query('rollback');
  await expect.poll(move.said, PATIENT).toContain('Stop the service now.');
  await stop();
  expect(await move.ended()).toEqual({ status: 0, err: '' });
  const moved = embeddedRows(join(dataDir, 'repoless.sqlite'));
  for (const table of ['site_checks', 'event_deliveries', 'event_delivery_items', 'audit_anchors', 'asked_branches', 'authoring_hosts'])
    expect(moved.get(table)).not.toEqual([]);
  expect(await differences(moved, client)).toEqual([]);
  await client.end();
  const keys = join(dataDir, 'secret-keys.json');
  expect(await operate(['verify-backup', databaseUrl, keys], {})).toMatchObject({ status: 0, err: '' });
});

it.each([
  ['given up', [], 'SIGINT', 'The move was canceled. The service continues with SQLite'],
  ['not ended in time', ['--wait', '0'], undefined, 'The service was not stopped. The service continues with SQLite'],
] as const)('the service goes on where the move is %s', { timeout: 120_000 }, async (_how, args, signal, sentence) => {
  const backend = await start();
  expect((await write(backend, 'one', 'Before')).status).toBe(201);
  const move = startMove(await cluster.database(), args);
  await expect.poll(move.said, PATIENT).toContain('Stop the service now.');
  if (signal !== undefined) move.child.kill(signal);
  expect(await move.ended()).toEqual({ status: 2, err: expect.stringContaining(sentence) });
  expect((await write(backend, 'one', 'After')).status).toBe(200);
  expect((await readdir(dataDir)).filter((name) => name.includes('.moving-'))).toEqual([]);
});

async function start(databaseUrl?: string): Promise<TestBackend> {
  if (databaseUrl === undefined) {
    folder = await temporaryDirectory();
    dataDir = folder.path;
  }
  const trailKeys = await openTrailKeys(join(dataDir, 'secret-keys.json'));
  const open = () => openStore({ dataDir, trailKeys, ...(databaseUrl !== undefined && { databaseUrl }) });
  running = await startTestBackend({ settings: { DATA_DIR: dataDir }, open, dryRun: false, claim: databaseUrl === undefined });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

function write(backend: TestBackend, site: string, title: string) {
  return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body: siteBody('wknd', site, { title, public: publicPart(site) }) });
}

/** What the service stores by itself now and then. */
function change(sql: string): void {
  const db = new Database(join(dataDir, 'repoless.sqlite'));
  db.exec(sql);
  db.close();
}

async function sealed({ store: { reads } }: TestBackend): Promise<void> {
  const { entries } = await reads.auditHead('wknd');
  await expect.poll(async () => (await reads.auditSeal('wknd'))?.entry, PATIENT).toBe(entries);
}

/** Somebody who writes one site again and again. */
function writesOf(backend: TestBackend, site: string) {
  let [goesOn, last, refused] = [true, '', 0];
  const writing = (async () => {
    for (let count = 1; goesOn; count += 1) {
      const title = `Written ${count} times`;
      const { status, headers, text } = await write(backend, site, title);
      if (status < 300) last = title;
      else {
        expect([status, headers['x-error-code'], headers['retry-after']], text).toEqual([503, 'STORAGE_UNAVAILABLE', '5']);
        refused += 1;
      }
    }
  })();
  const end = () => {
    goesOn = false;
    return writing;
  };
  return { site, acknowledged: () => last, refused: () => refused, end };
}

function startMove(databaseUrl: string, args: readonly string[] = []) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [PROGRAM, 'move-database', '--live', ...args, databaseUrl],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const exit = once(child, 'close');
  return {
    child,
    said: () => out + err,
    async ended() {
      await exit;
      return { status: child.exitCode, err };
    },
  };
}
