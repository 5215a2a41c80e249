import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, it, vi, describe } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { publicPaths } from '../support/builders.ts';
import { buildCommandLine, temporaryDirectory, startChildBackend } from '../support/child-backend.ts';
import { endJob, githubOrigin, startCodeWorld } from '../support/code-world.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { MIGRATED } from '@repoless/service/db/migrate.ts';
import { z } from 'zod';

const WAIT = { timeout: 20_000, interval: 20 };

let file: string;
const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres, 120_000);
beforeAll(async () => {
  await buildCommandLine();
  file = join(folder.path, 'repoless.sqlite');
  await fillByCalls();
  fillRemainingTables();
}, 120_000);

it('copies every row of every table unchanged', { timeout: 120_000 }, async () => {
  const databaseUrl = await cluster.database();
  const before = embeddedRows(file);
  expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([]);
  expect(await operate(['move-database', databaseUrl], { DATA_DIR: folder.path })).toMatchObject({ status: 0, err: '' });
  expect(await operate(['verify-backup', databaseUrl], {})).toMatchObject({ status: 0, err: '' });
  await withClient(databaseUrl, async (client) => {
    expect(await differences(before, client)).toEqual([]);
    // Rows that are missing, added or changed would show in each table.
    for (const table of before.keys()) {
      for (const sql of [`delete from "${table}" where ctid = (select min(ctid) from "${table}")`, anotherValue(table)]) {
        await client.query('begin');
        await client.query(`alter table "${table}" disable trigger user`);
        await client.query(sql);
        expect(
          (await differences(before, client)).filter((one) => one.startsWith(`${table} `)),
          sql,
        ).not.toEqual([]);
        await client.query('rollback');
      }
      const [first, ...others] = before.get(table) ?? [];
      expect(first).toBeDefined();
      expect(await differences(new Map([[table, others]]), client)).toEqual([expect.stringContaining(`${table} has besides `)]);
    }
  });
  // The embedded database is unchanged.
  expect(embeddedRows(file)).toEqual(before);

  function anotherValue(table: string): string {
    const [name] = Object.entries(before.get(table)?.[0] ?? {}).findLast(([, value]) => typeof value === 'string') ?? [];
    return `update "${table}" set "${name}" = "${name}" || ' '`;
  }
});

it('copies nothing if the database stores less than it was given', async () => {
  expect(await operate(['move-database', '--back'], { DATA_DIR: folder.path })).toMatchObject({ status: 0, err: '' });
  const databaseUrl = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  await withClient(databaseUrl, async (client) => {
    await client.query('create function lose() returns trigger language plpgsql as $$ begin return null; end $$');
    await client.query("create trigger lose before insert on rollout_sites for each row when (new.site = 'two') execute function lose()");
    const refused = await operate(['move-database', databaseUrl], { DATA_DIR: folder.path });
    expect(refused).toMatchObject({
      status: 2,
      err: 'Of 2 rows of "rollout_sites" 1 arrived in the PostgreSQL database, so nothing was moved. Continue with the embedded one.\n',
    });
    const { rows } = await client.query('select org from orgs');
    expect(rows).toEqual([]);
  });
});

