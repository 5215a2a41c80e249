import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import type { TestAnswer } from '../support/ask.ts';
import { forwardTo, startReceiver, type Receiver } from '../support/receiver.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const { vendorCallsOfOrg: OF_ORG, vendorCalls, vendorCallsWaiting } = LIMITS;
const SURPLUS = 8;
const CALLS = 6;
let vendor: Receiver;
let isHolding = false;
/** Held requests, by the organization in their path. */
const held = new Map<string, Set<ServerResponse>>();
const most = new Map<string, number>();
/** The repositories of an organization, and the secret of each. */
const repositories = new Map<string, { readonly id: string; readonly secret: string }[]>();

const world = startBeforeAll(() => startBuildWorld({ EXTERNAL_REPOSITORIES: String(CALLS) }, ['busy', 'other', 'many']));
beforeAll(async () => {
  // The vendor, with an address for each organization and repository, which can be made to accept requests and never answer.
  vendor = await startReceiver((incoming, response) => {
    const [, org = '', path = ''] = /^\/([^/]+)\/\d+(\/.*)$/.exec(incoming.url ?? '') ?? [];
    if (isHolding) return hold(org, response);
    forwardTo(world.vendor.address)(incoming, response, path);
  });
  for (const org of ['busy', 'other'])
    repositories.set(org, await Promise.all(Array.from({ length: CALLS }, (_, count) => ready(org, count))));
});
afterAll(() => vendor.stop());
beforeEach(() => {
  held.clear();
  most.clear();
  isHolding = true;
});
afterEach(release);

function hold(org: string, response: ServerResponse): void {
  const own = held.get(org) ?? new Set();
  held.set(org, own.add(response));
  most.set(org, Math.max(most.get(org) ?? 0, own.size));
  response.once('close', () => own.delete(response));
}

function release(): void {
  isHolding = false;
  for (const responses of held.values()) for (const response of responses) response.writeHead(404).end();
}

const holding = (org: string) => held.get(org)?.size ?? 0;

async function ready(org: string, count: number) {
  const { onboard, settled, link } = world.of(org);
  const { repositoryId: id } = await onboard({ cloneUrl: `${vendor.address}/${org}/${count}/northwind/storefront.git` });
  expect((await settled(id, 'READY', 'failed')).state).toBe('READY');
  return { id, secret: (await link(id, `site-${count}`)).secret };
}

const of = (org: string, count: number) => repositories.get(org)?.[count] ?? { id: '', secret: '' };
const one = (org: string, count: number) => `/organizations/${org}/repositories/${of(org, count).id}`;

it.each<[string, (org: string, count: number) => Promise<TestAnswer>]>([
  ['lists of branches', (org, count) => world.call('GET', `${one(org, count)}/branches`)],
  ['lists of the branches of one repository', (org) => world.call('GET', `${one(org, 0)}/branches`)],
  ['syncs on request', (org, count) => world.call('POST', `${one(org, count)}/sync`, { body: { branch: 'main' } })],
  [
    'sites that are created in one click',
    (org, count) =>
      world.call('POST', `${one(org, count)}/sites`, {
        body: { site: `new-${count}`, contentUrl: `https://author-p100-e200.example.com/bin/franklin.delivery/${org}/new-${count}/main` },
      }),
  ],
  [
    'reads of branches by secrets of repositories',
    (org, count) => {
      const { id, secret } = of(org, count);
      return world.call('GET', `/raw/100/${id}/main/.hlxignore`, { as: null, headers: { authorization: `token ${secret}` } });
    },
  ],
])('%s: two of an organization reach git vendors at once; those of another organization continue', async (_, ask) => {
  const answers = Array.from({ length: CALLS }, (_, count) => ask('busy', count));
  await expect.poll(() => holding('busy'), { timeout: 20_000, interval: 5 }).toBe(OF_ORG);
  answers.push(ask('other', 0));
  await expect.poll(() => holding('other'), { timeout: 20_000, interval: 5 }).toBe(1);
  expect(most.get('busy')).toBe(OF_ORG);
  expect(vendorCalls).toBeGreaterThan(OF_ORG);
  release();
  for (const { status, text } of await Promise.all(answers)) expect(status, text).toBeLessThan(503);
});

it('immediately refuses a call that would wait behind twenty of its organization', async () => {
  const branches = () => world.call('GET', `${one('busy', 0)}/branches`);
  const answers = Array.from({ length: OF_ORG + vendorCallsWaiting + SURPLUS }, branches);
  const refused = await Promise.race(answers);
  let refusals = 0;
  for (const answered of answers) void answered.then(({ status }) => (refusals += status === 503 ? 1 : 0));
  expect([refused.status, refused.headers['x-error-code'], refused.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
  await expect.poll(() => refusals, { timeout: 20_000, interval: 5 }).toBe(SURPLUS);
  await expect.poll(() => holding('busy'), { timeout: 20_000, interval: 5 }).toBe(OF_ORG);
  release();
  await Promise.all(answers);
  expect(refusals).toBe(SURPLUS);
});

it('an organization onboards as many repositories as are allowed, even if it requests more at once', async () => {
  isHolding = false;
  const onboard = (count: number) =>
    world.call('POST', '/organizations/many/repositories', {
      body: {
        programId: '100',
        name: `Store ${count}`,
        vendor: 'gitlab',
        accessToken: ACCESS_TOKEN,
        cloneUrl: `${vendor.address}/many/${count}/northwind/storefront.git`,
      },
    });
  const answers = await Promise.all(Array.from({ length: CALLS + 4 }, (_, count) => onboard(count)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(CALLS);
  const refused = answers.filter(({ status }) => status === 403);
  expect(refused.map(({ headers }) => headers['x-error-code'])).toEqual(Array.from({ length: 4 }, () => 'EXTERNAL_LIMIT_REACHED'));
  expect(refused[0]?.headers['x-error']).toContain('has 6 external repositories; 6 are allowed. Remove one that is no longer needed.');
  const known = answers.findIndex(({ status }) => status === 201);
  expect((await onboard(known)).headers['x-error-code']).toBe('REPOSITORY_TAKEN');
  const { repositoryId } = ExternalRepository.parse(answers[known]?.json());
  expect((await world.call('DELETE', `/organizations/many/repositories/${repositoryId}`)).status).toBe(204);
  expect((await onboard(99)).status).toBe(201);
});
