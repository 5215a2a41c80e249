import { mkdtemp, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Delivery } from '#contract/build-management-deliveries.ts';
import { openBuildStore } from '#backend/build-management/store/open-store.ts';
import type { BuildStore } from '#backend/build-management/store/open-store.ts';
import { eachStore } from '../support/each-store.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const opened: { store: BuildStore; folder: string }[] = [];
afterEach(async () => {
  for (const { store, folder } of opened.splice(0)) {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

eachStore((engine) => {
  async function open(): Promise<BuildStore> {
    const { options } = await engine.place();
    const folder = await mkdtemp(join(tmpdir(), 'repoless-bm-'));
    const store = await openBuildStore({
      dataDir: folder,
      log: () => undefined,
      ...(options.databaseUrl !== undefined && { databaseUrl: options.databaseUrl }),
    });
    opened.push({ store, folder });
    return store;
  }
  const repository = (org: string, cloneUrl: string) => ({
    org,
    name: cloneUrl,
    cloneUrl,
    vendor: 'gitlab' as const,
    key: randomUUID(),
    accessToken: 'sealed',
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

  it('gives an organization one program, and each address of it one repository', async () => {
    const { repositories } = await open();
    const [first, second] = [await repositories.add(repository('wknd', 'a')), await repositories.add(repository('wknd', 'b'))];
    expect(second?.programId).toBe(first?.programId);
    expect(await repositories.programOf('wknd')).toBe(first?.programId);
    expect(await repositories.add(repository('wknd', 'a'))).toBeUndefined();
    const other = await repositories.add(repository('acme', 'a'));
    expect(other?.programId).not.toBe(first?.programId);
    expect((await repositories.list('wknd')).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await repositories.find('acme', first?.id ?? '')).toBeUndefined();
    expect(await repositories.byCode(other?.programId ?? '', first?.id ?? '')).toBeUndefined();
    expect((await repositories.byCode(first?.programId ?? '', first?.id ?? ''))?.key).toBe(first?.key);
    expect(await repositories.byCode('1', 'x; drop table')).toBeUndefined();
  });

  it('drops the outcome of a check that was overtaken', async () => {
    const { repositories } = await open();
    const added = await repositories.add(repository('wknd', 'a'));
    if (added === undefined) throw new Error('It was not added.');
    await repositories.change(added.id, { attempt: 2 });
    expect(await repositories.checked(added, { state: 'READY' })).toBe(false);
    expect((await repositories.byId(added.id))?.state).toBe('added');
    expect(await repositories.checked({ ...added, attempt: 2 }, { state: 'failed', problem: 'No.' })).toBe(true);
    expect(await repositories.unchecked()).toEqual([]);
  });

  it('keeps a delivery once, also where it comes many times at one moment', async () => {
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

  it('keeps all over a new start, and nothing of what was removed', async () => {
    const { repositories, deliveries } = await open();
    const id = (await repositories.add(repository('wknd', 'a')))?.id ?? '';
    await deliveries.add(id, delivery('one'));
    await repositories.remove(id);
    expect([await repositories.byId(id), await deliveries.list(id), await deliveries.accepted()]).toEqual([undefined, [], []]);
  });
});
