import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { startPausedVendor } from './held-vendor.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const world = startBeforeAll(startBuildWorld);
const vendor = startBeforeAll(() => startPausedVendor(world));

const isAnonymous = ({ headers }: IncomingMessage) => headers.authorization === undefined;

it.each([429, 500, 503])(
  'a public repository is not taken for a private one where the vendor answers %i to who has no token',
  async (status) => {
    vendor.refuse(status, isAnonymous);
    const { repositoryId } = await vendor.onboard('northwind/public-docs');
    const failed = await world.settled(repositoryId, 'READY', 'failed');
    expect([failed.state, failed.problem]).toEqual(['failed', expect.stringMatching(/\((?:429|a server error)\)\. Retry in a/)]);
    vendor.refuse(0, () => false);
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    await expect.poll(async () => (await world.settled(repositoryId, 'READY', 'failed', 'added')).challenge).toBeDefined();
    const awaited = await world.settled(repositoryId, 'READY', 'failed', 'added');
    expect([awaited.state, awaited.challenge?.path]).toEqual(['added', expect.any(String)]);
  },
);

it.each([401, 403, 404])('a repository is private where the vendor answers %i to who has no token', async (status) => {
  vendor.refuse(status, isAnonymous);
  const { repositoryId } = await vendor.onboard();
  expect((await world.settled(repositoryId, 'READY', 'failed')).state).toBe('READY');
});
