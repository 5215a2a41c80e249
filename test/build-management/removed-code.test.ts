import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startPausedVendor } from './held-vendor.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const world = startBeforeAll(startBuildWorld);
const vendor = startBeforeAll(() => startPausedVendor(world));
afterEach(() => vendor.release());

const mirrors = async () => (await readdir(join(world.dataDir, 'mirrors')).catch((): string[] => [])).toSorted();
const sync = (id: string) => world.call('POST', `${LIST}/${id}/sync`, { body: { branch: 'main' } });

it('code of a repository that is removed while somebody waits for it does not come back', async () => {
  const before = await mirrors();
  const id = await vendor.ready();
  expect(await mirrors()).toHaveLength(before.length + 1);
  vendor.hold();
  const first = sync(id);
  await expect.poll(() => vendor.held()).toBeGreaterThan(0);
  const second = sync(id);
  // Each is a separate call: when a later call is answered, the second has arrived.
  expect((await world.call('GET', `${LIST}/${id}`)).status).toBe(200);
  expect((await world.call('DELETE', `${LIST}/${id}`)).status).toBe(204);
  vendor.release();
  for (const answer of await Promise.all([first, second]))
    expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'EXTERNAL_REPOSITORY_NOT_FOUND']);
  expect(await mirrors()).toEqual(before);
});

it('code of a repository that is removed while it is transferred does not stay', async () => {
  const before = await mirrors();
  const { repositoryId: id } = await vendor.onboard();
  await world.settled(id, 'READY');
  vendor.hold(({ url }) => url?.includes('git-upload-pack') === true && !url.includes('info/refs'));
  const retried = await world.call('POST', `${LIST}/${id}/retry`);
  expect(retried.status).toBe(202);
  await expect.poll(() => vendor.held()).toBeGreaterThan(0);
  expect((await world.call('DELETE', `${LIST}/${id}`)).status).toBe(204);
  vendor.release();
  const last = await vendor.ready();
  await world.call('DELETE', `${LIST}/${last}`);
  await expect.poll(mirrors).toEqual(before);
});

it('mirrors of no repository are removed at the start, and those of others stay', async () => {
  const id = await vendor.ready();
  const before = await mirrors();
  const left = join(world.dataDir, 'mirrors', '0c9f5d0e-6f0a-4a58-9f43-0d3f6d6f0b11.git');
  await world.restart(async () => {
    await mkdir(join(left, 'objects'), { recursive: true });
    await mkdir(`${left}.unfinished`, { recursive: true });
    await mkdir(join(world.dataDir, 'mirrors', 'of the operator'));
  });
  await expect.poll(mirrors).toEqual([...before, 'of the operator'].toSorted());
  expect((await sync(id)).status).not.toBe(500);
});