/** Data that the service stores in normal use. */
async function fillByCalls(): Promise<void> {
  const as = OPERATOR;
  const world = await startCodeWorld({
    settings: {
      DATA_DIR: folder.path,
      CODE_STORE: 'database',
      SIGNING_KEY_FILE: join(folder.path, 'signing-keys.json'),
      SECRET_KEY_FILE: join(folder.path, 'secret-keys.json'),
    },
    dryRun: false,
    open: () => openStore({ dataDir: folder.path }),
  });
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await world.backend.call(method, path, { as, ...(body !== undefined && { body }) });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  try {
    for (const site of ['one', 'two', 'gone']) {
      await world.register(site, {
        title: `“${site}” – Größe\n\\n 日本 🙂`,
        public: publicPaths(`/content/${site}`),
        robots: { txt: 'x' },
      });
    }
    await call('DELETE', '/config/wknd/sites/gone.json');
    await call('PUT', '/config/wknd/profiles/base.json', { public: { brand: 'one' } });
    await call('POST', '/config/wknd/sites/one/public.json', { ...publicPaths('/content/one'), further: '\u0001"' });
    for (const path of ['/sites/one/apiKeys', '/apiKeys']) await call('POST', `/config/wknd${path}.json`, { roles: ['author'] });
    await call('POST', '/config/wknd/sites/one/secrets.json');
    await call('POST', '/config/wknd/subscriptions.json', { channel: { type: 'webhook', url: 'http://127.0.0.1:9/nobody' } });
    await world.sync('one');
    await endJob(world.backend.store, githubOrigin('wknd', 'wknd'), { error: 'The repository does not respond.' });
    await call('POST', '/config/wknd/checks.json');
    const edits = [{ op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site}' }, by: 'key' }];
    await call('POST', '/config/wknd/rollouts.json', { title: 'Say where from', edits, sites: ['one', 'two'], waves: ['100%'] });
    for (const path of ['rollouts', 'checks'])
      await vi.waitFor(async () => expect((await call('GET', `/config/wknd/${path}.json`)).text).not.toContain('"running"'), WAIT);
    await call('GET', '/config/wknd/log/verification.json');
  } finally {
    await world.stop();
  }
}

/** Rows that would take longer to arise, generated from the columns of their tables. */
function fillRemainingTables(): void {
  const db = new Database(file);
  try {
    for (const [table, rows] of embeddedRows(file)) {
      if (rows.length > 0) continue;
      const columns = db.prepare<[string], { name: string; type: string }>('select name, type from pragma_table_info(?)').all(table);
      const insert = db.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`);
      for (let row = 1; row <= 3; row += 1) insert.run(columns.map(({ name, type }) => generated(name, type.toLowerCase(), row)));
    }
  } finally {
    db.close();
  }
}

function generated(name: string, type: string, row: number): string | number | Buffer {
  if (type === 'blob') return randomBytes(1000);
  return type === 'text' ? `${name} ${row} “Größe” \\ \n\t\u0001 日本 🙂` : row * 500_000_003;
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return await work(client).finally(() => client.end());
}

const Row = z.record(z.string(), z.unknown());
type Row = z.infer<typeof Row>;

/** The tables of an embedded database, with every row of each. */
function embeddedRows(file: string): Map<string, Row[]> {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const names = db
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
      .pluck()
      .all();
    return new Map(names.filter((name) => name !== MIGRATED).map((name) => [name, db.prepare<[], Row>(`select * from "${name}"`).all()]));
  } finally {
    db.close();
  }
}

/** PostgreSQL counts an organization's storage in several rows, one per writer. */
const ALL_SHARDS = `select org, 0 as shard, sum(sites)::int as sites, sum(versions)::int as versions, sum(bytes)::int as bytes,
  sum(secrets)::int as secrets, sum(api_keys)::int as api_keys from org_usage group by org`;

/** Every row that only one database has, with its table; a row with a different value is named twice. */
async function differences(embedded: ReadonlyMap<string, readonly Row[]>, postgres: pg.ClientBase): Promise<string[]> {
  const found: string[] = [];
  for (const [table, rows] of embedded) {
    const rowsOf = table === 'org_usage' ? `(${ALL_SHARDS})` : `"${table}"`;
    const { rows: there } = await postgres.query<{ row: unknown }>(`select row_to_json(one) as row from ${rowsOf} as one`);
    const [before, after] = [counted(rows), counted(there.map(({ row }) => Row.parse(row)))];
    for (const [row, count] of before) if ((after.get(row) ?? 0) < count) found.push(`${table} lacks ${row}`);
    for (const [row, count] of after) if ((before.get(row) ?? 0) < count) found.push(`${table} has besides ${row}`);
  }
  return found;
}

function counted(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const values = Object.entries(row).map(([name, value]) => [name, plain(value)] as const);
    const text = JSON.stringify(values.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** Converts bytes to PostgreSQL's notation in JSON. */
function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
describe('A moved database', () => {
  beforeAll(buildCommandLine, 120_000);

  it('a moved database is no longer used, unless an operator deliberately reverts', { timeout: 120_000 }, async () => {
    const dataDir = join(folder.path, 'moved');
    const file = join(dataDir, 'repoless.sqlite');
    await (await openStore({ dataDir })).close();
    const databaseUrl = await cluster.database();
    const settings = { DATA_DIR: dataDir };
    const target = databaseUrl.replace('postgres@', 'postgres:password@');
    const moved = await operate(['move-database', target], settings);
    expect(moved).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringMatching(/[Mm]oved.* Set DATABASE_URL, and start the service\.\n$/),
    });

    const sentence = `The embedded database was moved to ${databaseUrl}. `;
    const how = 'Set DATABASE_URL to that. To use the file again, without the changes made there since, run move-database --back.';
    for (const command of [
      ['backup', join(folder.path, 'stale')],
      ['jobs', 'list'],
      ['restore-backup', file],
      ['move-database', databaseUrl],
    ]) {
      const { status, out, err } = await operate(command, settings);
      expect([status, out], command.join(' ')).toEqual([2, '']);
      expect(err).toContain(sentence);
      expect(err).toContain(how);
    }
    await expect(startChildBackend(dataDir)).rejects.toThrow(sentence);
    // The new database works as before.
    expect(await operate(['jobs', 'list'], { ...settings, DATABASE_URL: databaseUrl })).toMatchObject({ status: 0 });

    expect(await operate(['move-database', '--back'], settings)).toMatchObject({
      status: 0,
      err: '',
      out: `The service can use ${file} again. Changes written to ${databaseUrl} since the move are not in it.\n`,
    });
    const { child, ended } = await startChildBackend(dataDir);
    child.kill();
    await ended;
    expect(await operate(['move-database', '--back'], settings)).toMatchObject({ status: 2, err: `${file} was not moved.\n` });
  });
});
