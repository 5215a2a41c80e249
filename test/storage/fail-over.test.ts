import { openStore } from '@repoless/service/db/open-store.ts';
import { serverAddresses } from '@repoless/service/db/postgres/server-addresses.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type AbsentStandby, startStandby, startWithoutStandby } from '../support/absent-standby.ts';
import { org, siteWrite } from '../support/builders.ts';
import { startPostgres } from '../support/postgres.ts';
import { stopAfterTest } from '../support/start-before-all.ts';
import { putSite } from './put-site.ts';

const LONG = { timeout: 120_000 };

/** Writes sites until this many are acknowledged, each attempt a new one. Adds the errors of failed attempts to `failures`. */
async function write(store: Store, writer: string, count: number, failures: Set<string>): Promise<string[]> {
  const stored: string[] = [];
  let attempt = 0;
  while (stored.length < count) {
    await vi.waitFor(
      async () => {
        const name = `${writer}-${(attempt += 1)}`;
        await putSite(store, siteWrite(name)).catch((error: unknown) => {
          failures.add(String(Object(error).code));
          throw error;
        });
        stored.push(name);
      },
      { timeout: 30_000, interval: 20 },
    );
  }
  return stored;
}

const LOSSES = [
  ['document', 'delete from sites where site = $1'],
  ['document', 'update sites set config = replace(config, \'"version"\', \'"revision"\') where site = $1'],
  ['version', 'delete from versions where item = $1'],
  ['version', "update versions set data = '{}' where item = $1"],
  ['audit entry', 'delete from audit where site = $1'],
] as const;

/** What the database lacks of acknowledged writes: document, version or entry of the audit trail. */
async function lost(client: pg.Client, acknowledged: readonly string[]): Promise<string[]> {
  const { rows: sites } = await client.query<{ site: string; config: string }>('select site, config from sites');
  const { rows: versions } = await client.query<{ item: string; data: string }>('select item, data from versions where version = 1');
  const { rows: audit } = await client.query<{ site: string }>("select site from audit where action = 'put-site' and to_version = 1");
  const documents = new Map(sites.map(({ site, config }) => [site, config]));
  const first = new Map(versions.map(({ item, data }) => [item, data]));
  const audited = new Set(audit.map(({ site }) => site));
  return acknowledged.flatMap((name) => {
    const given = siteWrite(name).config;
    const isGiven = (text: string | undefined) => text !== undefined && isDeepStrictEqual(JSON.parse(text), given);
    const missing = [
      !isGiven(documents.get(name)) && 'document',
      !isGiven(first.get(name)) && 'version',
      !audited.has(name) && 'audit entry',
    ];
    return missing.flatMap((what) => (what === false ? [] : [`${name}: ${what}`]));
  });
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await work(client).finally(() => client.end());
}

it.each(['is killed', 'hangs'])('if a server %s, its standby is used, and no acknowledged write is lost', LONG, async (end) => {
  const primary = await stopAfterTest(startPostgres());
  const database = await primary.database();
  const standby = await stopAfterTest(startStandby(primary));
  const stores = [await open(standby.both(database)), await open(standby.both(database))] as const;
  await stores[0].write((writes) => writes.putOrg(org()));

  const failures = new Set<string>();
  const before = await Promise.all(stores.map((store, index) => write(store, `before-${index}`, 40, failures)));
  expect(failures).toEqual(new Set());
  // Writes are in progress while the server dies.
  const during = stores.map((store, index) => write(store, `during-${index}`, 60, failures));
  await vi.waitFor(async () => expect(await stores[0].reads.site('acme', 'during-0-5')).toBeDefined(), { timeout: 20_000, interval: 5 });
  if (end === 'is killed') await primary.kill();
  else primary.hang(true);
  await standby.promote();
  const after = await Promise.all(during);

  const acknowledged = [...before, ...after].flat();
  expect(acknowledged).toHaveLength(200);
  for (const store of stores) for (const name of acknowledged) expect((await store.reads.site('acme', name))?.site, name).toBe(name);
  expect(await verifyChain(stores[0].reads, 'acme')).not.toHaveProperty('broken');
  await withClient(standby.own(database), async (client) => {
    expect(await lost(client, acknowledged)).toEqual([]);
    // Counter-check: a lost write would be detected.
    const [name = ''] = acknowledged;
    for (const [what, sql] of LOSSES) {
      await client.query('begin');
      await client.query(sql, [name]);
      expect(await lost(client, acknowledged)).toEqual([`${name}: ${what}`]);
      await client.query('rollback');
    }
  });
  expect([...failures].filter((code) => code !== 'STORAGE_UNAVAILABLE')).toEqual([]);
  // They are notified of each other's writes by the new server.
  const notified: string[] = [];
  stores[1].onSiteChange((_org, site) => notified.push(site));
  let tries = 0;
  const expectNotification = async () => {
    tries += 1;
    await putSite(stores[0], siteWrite(`heard-${tries}`));
    expect(notified).not.toEqual([]);
  };
  await vi.waitFor(expectNotification, { timeout: 20_000, interval: 20 });
  // A node that starts now uses it too, even if the first server is back and considers itself the primary.
  if (end === 'hangs') primary.hang(false);
  const late = await open(standby.both(database));
  await putSite(late, siteWrite('late'));
  expect(await stores[1].reads.site('acme', 'late')).toBeDefined();
});

/** A write that waits for a disconnected standby. */
async function startBlockedWrite(write: (store: Store) => Promise<unknown>): Promise<{ server: AbsentStandby; held: Promise<unknown> }> {
  const server = await stopAfterTest(startWithoutStandby());
  const store = await open(server.database);
  onTestFinished(() => server.end());
  await store.write((writes) => writes.putOrg(org()));
  await server.begin();
  const held = write(store);
  held.catch(() => undefined);
  await server.untilOneWaits();
  return { server, held };
}

it('acknowledges no write that the disconnected synchronous standby does not have', LONG, async () => {
  const { held } = await startBlockedWrite((store) => putSite(store, siteWrite('held')));
  await expect(held).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

it.each([
  ['one statement', (store: Store) => putSite(store, siteWrite('held'))],
  ['a transaction', (store: Store) => store.write((writes) => writes.putOrg(org('held')))],
  ['the code', (store: Store) => store.blobs.write('a'.repeat(64), Buffer.from('held'))],
])('acknowledges no write whose wait for the standby is cancelled: %s', LONG, async (_what, write) => {
  const { server, held } = await startBlockedWrite(write);
  await server.cancelUntilSettled(held);
  await expect(held).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    cause: { message: expect.stringContaining('standby was canceled') },
  });
});

it.each([
  ['postgres://a@one/db', ['postgres://a@one/db']],
  [
    'postgres://a:p%40,@one:1,two/db?sslmode=require',
    ['postgres://a:p%40,@one:1/db?sslmode=require', 'postgres://a:p%40,@two/db?sslmode=require'],
  ],
  [
    'postgresql://localhost/db?x=1&host=%2Frun%2Fa%2C%2Frun%2Fb',
    ['postgresql://localhost/db?x=1&host=%2Frun%2Fa', 'postgresql://localhost/db?x=1&host=%2Frun%2Fb'],
  ],
])('%s names the servers %o', (address, servers) => {
  expect(serverAddresses(address)).toEqual(servers);
});

async function open(databaseUrl: string): Promise<Store> {
  return stopAfterTest(openStore({ dataDir: '', databaseUrl }));
}
