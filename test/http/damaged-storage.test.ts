import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { connectWriter, Database } from '@repoless/service/db/sqlite/connect.ts';
import { yieldToEventLoop } from '@repoless/service/domain/fair-share.ts';
import { newSecretKeys } from '@repoless/service/secrets/secret-box.ts';
import { tokenOf } from '../support/token-of.ts';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ask } from '../support/ask.ts';
import { callsAs, migrated, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { type Account, buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const as = OPERATOR;
const SITE = '/config/wknd/sites/site.json';

describe('the health of PostgreSQL', () => {
  const engine = postgresEngine();

  it('names the table with a damaged page', async () => {
    const cluster = await stopAfterTest(startPostgres());
    const databaseUrl = await cluster.database(migrated);
    const backend = await stopAfterTest(startTestBackend({ open: (dataDir) => openStore({ dataDir, databaseUrl }) }));
    expect((await backend.call('PUT', SITE, { as, body: siteBody('wknd', 'site') })).status).toBe(201);
    const [location] = await executePostgres(databaseUrl, "select pg_relation_filepath('versions') as file");
    await executePostgres(databaseUrl, 'checkpoint');
    const file = openSync(join(dirname(cluster.socket), 'data', String(location?.['file'])), 'r+');
    writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, 0);
    closeSync(file);
    await cluster.restart();

    const versions = () => backend.call('GET', '/config/wknd/sites/site/versions.json', { as });
    await vi.waitFor(async () => expect((await versions()).code).toBe('STORAGE_DAMAGED'), { timeout: 10_000 });
    const problem = 'The table "versions" of the database is damaged. Its operator must restore it from a backup.';
    await expect.poll(async () => (await backend.call('GET', '/health')).json()).toEqual({ status: 'failing', problem });
  });

  it('fails if the database is read-only', async () => {
    const { options, open } = await engine.newDatabase();
    const backend = await startTestBackend({ open, dryRun: false });
    await executePostgres(
      options.databaseUrl ?? '',
      `do $$ begin
      execute format('alter database %I set default_transaction_read_only = on', current_database());
    end $$`,
    );
    await engine.cutConnections();
    const failing = {
      status: 'failing',
      problem: 'The storage can be read but not written; nothing was changed. Its operator must make it writable.',
    };
    await vi.waitFor(async () => expect((await backend.call('GET', '/health')).json()).toEqual(failing), { timeout: 10_000 });
    expect(await backend.call('PUT', SITE, { as, body: siteBody('wknd', 'site') })).toMatchObject({ status: 503, error: failing.problem });
    await backend.stop();
  });
});

describe('the health of the embedded storage', () => {
  it.each([
    'orgs',
    'sites',
    'profiles',
    'versions',
    'audit',
    'audit_heads',
    'api_keys',
    'secrets',
    'code_jobs',
    'code_branches',
    'short_lived',
    'session_ends',
  ])('names the table with a damaged page, whether or not it is read: %s', async (table) => {
    const folder = await stopAfterTest(temporaryDirectory());
    await fill(folder.path);
    damagePage(join(folder.path, 'repoless.sqlite'), table);
    const backend = await stopAfterTest(startTestBackend({ claim: false, open: () => openStore({ dataDir: folder.path }) }));
    // Do not wait for a health check that is slow on a busy machine.
    const health = async () => {
      const { status, headers, text } = await backend.call('GET', '/health');
      return [status, headers['x-error-code'], text];
    };
    const problem = `The table "${table}" of the database is damaged. Its operator must restore it from a backup.`;
    await expect.poll(health).toEqual([503, 'STORAGE_DAMAGED', expect.stringContaining(JSON.stringify(problem))]);
  });

  it('is ready if nothing is damaged', async () => {
    const folder = await stopAfterTest(temporaryDirectory());
    await fill(folder.path);
    const backend = await stopAfterTest(startTestBackend({ claim: false, open: () => openStore({ dataDir: folder.path }) }));
    expect((await backend.call('GET', '/health')).json()).toEqual({ status: 'ready' });
  });
});

describe('the files of a service', () => {
  it('are readable only by its own account, despite the umask 022 and wider modes of an earlier version', async () => {
    await buildBackend();
    const folder = await temporaryDirectory();
    const before = process.umask(0o022);
    try {
      const data = join(folder.path, 'data');
      await mkdir(data, { mode: 0o755 });
      await writeFile(join(data, 'repoless.sqlite'), '', { mode: 0o644 });
      await chmod(join(data, 'repoless.sqlite'), 0o644);
      const child = await startChildBackend(data);
      expect((await fetch(`${child.address}/health`)).status).toBe(200);
      const found = await readdir(data, { recursive: true, withFileTypes: true });
      expect(found.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['repoless.sqlite', 'repoless.sqlite-wal', 'signing-keys.json', 'secret-keys.json', 'code', 'mirrors']),
      );
      for (const entry of found) {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
        expect([entry.name, mode.toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
      }
      child.child.kill('SIGTERM');
      await child.ended;
    } finally {
      process.umask(before);
      await folder.remove();
    }
  });
});

async function fill(dataDir: string): Promise<void> {
  const backend = await startTestBackend({ open: () => openStore({ dataDir }) });
  for (let count = 0; count < 10; count += 1) {
    const body = siteBody('wknd', `site-${count}`, { description: 'x'.repeat(2000) });
    expect((await backend.call('PUT', `/config/wknd/sites/site-${count}.json`, { as, body })).status).toBe(201);
  }
  expect((await backend.call('POST', '/config/wknd/sites/site-0/secrets.json', { as })).status).toBe(201);
  await backend.stop();
  const db = connectWriter(join(dataDir, 'repoless.sqlite'));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Writes noise over the first page of a table. */
function damagePage(file: string, table: string): void {
  const db = connectWriter(file);
  const page = Number(db.prepare('select rootpage from sqlite_master where name = ?').pluck().get(table));
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

async function executePostgres(databaseUrl: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

it('a write to a full disk is answered 507 and stores nothing, and reads continue', async () => {
  // A dry run cannot predict a full disk.
  const backend = await stopAfterTest(startTestBackend({ dryRun: false, open: (dataDir) => openStore({ dataDir, maxPages: 125 }) }));
  const write = (count: number) => {
    const site = `site-${count}`;
    const body = siteBody('wknd', site, { public: publicPart(site), description: 'x'.repeat(8000) });
    return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
  };
  let count = 0;
  let answer = await write(count);
  while (answer.status === 201 && count < 200) answer = await write((count += 1));

  expect(answer).toMatchObject({ status: 507, code: 'STORAGE_FULL' });
  expect(answer.error).toMatch(/\w+ \w+.*\./);
  expect(answer.json()).toMatchObject({ code: 'STORAGE_FULL', requestId: answer.headers['x-request-id'] });
  expect((await backend.call('GET', `/config/wknd/sites/site-${count}.json`, { as: OPERATOR })).status).toBe(404);
  expect((await backend.visit('live', `main--site-${count}--wknd`, '/config.json')).status).toBe(404);
  expect((await backend.call('GET', '/config/wknd/sites/site-0.json', { as: OPERATOR })).status).toBe(200);
  expect((await backend.visit('live', 'main--site-0--wknd', '/config.json')).status).toBe(200);
});

let other: InstanceType<typeof Database>;
const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  other = new Database(join(backend.dataDir, 'repoless.sqlite'), { timeout: 0 });
  expect((await put('there')).status).toBe(201);
});
afterAll(async () => {
  other.close();
});

it('while another program locks the embedded database, reads succeed and writes are refused in time', async () => {
  other.exec('begin immediate');
  const ended: string[] = [];
  const writes = Array.from({ length: 30 }, async (_, index) => {
    const answer = await put(`site-${index}`);
    ended.push('write');
    return answer;
  });
  // Started after the writes, one after the other.
  for (let count = 0; count < 3; count += 1) {
    expect((await backend.visit('live', 'main--there--wknd', '/config.json')).status).toBe(200);
    ended.push('read');
  }
  const answers = await Promise.all(writes);
  expect(ended.slice(0, 3)).toEqual(['read', 'read', 'read']);
  for (const { status, headers } of answers)
    expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'STORAGE_UNAVAILABLE', '5']);
  other.exec('rollback');
  expect((await put('site-0')).status).toBe(201);
});

it('writes that wait for another program’s lock are stored in order when it ends', async () => {
  other.exec('begin immediate');
  const waiting = backend.store.shortLived.put('revoked-token', 'first', true, new Date(Date.now() + 60_000));
  const behind = backend.store.shortLived.put('revoked-token', 'second', true, new Date(Date.now() + 60_000));
  const order: string[] = [];
  const stored = [waiting.then(() => order.push('first')), behind.then(() => order.push('second'))];
  expect(await backend.store.reads.site('wknd', 'there')).toBeDefined();
  expect(order).toEqual([]);
  other.exec('rollback');
  await Promise.all(stored);
  expect(order).toEqual(['first', 'second']);
});

it('writes that wait for the same lock are refused together', async () => {
  other.exec('begin immediate');
  let refused = 0;
  const entry = { org: 'wknd', time: new Date(), user: as, action: 'put-org', requestId: 'r' };
  const writes = Array.from({ length: 10 }, () =>
    backend.store
      .write((to) => to.addAudit(entry))
      .catch(() => {
        refused += 1;
      }),
  );
  await Promise.race(writes);
  await yieldToEventLoop();
  expect(refused).toBe(10);
  other.exec('rollback');
});

function put(site: string) {
  return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body: siteBody('wknd', site, { public: publicPart(site) }) });
}

