import type { Delivery } from '@repoless/contract/build-management.ts';
import { type BuildStore, openBuildStore } from '@repoless/service/build-management/store/open-store.ts';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startWithoutStandby } from '../support/absent-standby.ts';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const opened: { store: BuildStore; folder: string }[] = [];
afterEach(async () => {
  for (const { store, folder } of opened.splice(0)) {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function openOn(databaseUrl?: string): Promise<BuildStore> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-bm-'));
  const store = await openBuildStore({ dataDir: folder, log: () => undefined, ...(databaseUrl !== undefined && { databaseUrl }) });
  opened.push({ store, folder });
  return store;
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
  const open = async () => openOn((await engine.emptyPlace()).options.databaseUrl);

  it('stores the program as given, and each address of an organization once', async () => {
    const { repositories } = await open();
    const [first, second] = [await repositories.add(repository('wknd', 'a')), await repositories.add(repository('wknd', 'b'))];
    expect([first?.programId, second?.programId]).toEqual(['100', '100']);
    expect(await repositories.add(repository('wknd', 'a'))).toBeUndefined();
    await repositories.add(repository('acme', 'a'));
    expect((await repositories.list('wknd')).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await repositories.find('acme', first?.id ?? '')).toBeUndefined();
    expect(await repositories.byCode('300', first?.id ?? '')).toBeUndefined();
    expect((await repositories.byCode(first?.programId ?? '', first?.id ?? ''))?.key).toBe(first?.key);
    expect(await repositories.byCode('1', 'x; drop table')).toBeUndefined();
  });

  it('does not open on tables that a newer version changed', async () => {
    const { databaseUrl } = (await engine.emptyPlace()).options;
    const folder = await mkdtemp(join(tmpdir(), 'repoless-bm-'));
    const options = { dataDir: folder, log: () => undefined, ...(databaseUrl !== undefined && { databaseUrl }) };
    const store = await openBuildStore(options);
    opened.push({ store, folder });
    await executeIn(options, `insert into bm_migrations (name, applied) values ('9999-other', '${TIME}')`, 'build-management.sqlite');
    await expect(openBuildStore(options)).rejects.toThrow(/A newer version has migrated the tables \("9999-other"\)/);
  });

  it('drops the outcome of a check that was overtaken', async () => {
    const { repositories } = await open();
    const added = await repositories.add(repository('wknd', 'a'));
    if (added === undefined) throw new Error('It was not added.');
    // Two concurrent starts are two checks.
    await Promise.all(['one', 'other'].map((token) => repositories.checkAnew(added.id, { access_token: token })));
    expect((await repositories.byId(added.id))?.attempt).toBe(3);
    expect(await repositories.checked(added, { state: 'READY' })).toBe(false);
    expect((await repositories.byId(added.id))?.state).toBe('added');
    expect(await repositories.checked({ ...added, attempt: 2 }, { state: 'READY' })).toBe(false);
    expect(await repositories.checked({ ...added, attempt: 3 }, { state: 'failed', problem: 'No.' })).toBe(true);
    expect(await repositories.unchecked()).toEqual([]);
  });

  it('stores a delivery once, even if it arrives many times at once', async () => {
    const { repositories, deliveries } = await open();
    const id = (await repositories.add(repository('wknd', 'a')))?.id ?? '';
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => deliveries.add(id, delivery('same'))));
    expect(outcomes.filter((earlier) => earlier === undefined)).toHaveLength(1);
    expect(await deliveries.list(id)).toMatchObject([{ deliveryId: 'same', repeats: 7 }]);
    await deliveries.add(id, delivery());
    await deliveries.add(id, delivery());
    expect((await deliveries.list(id)).length).toBe(3);
    expect((await deliveries.accepted()).length).toBe(3);
  });

  it('keeps everything over a restart, except what was removed', async () => {
    const { repositories, deliveries } = await open();
    const id = (await repositories.add(repository('wknd', 'a')))?.id ?? '';
    await deliveries.add(id, delivery('one'));
    await repositories.remove(id);
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
