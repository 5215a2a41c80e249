import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forwardTo, startReceiver, type Receiver } from '../support/receiver.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import pg from 'pg';
import { postgresEngine } from '../support/each-store.ts';

const RETRIES = 30;
let vendor: Receiver;
let isHolding = false;
const held = new Set<ServerResponse>();

const world = startBeforeAll(startBuildWorld);
beforeAll(async () => {
  const forward = forwardTo(world.vendor.address);
  // The vendor, which can be made to accept requests without answering.
  vendor = await startReceiver((incoming, response) => {
    if (isHolding) {
      held.add(response);
      return void response.once('close', () => held.delete(response));
    }
    forward(incoming, response);
  });
});
afterAll(() => vendor.stop());

const release = () => {
  isHolding = false;
  for (const response of held) response.writeHead(404).end();
};
const queries = () => vendor.requests.filter(({ url }) => url.startsWith('/northwind/storefront.git/')).length;
const onboard = async (name: string) => (await world.onboard({ name, cloneUrl: `${vendor.address}/northwind/${name}.git` })).repositoryId;

it('repeated checks of a repository cause one more query, not one each', async () => {
  const id = await onboard('storefront');
  await world.settled(id, 'READY');
  const before = queries();
  const retry = async () => expect((await world.call('POST', `/organizations/wknd/repositories/${id}/retry`)).status).toBe(202);
  await retry();
  await world.settled(id, 'READY');
  const ofOne = queries() - before;
  isHolding = true;
  await retry();
  await expect.poll(() => held.size, { timeout: 20_000 }).toBeGreaterThan(0);
  for (let count = 1; count < RETRIES; count += 1) await retry();
  const waiting = queries();
  release();
  expect((await world.settled(id, 'READY')).problem).toBeUndefined();
  // Queued work runs before that of a repository onboarded now.
  await world.settled(await onboard('last'), 'failed');
  expect(queries() - waiting).toBe(ofOne);
});
const engine = postgresEngine();

it('each concurrent check has its own number, so that none finishes another', async () => {
  const { databaseUrl = '' } = (await engine.emptyDatabase()).options;
  const world = await startBuildWorld({ DATABASE_URL: databaseUrl });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const attempts = async () => (await database.query<{ attempt: number }>('select attempt from bm_repositories')).rows[0]?.attempt ?? 0;
  try {
    const { repositoryId: id } = await world.ready();
    const before = await attempts();
    const tokens = Array.from({ length: 8 }, (_, index) => `token-${index}`);
    const retry = (accessToken: string) => world.call('POST', `/organizations/wknd/repositories/${id}/retry`, { body: { accessToken } });
    const statuses = (await Promise.all(tokens.map(retry))).map(({ status }) => status);
    expect(statuses).toEqual(tokens.map(() => 202));
    expect((await attempts()) - before).toBe(tokens.length);
  } finally {
    await database.end();
    await world.stop();
  }
});
