import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { buildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { migrated } from '../support/migrated.ts';
import { startPostgres } from '../support/postgres.ts';

const as = OPERATOR;
const SITE = '/config/wknd/sites/site.json';

describe('the health of PostgreSQL', () => {
  const engine = postgresEngine();

  it('names the table whose page was found damaged, until it is mended', async () => {
    const cluster = await startPostgres();
    const databaseUrl = await cluster.database(migrated);
    const backend = await startTestBackend({ open: (dataDir) => openStore({ dataDir, databaseUrl }) });
    expect((await backend.call('PUT', SITE, { as, body: siteBody('wknd', 'site') })).status).toBe(201);
    const [place] = await executePostgres(databaseUrl, "select pg_relation_filepath('versions') as file");
    await executePostgres(databaseUrl, 'checkpoint');
    const file = openSync(join(dirname(cluster.socket), 'data', String(place?.['file'])), 'r+');
    writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, 0);
    closeSync(file);
    await cluster.restart();

    const versions = () => backend.call('GET', '/config/wknd/sites/site/versions.json', { as });
    await vi.waitFor(async () => expect((await versions()).headers['x-error-code']).toBe('STORAGE_DAMAGED'), { timeout: 10_000 });
    const problem = 'The table "versions" of the database is damaged. Its operator must restore it from a backup.';
    await expect.poll(async () => (await backend.call('GET', '/health')).json()).toEqual({ status: 'failing', problem });
    await backend.stop();
    await cluster.stop();
  });

  it('fails where the database can be read only', async () => {
    const { options, open } = await engine.place();
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
    const write = await backend.call('PUT', SITE, { as, body: siteBody('wknd', 'site') });
    expect([write.status, write.headers['x-error']]).toEqual([503, failing.problem]);
    await backend.stop();
  });
});

describe('the health of the embedded storage', () => {
  let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    folder = await temporaryDirectory();
  });
  afterEach(() => folder.remove());

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
  ])('names the table whose page is damaged, whether or not anybody reads it: %s', async (table) => {
    await fill(folder.path);
    damagePage(join(folder.path, 'repoless.sqlite'), table);
    const backend = await startTestBackend({ claim: false, open: () => openStore({ dataDir: folder.path }) });
    // A look that takes long on a busy machine is not waited for.
    const health = async () => {
      const { status, headers, text } = await backend.call('GET', '/health');
      return [status, headers['x-error-code'], text];
    };
    const problem = `The table "${table}" of the database is damaged. Its operator must restore it from a backup.`;
    await expect.poll(health).toEqual([503, 'STORAGE_DAMAGED', expect.stringContaining(JSON.stringify(problem))]);
    await backend.stop();
  });

  it('is well where nothing is damaged', async () => {
    await fill(folder.path);
    const backend = await startTestBackend({ claim: false, open: () => openStore({ dataDir: folder.path }) });
    expect((await backend.call('GET', '/health')).json()).toEqual({ status: 'ready' });
    await backend.stop();
  });
});

describe('the files of a service', () => {
  it('are readable for its own account alone, whatever the umask is, those of an earlier version included', async () => {
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
