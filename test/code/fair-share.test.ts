import { afterAll, expect, it, beforeAll, describe } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startTestBackend, OPERATOR } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls, externalCode } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import type { ServerResponse } from 'node:http';

const SECRET = 'the-secret-of-the-repository';
/** The repositories whose answer a sync is waiting for. */
const waiting = new Set<string>();
let isReleased = false;

const byogit = startBeforeAll(() => startByogit(SECRET));
const silent = startBeforeAll(() =>
  startReceiver((request, response) => {
    if (isReleased) return void response.writeHead(404).end();
    const [, owner = '', number] = /^\/raw\/([a-z-]+)\/(\d+)/.exec(request.url ?? '') ?? [];
    if (number !== undefined) waiting.add(`${owner} ${number}`);
  }),
);
const backend = startBeforeAll(() =>
  startTestBackend({
    dryRun: false,
    orgs: ['wknd', 'busy', 'full', 'full-too', 'third'],
    settings: { CODE_RETRY_DELAY: '5' },
  }),
);
afterAll(() => void (isReleased = true));
const calls = codeCalls(backend);

it('two organizations at ORG_SYNCS_AT_ONCE run LIMITS.syncsAtOnce syncs, and each queued one says what it waits for', async () => {
  isReleased = false;
  waiting.clear();
  const share = LIMITS.syncsAtOnce / 2;
  const startSync = async (org: string, number: number) => {
    await calls.registerExternal(
      `${org}/site-${number}`,
      externalCode(silent.address, { owner: org, repo: `${number}`, secretId: 'cm-byog' }),
    );
    return await calls.start(`${org}/site-${number}`);
  };
  const waitsFor = async (org: string, number: number) => {
    const { state, data } = await calls.status(`${org}/site-${number}`);
    return [state, data?.waiting];
  };
  const started: Promise<unknown>[] = [];
  for (const org of ['full', 'full-too']) for (let number = 0; number < share; number += 1) started.push(startSync(org, number));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBe(LIMITS.syncsAtOnce);
  for (const org of ['full', 'full-too', 'third']) started.push(startSync(org, share));
  const own = `${share} other syncs of this organization are in progress. This one starts when one of them ends.`;
  const all = 'Other syncs are in progress. This one starts when one of them ends.';
  await expect.poll(() => waitsFor('full', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('full-too', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('third', share), { timeout: 20_000 }).toEqual(['created', all]);
  expect(waiting.size).toBe(LIMITS.syncsAtOnce);
  isReleased = true;
  silent.disconnect();
  await Promise.allSettled(started);
  for (const org of ['full', 'full-too']) for (let number = 0; number <= share; number += 1) await calls.ended(`${org}/site-${number}`);
  await calls.ended(`third/site-${share}`);
}, 90_000);

it('an organization whose repositories do not respond does not block the syncs of others', async () => {
  isReleased = false;
  waiting.clear();
  const numbers = Array.from({ length: 8 }, (_, index) => String(index));
  for (const number of numbers) {
    await calls.registerExternal(`busy/slow-${number}`, externalCode(silent.address, { owner: 'busy', repo: number, secretId: 'cm-byog' }));
  }
  const started = numbers.map((number) => calls.start(`busy/slow-${number}`));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);

  await calls.registerExternal('quick', externalCode(byogit.address, { owner: '100', repo: '200', secretId: 'cm-byog' }), SECRET);
  const job = await calls.sync('quick');
  expect([job.error, job.data?.phase]).toEqual([undefined, 'completed']);
  expect(waiting.size, 'no more than its share is started').toBe(2);
  isReleased = true;
  silent.disconnect();
  await Promise.allSettled(started);
});
describe('Requests to repositories', () => {
  /** Held requests, by the owner of the repository. */
  const held = new Map<string, Set<ServerResponse>>();
  const most = new Map<string, number>();

  const codeHost = startBeforeAll(() =>
    startReceiver((request, response) => {
      const [, owner = ''] = /^\/(?:raw\/)?([^/]+)\//.exec(request.url ?? '') ?? [];
      if (isReleased) return void response.writeHead(404).end();
      const own = held.get(owner) ?? new Set();
      held.set(owner, own.add(response));
      most.set(owner, Math.max(most.get(owner) ?? 0, own.size));
      response.once('close', () => own.delete(response));
    }),
  );
  const backend = startBeforeAll(() => {
    const settings = { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw` };
    return startTestBackend({ dryRun: false, orgs: ['busy', 'other'], settings });
  });
  const { register, start } = codeCalls(backend);
  beforeAll(async () => {
    for (const org of ['busy', 'other']) {
      await register(`${org}/site`, { code: { owner: org, repo: 'code' } }, 'unchecked');
    }
  });

  const holding = (owner: string) => held.get(owner)?.size ?? 0;
  function release(): void {
    isReleased = true;
    for (const responses of held.values()) for (const response of responses) response.writeHead(404).end();
  }

  it.each([
    [
      'LIMITS.codeSourceQueriesPerOrg queries',
      LIMITS.codeSourceQueriesPerOrg,
      (org: string, count: number) =>
        backend.call('GET', `/config/${org}/sites/site/code/check.json?type=github&owner=${org}&repo=code-${count}`, { as: OPERATOR }),
      200,
    ],
    [
      'LIMITS.branchReadsPerOrg branch probes',
      LIMITS.branchReadsPerOrg,
      (org: string, count: number) => start(`${org}/site`, `branch-${count}`),
      // Without an answer from the code host, the branch is missing.
      404,
    ],
  ])('are limited to %s of an organization at once; those of another continue', async (_, limit, ask, answered) => {
    isReleased = false;
    held.clear();
    most.clear();
    const pending = Array.from({ length: limit + 2 }, (_, index) => ask('busy', index));
    await expect.poll(() => holding('busy'), { timeout: 4000, interval: 5 }).toBe(limit);
    pending.push(ask('other', 0));
    await expect.poll(() => holding('other'), { timeout: 4000, interval: 5 }).toBeGreaterThan(0);
    expect(most.get('busy')).toBe(limit);
    release();
    expect(new Set((await Promise.all(pending)).map(({ status }) => status))).toEqual(new Set([answered]));
  });

  it('count for the requesting organization if the repository has another owner, and block no other organization', async () => {
    isReleased = false;
    held.clear();
    most.clear();
    await register('other/guest', { code: { owner: 'busy', repo: 'guests' } }, 'unchecked');
    const guests = Array.from({ length: LIMITS.branchReadsPerOrg + 20 }, (_, count) => start('other/guest', `branch-${count}`));
    await expect.poll(() => holding('busy')).toBe(LIMITS.branchReadsPerOrg);
    const own = start('busy/site', 'branch-of-its-own');
    await expect.poll(() => holding('busy')).toBe(LIMITS.branchReadsPerOrg + 1);
    release();
    expect((await own).status).toBe(404);
    await Promise.all(guests);
  });

  it('that wait for an unresponsive repository fail with it and are not sent; later ones are sent again', async () => {
    isReleased = false;
    held.clear();
    most.clear();
    const requests = () => codeHost.requests.filter(({ url }) => url.startsWith('/busy/silent/')).length;
    const probe = (branch: string) => start('busy/silent', branch);
    await register('busy/silent', { code: { owner: 'busy', repo: 'silent' } }, 'unchecked');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => probe(`branch-${index}`)));
    for (const { status, headers } of answers)
      expect([status, headers['x-error']]).toEqual([502, expect.stringContaining('did not respond within 5 seconds')]);
    expect(requests()).toBe(LIMITS.branchReadsPerOrg);
    release();
    expect((await probe('branch-0')).status).toBe(404);
  });
});
