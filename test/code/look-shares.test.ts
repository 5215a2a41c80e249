import type { ServerResponse } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { codeCalls } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let isOver = false;
/** Held requests, by the owner of the repository. */
const held = new Map<string, Set<ServerResponse>>();
const most = new Map<string, number>();

const codeHost = startBeforeAll(() =>
  startReceiver((request, response) => {
    const [, owner = ''] = /^\/(?:raw\/)?([^/]+)\//.exec(request.url ?? '') ?? [];
    if (isOver) return void response.writeHead(404).end();
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
  isOver = true;
  for (const responses of held.values()) for (const response of responses) response.writeHead(404).end();
}

it.each([
  [
    'LIMITS.codeSourceQueriesPerOrg questions',
    LIMITS.codeSourceQueriesPerOrg,
    (org: string, count: number) =>
      backend.call('GET', `/config/${org}/sites/site/code/check.json?type=github&owner=${org}&repo=code-${count}`, { as: OPERATOR }),
  ],
  [
    'LIMITS.branchReadsPerOrg looks at branches',
    LIMITS.branchReadsPerOrg,
    (org: string, count: number) => start(`${org}/site`, `branch-${count}`),
  ],
])('%s of an organization are under way at once; those of another go on', async (_, limit, ask) => {
  isOver = false;
  held.clear();
  most.clear();
  const asked = Array.from({ length: limit + 2 }, (_, index) => ask('busy', index));
  await expect.poll(() => holding('busy'), { timeout: 4000, interval: 5 }).toBe(limit);
  asked.push(ask('other', 0));
  await expect.poll(() => holding('other'), { timeout: 4000, interval: 5 }).toBeGreaterThan(0);
  expect(most.get('busy')).toBe(limit);
  release();
  for (const { status } of await Promise.all(asked)) expect(status).toBeLessThan(500);
});

it('looks at a repository of another owner count for the organization that asks, and hold up nobody else', async () => {
  isOver = false;
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

it('who waited while a repository was found not to answer is told so, and it is not asked again for them; whoever asks then is answered anew', async () => {
  isOver = false;
  held.clear();
  most.clear();
  const requests = () => codeHost.asked.filter(({ url }) => url.startsWith('/busy/silent/')).length;
  const look = (branch: string) => start('busy/silent', branch);
  await register('busy/silent', { code: { owner: 'busy', repo: 'silent' } }, 'unchecked');
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => look(`branch-${index}`)));
  for (const { status, headers } of answers)
    expect([status, headers['x-error']]).toEqual([502, expect.stringContaining('did not respond within 5 seconds')]);
  expect(requests()).toBe(LIMITS.branchReadsPerOrg);
  release();
  expect((await look('branch-0')).status).toBe(404);
});
