import { beforeAll, expect, it } from 'vitest';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Rollout, RolloutList } from '@repoless/contract/rollout.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const ALL = '/config/wknd/rollouts.json';
const gone = (count: number) => Array.from({ length: count }, (_, index) => `gone-${index}`);
const EDITS = [{ op: 'remove', path: '/robots' }];

const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  const body = siteInput('first', 'wknd', { public: publicPaths('/content/first') });
  await backend.call('PUT', '/config/wknd/sites/first.json', { as, body });
});

const start = (body: object, query = '') => backend.call('POST', `${ALL}${query}`, { as, body: { title: 'All', edits: EDITS, ...body } });
const list = async () => RolloutList.parse((await backend.call('GET', ALL, { as })).json()).rollouts;

it('has so many sites and waves, and not one more', async () => {
  const whole = await start({ sites: gone(LIMITS.rolloutSites) }, '?dryRun=true');
  expect(whole.status, whole.text.slice(0, 500)).toBe(200);
  const waves = (count: number) => [...Array.from({ length: count - 1 }, (_, index) => index + 1), '100%'];
  expect((await start({ sites: ['first'], waves: waves(LIMITS.rolloutWaves) }, '?dryRun=true')).status).toBe(200);
  for (const more of [{ sites: gone(LIMITS.rolloutSites + 1) }, { sites: ['first'], waves: waves(LIMITS.rolloutWaves + 1) }])
    expect((await start(more, '?dryRun=true')).status).toBe(400);
});

it('leaves a long difference of a site out of the preview, and shows one of its kind', async () => {
  const txt = (length: number) => [{ op: 'set', path: '/robots/txt', value: 'x'.repeat(length) }];
  const diffOf = async (length: number) => {
    const answer = await start({ sites: ['first'], edits: txt(length) }, '?dryRun=true');
    const { preview } = Rollout.parse(DryRun.parse(answer.json()).result);
    expect(preview?.kinds).toMatchObject([{ count: 1, example: 'first', diff: [{ path: '/robots' }] }]);
    return preview?.sites[0]?.diff;
  };
  const around = JSON.stringify(await diffOf(1)).length - 1;
  expect(await diffOf(LIMITS.previewedDiff - around)).toBeDefined();
  expect(await diffOf(LIMITS.previewedDiff - around + 1)).toBeUndefined();
});

it('is one of so many that did not end, and of so many that are kept', { timeout: 60_000 }, async () => {
  const waits = { sites: ['gone', 'first'], waves: [1, '100%'] };
  for (let n = 0; n < LIMITS.openRollouts; n += 1) expect((await start(waits)).status).toBe(201);
  const refused = await start(waits);
  expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'ROLLOUT_REFUSED']);
  await expect.poll(async () => (await list()).map(({ state }) => state), { timeout: 10_000 }).not.toContain('running');
  for (const { id } of await list()) await backend.call('POST', `/config/wknd/rollouts/${id}/undo.json`, { as });
  await expect.poll(async () => new Set((await list()).map(({ state }) => state)), { timeout: 10_000 }).toEqual(new Set(['undone']));
  for (let n = 0; n <= LIMITS.rolloutsKept; n += 1) {
    expect((await start({ sites: ['first'] })).status).toBe(201);
    await expect.poll(async () => (await list())[0]?.state, { interval: 5 }).toBe('done');
  }
  const kept = await list();
  expect(kept).toHaveLength(LIMITS.rolloutsKept);
  expect(kept.some(({ state }) => state === 'undone')).toBe(false);
});
