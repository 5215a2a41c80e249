import { type ExternalRepository, WebhookAnswer, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPausedVendor } from './held-vendor.ts';
import { GITHUB } from './payloads.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

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
async function whileHeld<T>(work: () => Promise<T>, failed: (begun: Promise<T>) => Promise<unknown>): Promise<T> {
  vendor.hold();
  const begun = work();
  await expect.poll(() => vendor.held()).toBeGreaterThan(0);
  other.exec('begin immediate');
  vendor.release();
  await failed(begun);
  other.exec('rollback');
  return await begun;
}
/** Background work met the locked database. */
const logged = (name: string) => async () => {
  const lines = () => world.told.filter((line) => line.includes(`"requestId":"${name}"`) && line.includes('STORAGE_UNAVAILABLE')).length;
  const before = lines();
  await expect.poll(lines).toBeGreaterThan(before);
};
const ended = (id: string) =>
  expect.poll(async () => (await world.deliveries(repository.repositoryId)).find((one) => one.id === id), { timeout: 20_000 });

it('an accepted event runs even if another program locks the database beyond the timeout', async () => {
  const { pathname, search } = new URL(hook.address);
  const push = () =>
    world.call('POST', `${pathname}${search}`, { as: null, ...GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret) });
  const answer = await whileHeld(push, logged('A delivery'));
  expect(answer.status).toBe(202);
  await ended(WebhookAnswer.parse(answer.json()).delivery).toMatchObject({ outcome: 'ignored', attempts: 1 });
});

it('a redelivered event runs even if the response was that the storage does not respond', async () => {
  const [delivery] = await world.deliveries(repository.repositoryId);
  const id = delivery?.id ?? '';
  const resend = () => world.call('POST', `${LIST}/${repository.repositoryId}/deliveries/${id}/resend`);
  const answer = await whileHeld(resend, (begun) => begun);
  expect([answer.status, answer.headers['x-error-code']]).toEqual([503, 'STORAGE_UNAVAILABLE']);
  await ended(id).toMatchObject({ outcome: 'ignored', attempts: 2 });
});

it('a check is repeated if its outcome could not be stored', async () => {
  const retry = () => world.call('POST', `${LIST}/${repository.repositoryId}/retry`);
  const answer = await whileHeld(retry, logged('The check of a repository'));
  expect(answer.status).toBe(202);
  await expect
    .poll(async () => (await world.settled(repository.repositoryId, 'READY', 'failed', 'added', 'ownership_confirmed')).state, {
      timeout: 20_000,
    })
    .toBe('READY');
});