const Keys = z.object({ keys: z.array(z.unknown()) });
let dataDir: string;
const log: string[] = [];

const folder = startBeforeAll(() => temporaryDirectory());
beforeAll(async () => {
  dataDir = join(folder.path, 'data');
});

const start = (opened: () => void = () => undefined) =>
  startTestBackend({
    dryRun: false,
    claim: false,
    settings: { DATA_DIR: dataDir },
    logged: (line) => log.push(line),
    async open() {
      const store = await openStore({ dataDir });
      opened();
      return store;
    },
  });

it('a secret that could not be sealed again under the newest key is not reported as unreadable, and is sealed at the next start', async () => {
  const first = await start();
  const { done: call } = callsAs(first, OPERATOR);
  await call('PUT', '/config/wknd.json', {});
  await call('PUT', '/config/wknd/sites/one.json', siteBody('wknd', 'one'));
  await call('POST', '/config/wknd/sites/one/secrets/key.json', { value: 'the-value' });
  await call('POST', '/config/wknd/subscriptions.json', { channel: { type: 'webhook', url: 'https://hooks.example.com/' } });
  await first.stop();
  const file = join(dataDir, 'secret-keys.json');
  const [before, newer] = [await readFile(file, 'utf8'), newSecretKeys()].map((text) => Keys.parse(JSON.parse(text)).keys);
  await writeFile(file, JSON.stringify({ keys: [...(newer ?? []), ...(before ?? [])] }));

  const other = new Database(join(dataDir, 'repoless.sqlite'));
  const locked = await start(() => other.exec('begin immediate'));
  other.exec('rollback');
  other.close();
  expect(log.join('\n')).not.toContain('cannot be opened');
  expect(log.join('\n')).toContain(`Secrets could not be stored under the newest key of ${file}. Keep the older keys, and restart.`);
  expect((await locked.call('GET', '/ready')).status).toBe(200);
  await locked.stop();

  await stopAfterTest(start());
  expect(log.join('\n')).toContain('2 secrets were sealed again under the newest key.');
});

