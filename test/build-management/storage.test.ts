import { type Delivery, type ExternalRepository, WebhookAnswer, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { type BuildStore, openBuildStore } from '@repoless/service/build-management/store/open-store.ts';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, afterAll, beforeAll, describe } from 'vitest';
import { startWithoutStandby } from '../support/absent-standby.ts';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { startPausedVendor } from './paused-vendor.ts';
import { GITHUB } from './payloads.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { startNetwork } from '../support/network.ts';
import { startPostgres } from '../support/postgres.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const opened: { readonly store: BuildStore; readonly options: Parameters<typeof openBuildStore>[0] }[] = [];
afterEach(async () => {
  for (const { store, options } of opened.splice(0)) {
    await store.close();
    await rm(options.dataDir, { recursive: true, force: true });
  }
});

async function openOn(databaseUrl?: string): Promise<BuildStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-bm-'));
  const options = { dataDir, log: () => undefined, ...(databaseUrl !== undefined && { databaseUrl }) };
  const store = await openBuildStore(options);
  opened.push({ store, options });
  return store;
}

/** Closes a store and opens its database again, as a restart does. */
async function reopened(store: BuildStore): Promise<BuildStore> {
  const [closed] = opened.splice(
    opened.findIndex((one) => one.store === store),
    1,
  );
  if (closed === undefined) throw new Error('This store is not open.');
  await store.close();
  const { options } = closed;
  const again = await openBuildStore(options);
  opened.push({ store: again, options });
  return again;
}

const repository = (org: string, cloneUrl: string) => ({
  org,
  programId: '100',
  name: cloneUrl,
  cloneUrl,
  vendor: 'gitlab' as const,
  key: randomUUID(),
  accessToken: 'sealed',
  state: 'added' as const,
  challenge: undefined,
  created: TIME,
  createdBy: 'ada@example.com',
});

const delivery = (deliveryId?: string): Delivery => ({
  id: randomUUID(),
  ...(deliveryId !== undefined && { deliveryId }),
  event: 'push',
  received: TIME,
  changes: [{ branch: 'main', type: 'updated' }],
  outcome: 'accepted',
  jobs: [],
  attempts: 0,
  repeats: 0,
});

eachStore((engine) => {
  const open = async () => openOn((await engine.emptyDatabase()).options.databaseUrl);

  it('stores the program as given, and each address of an organization once, also over a restart', async () => {
    const store = await open();
    let { repositories } = store;
    const [first, second] = [await repositories.add(repository('wknd', 'a')), await repositories.add(repository('wknd', 'b'))];
    expect([first?.programId, second?.programId]).toEqual(['100', '100']);
    expect(await repositories.add(repository('wknd', 'a'))).toBeUndefined();
    await repositories.add(repository('acme', 'a'));
    ({ repositories } = await reopened(store));
    expect(await repositories.add(repository('wknd', 'b'))).toBeUndefined();
    expect((await repositories.list('wknd')).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await repositories.find('acme', first?.id ?? '')).toBeUndefined();
    expect(await repositories.byCode('300', first?.id ?? '')).toBeUndefined();
    expect((await repositories.byCode(first?.programId ?? '', first?.id ?? ''))?.key).toBe(first?.key);
    expect(await repositories.byCode('1', 'x; drop table')).toBeUndefined();
  });

  it('does not open on tables that a newer version changed', async () => {
    const { databaseUrl } = (await engine.emptyDatabase()).options;
    const folder = await mkdtemp(join(tmpdir(), 'repoless-bm-'));
    const options = { dataDir: folder, log: () => undefined, ...(databaseUrl !== undefined && { databaseUrl }) };
    opened.push({ store: await openBuildStore(options), options });
    await executeIn(options, `insert into bm_migrations (name, applied) values ('9999-other', '${TIME}')`, 'build-management.sqlite');
    await expect(openBuildStore(options)).rejects.toThrow(/A newer version has migrated the tables \("9999-other"\)/);
  });

  it('ignores the outcome of an outdated check', async () => {
    const { repositories } = await open();
    const added = await repositories.add(repository('wknd', 'a'));
    if (added === undefined) throw new Error('It was not added.');
    // Two concurrent starts are two checks.
    await Promise.all(['one', 'other'].map((token) => repositories.restartCheck(added.id, { access_token: token })));
    expect((await repositories.byId(added.id))?.attempt).toBe(3);
    expect(await repositories.checked(added, { state: 'READY' })).toBe(false);
    expect((await repositories.byId(added.id))?.state).toBe('added');
    expect(await repositories.checked({ ...added, attempt: 2 }, { state: 'READY' })).toBe(false);
    expect(await repositories.checked({ ...added, attempt: 3 }, { state: 'failed', problem: 'No.' })).toBe(true);
    expect(await repositories.unchecked()).toEqual([]);
  });

  it('stores a delivery once, even if it arrives many times at once, and has it after a restart', async () => {
    const store = await open();
    let { repositories, deliveries } = store;
    const id = (await repositories.add(repository('wknd', 'a')))?.id ?? '';
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => deliveries.add(id, delivery('same'))));
    expect(outcomes.filter((earlier) => earlier === undefined)).toHaveLength(1);
    expect(await deliveries.list(id)).toMatchObject([{ deliveryId: 'same', repeats: 7 }]);
    const others = [delivery(), delivery()];
    for (const other of others) await deliveries.add(id, other);
    ({ repositories, deliveries } = await reopened(store));
    expect((await deliveries.add(id, delivery('same')))?.repeats).toBe(8);
    const [newest, other, first] = await deliveries.list(id);
    expect([newest, other]).toEqual(others.toReversed());
    expect(first).toMatchObject({ deliveryId: 'same', repeats: 8 });
    expect((await deliveries.accepted()).map((one) => one.delivery)).toEqual([first, other, newest]);
  });

  it('removes a repository with its deliveries, and no others', async () => {
    const store = await open();
    let { repositories, deliveries } = store;
    const [id, kept] = [
      (await repositories.add(repository('wknd', 'a')))?.id ?? '',
      (await repositories.add(repository('wknd', 'b')))?.id ?? '',
    ];
    for (const repositoryId of [id, kept]) await deliveries.add(repositoryId, delivery('one'));
    await repositories.remove(id);
    ({ repositories, deliveries } = await reopened(store));
    expect((await deliveries.accepted()).map((one) => one.repository)).toEqual([kept]);
    await repositories.remove(kept);
    expect([await repositories.byId(id), await deliveries.list(id), await deliveries.accepted()]).toEqual([undefined, [], []]);
  });
});

