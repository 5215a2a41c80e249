import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JobStatus } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { untilStopped } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-secret-of-the-repository';
let silent: Server;
let silentAddress: string;
/** The repositories whose answer a sync is waiting for. */
const waiting = new Set<string>();
let isOver = false;

const byogit = startBeforeAll(() => startByogit(SECRET));
beforeAll(async () => {
  silent = createServer((request, response) => {
    if (isOver) return void response.writeHead(404).end();
    const [, owner = '', number] = /^\/raw\/([a-z-]+)\/(\d+)/.exec(request.url ?? '') ?? [];
    if (number !== undefined) waiting.add(`${owner} ${number}`);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silentAddress = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
const backend = startBeforeAll(() =>
  startTestBackend({
    dryRun: false,
    orgs: ['wknd', 'busy', 'full', 'full-too', 'third'],
    settings: { CODE_RETRY_DELAY: '5' },
  }),
);
afterAll(async () => {
  isOver = true;
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

async function ended(org: string, site: string): Promise<JobStatus> {
  return await untilStopped(backend.address, `/job/${org}/${site}/main/code`, { 'x-auth-token': await backend.token(OPERATOR) });
}

async function register(org: string, site: string, source: { owner: string; repo: string; url: string; raw_url: string }): Promise<void> {
  const { owner, repo, ...addresses } = source;
  const code = { owner, repo, source: { type: 'byogit', ...addresses, secretId: 'cm-byog' } };
  const put = await backend.call('PUT', `/config/${org}/sites/${site}.json`, { as: OPERATOR, body: siteBody(org, site, { code }) });
  expect([put.status, put.text]).toEqual([201, expect.any(String)]);
  const secret = await backend.call('POST', `/config/${org}/sites/${site}/secrets/cm-byog.json`, { as: OPERATOR, body: { value: SECRET } });
  expect(secret.status).toBe(200);
}

it('two organizations at ORG_SYNCS_AT_ONCE have LIMITS.syncsAtOnce syncs under way; each that waits says for what', async () => {
  isOver = false;
  waiting.clear();
  const share = LIMITS.syncsAtOnce / 2;
  const begin = async (org: string, number: number) => {
    await register(org, `site-${number}`, {
      owner: org,
      repo: String(number),
      url: `${silentAddress}/api`,
      raw_url: `${silentAddress}/raw`,
    });
    return await backend.call('POST', `/code/${org}/site-${number}/main/*`, { as: OPERATOR });
  };
  const waitsFor = async (org: string, number: number) => {
    const answer = await backend.call('GET', `/job/${org}/site-${number}/main/code`, { as: OPERATOR });
    const { state, data } = JobStatus.parse(answer.json());
    return [state, data?.waiting];
  };
  const started: Promise<unknown>[] = [];
  for (const org of ['full', 'full-too']) for (let number = 0; number < share; number += 1) started.push(begin(org, number));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBe(LIMITS.syncsAtOnce);
  for (const org of ['full', 'full-too', 'third']) started.push(begin(org, share));
  const own = `${share} other syncs of this organization are in progress. This one starts when one of them ends.`;
  const all = 'Other syncs are in progress. This one starts when one of them ends.';
  await expect.poll(() => waitsFor('full', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('full-too', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('third', share), { timeout: 20_000 }).toEqual(['created', all]);
  expect(waiting.size).toBe(LIMITS.syncsAtOnce);
  isOver = true;
  silent.closeAllConnections();
  await Promise.allSettled(started);
  for (const org of ['full', 'full-too']) for (let number = 0; number <= share; number += 1) await ended(org, `site-${number}`);
  await ended('third', `site-${share}`);
}, 90_000);

it('an organization whose repositories do not respond does not block the syncs of others', async () => {
  isOver = false;
  waiting.clear();
  const numbers = Array.from({ length: 8 }, (_, index) => String(index));
  for (const number of numbers) {
    await register('busy', `slow-${number}`, { owner: 'busy', repo: number, url: `${silentAddress}/api`, raw_url: `${silentAddress}/raw` });
  }
  const started = numbers.map((number) => backend.call('POST', `/code/busy/slow-${number}/main/*`, { as: OPERATOR }));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);

  await register('wknd', 'quick', { owner: '100', repo: '200', url: byogit.url, raw_url: byogit.rawUrl });
  expect((await backend.call('POST', '/code/wknd/quick/main/*', { as: OPERATOR })).status).toBe(202);
  const job = await untilStopped(backend.address, '/job/wknd/quick/main/code', { 'x-auth-token': await backend.token(OPERATOR) });
  expect([job.error, job.data?.phase]).toEqual([undefined, 'completed']);
  expect(waiting.size, 'no more than its share was begun meanwhile').toBe(2);
  isOver = true;
  silent.closeAllConnections();
  await Promise.allSettled(started);
});