describe('read-only storage', () => {
  const FAILING = {
    status: 'failing',
    problem: 'The storage can be read but not written; nothing was changed. Its operator must make it writable.',
  };
  const SERVICE = 'http://repoless.example.com';

  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  let child: ChildBackend;
  let port: number;
  let data: string;
  let token: string;
  beforeAll(async () => {
    await buildBackend();
    folder = await temporaryDirectory();
    // Lets the program's account reach its own folder.
    await chmod(folder.path, 0o711);
    data = join(folder.path, 'data');
    await mkdir(data, { mode: 0o700 });
    await fill();
    token = await tokenOf(data, SERVICE);
    const account = unprivileged();
    if (account !== undefined) await giveTo(account);
    port = (await freePorts()).backend;
    const settings = {
      PORT: String(port),
      PUBLIC_ADDRESS: SERVICE,
      LIVE_DOMAIN: 'live.example.com',
      OPERATORS: OPERATOR,
      // Its account may not write to the folder in which programs record their answers.
      NODE_OPTIONS: '',
    };
    child = await startChildBackend(data, settings, { account });
  });
  afterAll(async () => {
    child.child.kill('SIGTERM');
    await child.ended;
    await folder.remove();
  });

  const call = (method: string, path: string, body?: unknown) =>
    ask(`http://127.0.0.1:${port}`, path, {
      method,
      host: new URL(SERVICE).host,
      headers: { 'x-auth-token': token },
      ...(body !== undefined && { body }),
    });
  const config = () => ask(`http://127.0.0.1:${port}`, '/config.json', { host: 'main--site--wknd.live.example.com' });
  const write = (title: string) => call('PUT', SITE, { version: 1, title });

  it('fails the health check and refuses changes but not reads, until it is writable again', async () => {
    expect((await write('Before')).status).toBe(200);
    for (const [path, readOnly, writable] of [
      [join(data, 'repoless.sqlite'), 0o400, 0o600],
      [data, 0o500, 0o700],
    ] as const) {
      await chmod(path, readOnly);
      const health = await call('GET', '/health');
      expect([health.status, health.json()]).toEqual([503, FAILING]);
      expect(await write('Behind')).toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE', error: FAILING.problem });
      expect(await call('GET', '/logout?everywhere=true')).toMatchObject({ status: 503, error: FAILING.problem });
      expect((await call('GET', SITE)).json()).toMatchObject({ title: 'Before' });
      expect((await config()).status).toBe(200);
      await chmod(path, writable);
      expect((await call('GET', '/health')).json()).toEqual({ status: 'ready' });
    }
    expect((await write('After')).status).toBe(200);
    expect((await call('GET', SITE)).json()).toMatchObject({ title: 'After' });
  });

  /** An organization with a site. */
  async function fill(): Promise<void> {
    const sites = { site: { public: publicPart('site') } };
    await (await startTestBackend({ open: () => openStore({ dataDir: data }), sites })).stop();
  }

  /** File modes do not restrict root, so as root the program runs under another account. */
  function unprivileged(): Account | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const id = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  }

  async function giveTo({ uid, gid }: Account): Promise<void> {
    for (const name of await readdir(data)) await chown(join(data, name), uid, gid);
    await chown(data, uid, gid);
  }
});