it.each([
  ['one statement', async ({ repositories }: BuildStore) => repositories.add(repository('wknd', 'held'))],
  ['a transaction', async ({ deliveries }: BuildStore, id: string) => deliveries.add(id, delivery(), undefined)],
])('acknowledges no change whose wait for the standby is cancelled: %s', async (_what, change) => {
  const server = await startWithoutStandby();
  const store = await openOn(server.database);
  try {
    const added = await store.repositories.add(repository('wknd', 'first'));
    await server.begin();
    const held = change(store, added?.id ?? '');
    held.catch(() => undefined);
    await server.untilOneWaits();
    await server.cancelUntilSettled(held);
    await expect(held).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  } finally {
    await server.end();
    await store.close();
    await server.stop();
  }
});
describe('A locked storage', () => {
  const LIST = '/organizations/wknd/repositories';
  let other: InstanceType<typeof Database>;
  let repository: ExternalRepository;
  let hook: WebhookCredentials;
  const world = startBeforeAll(startBuildWorld);
  const vendor = startBeforeAll(() => startPausedVendor(world));
  beforeAll(async () => {
    const { repositoryId } = await vendor.onboard();
    repository = await world.settled(repositoryId, 'READY', 'failed');
    expect(repository.state).toBe('READY');
    hook = await world.webhook(repositoryId);
    other = new Database(join(world.dataDir, 'build-management.sqlite'), { timeout: 0 });
  });
  afterAll(() => other.close());

  /** Starts `work` while the vendor holds it, so that it finishes while another program locks the database, which is then released. */
  async function whileLocked<T>(work: () => Promise<T>, failed: (started: Promise<T>) => Promise<unknown>): Promise<T> {
    vendor.hold();
    const started = work();
    await expect.poll(() => vendor.held()).toBeGreaterThan(0);
    other.exec('begin immediate');
    vendor.release();
    await failed(started);
    other.exec('rollback');
    return await started;
  }
  /** Waits until background work has failed on the locked database. */
  const logged = (name: string) => async () => {
    const lines = () =>
      world.output.filter((line) => line.includes(`"requestId":"${name}"`) && line.includes('STORAGE_UNAVAILABLE')).length;
    const before = lines();
    await expect.poll(lines).toBeGreaterThan(before);
  };
  const ended = (id: string) =>
    expect.poll(async () => (await world.deliveries(repository.repositoryId)).find((one) => one.id === id), { timeout: 20_000 });

  it('delays an accepted event, which runs afterwards', async () => {
    const { pathname, search } = new URL(hook.address);
    const push = () =>
      world.call('POST', `${pathname}${search}`, { as: null, ...GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret) });
    const answer = await whileLocked(push, logged('A delivery'));
    expect(answer.status).toBe(202);
    await ended(WebhookAnswer.parse(answer.json()).delivery).toMatchObject({ outcome: 'ignored', attempts: 1 });
  });

  it('delays a redelivered event, which runs even if it was answered 503', async () => {
    const [delivery] = await world.deliveries(repository.repositoryId);
    const id = delivery?.id ?? '';
    const resend = () => world.call('POST', `${LIST}/${repository.repositoryId}/deliveries/${id}/resend`);
    const answer = await whileLocked(resend, (started) => started);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([503, 'STORAGE_UNAVAILABLE']);
    await ended(id).toMatchObject({ outcome: 'ignored', attempts: 2 });
  });

  it('makes a check run again if its outcome could not be stored', async () => {
    const retry = () => world.call('POST', `${LIST}/${repository.repositoryId}/retry`);
    const answer = await whileLocked(retry, logged('The check of a repository'));
    expect(answer.status).toBe(202);
    await expect
      .poll(async () => (await world.settled(repository.repositoryId, 'READY', 'failed', 'added', 'ownership_confirmed')).state, {
        timeout: 20_000,
      })
      .toBe('READY');
  });
});

it('build management uses an unresponsive connection at most once', async () => {
  const cluster = await startPostgres();
  const network = await startNetwork({ path: cluster.socket });
  const folder = await temporaryDirectory();
  const through = new URL(await cluster.database());
  through.search = '';
  through.host = `127.0.0.1:${network.port}`;
  const store = await openBuildStore({ dataDir: folder.path, databaseUrl: through.href, log: () => undefined });
  await Promise.all(Array.from({ length: 5 }, () => store.ping()));
  network.clear();
  // Concurrently, as requests that wait for the same network: each gets an unresponsive connection.
  const silent = await Promise.allSettled(Array.from({ length: 3 }, () => store.ping()));
  expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  // No request used the other two of the five connections; a request that got one of them would fail too.
  await store.ping();
  await store.close();
  await network.close();
  await cluster.stop();
  await folder.remove();
});
