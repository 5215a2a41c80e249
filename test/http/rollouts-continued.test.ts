import { beforeAll, describe, expect, it } from 'vitest';
import { callsAs, OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { rolloutCalls } from './rollout-calls.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Rollout, RolloutList } from '@repoless/contract/rollout.ts';

const as = OPERATOR;
const MINUTE = 60_000;
let clock = 0;
/** Whether the code host is unreachable. */
let isUnreachable = false;
let callsWhileUnreachable = 0;

const backend = startBeforeAll(() => {
  const repositoryState = () => {
    if (isUnreachable) callsWhileUnreachable += 1;
    return { repository: isUnreachable ? 'unreachable' : 'found', detail: 'The code host does not answer.' } as const;
  };
  return startTestBackend({
    now: () => new Date(Date.now() + clock),
    repositories: {
      repository: () => Promise.resolve(repositoryState()),
      head: () => Promise.resolve('0'.repeat(40)),
      probe: () => Promise.resolve({ ...repositoryState(), branch: 'found', sha: '0'.repeat(40), files: {} }),
    },
  });
});
const { call } = callsAs(backend, OPERATOR);
const calls = rolloutCalls(backend);

/** Makes the service check for work. */
const wake = () => calls.start({ title: 'Nothing', sites: ['gone'], edits: [{ op: 'remove', path: '/robots' }] });

it('a site that a rule prevents from being restored stays changed, with the reason, and is restored once that is fixed', async () => {
  const { register, siteOf, start, ordered, rested, rows } = calls;
  await register('moved');
  await register('other');
  const before = await siteOf('moved');
  const edits = [{ op: 'set', path: '/public/paths/mappings', value: ['/content/elsewhere/{site}/:/'] }];
  const id = await start({ title: 'Move', sites: ['moved', 'other'], edits });
  expect(await rested(id)).toMatchObject({ sites: { changed: 2 } });
  await register('taker', { public: publicPaths('/content/wknd/moved') });
  await ordered(id, 'undo');
  const stopped = await rested(id);
  expect(stopped).toMatchObject({ state: 'stopped', sites: { changed: 1, undone: 1 }, stuck: 1 });
  expect(stopped.stopped).toMatchObject({
    reason: 'blocked',
    undoing: true,
    detail: expect.stringMatching(/^1 site could not .* moved: \S/),
  });
  expect(await rows(id, '?stuck=true')).toMatchObject([
    { name: 'moved', state: 'changed', stuck: true, code: 'CONTENT_ROOT_TAKEN', detail: expect.stringContaining('taker') },
  ]);
  expect(await rows(id, '?stuck=false&limit=1')).toMatchObject([{ name: 'other', state: 'undone' }]);
  await ordered(id, 'resume');
  expect(await rested(id)).toMatchObject({ state: 'stopped', stuck: 1 });
  await call('DELETE', '/config/wknd/sites/taker.json');
  await ordered(id, 'undo');
  const undone = await rested(id);
  expect(undone).toMatchObject({ state: 'undone', sites: { undone: 2 } });
  expect(undone).not.toHaveProperty('stuck');
  expect(await siteOf('moved')).toEqual(before);
});

it('undoing a rollout skips a site that was removed', async () => {
  const { register, start, ordered, rested, rows } = calls;
  await register('removed');
  const id = await start({ title: 'Robots', sites: ['removed'], edits: [{ op: 'set', path: '/robots/txt', value: 'x' }] });
  await rested(id);
  await call('DELETE', '/config/wknd/sites/removed.json');
  await ordered(id, 'undo');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { kept: 1 } });
  expect(await rows(id)).toMatchObject([{ name: 'removed', state: 'kept', code: 'SITE_NOT_FOUND' }]);
});

it('a rollout cannot be undone by a caller who may not change what was edited', async () => {
  const { register, siteOf, start, order, ordered, rested } = calls;
  const who = 'config@example.com';
  await register('people');
  const before = await siteOf('people');
  await call('POST', '/config/wknd/users.json', { email: who, roles: ['config_admin'] });
  const edits = [{ op: 'add', path: '/access/admin/role/author', value: 'ada@example.com' }];
  const id = await start({ title: 'Ada', sites: ['people'], edits });
  await rested(id);
  expect(await order(id, 'undo', who)).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
  expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
  await ordered(id, 'undo');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  expect(await siteOf('people')).toEqual(before);
});

it('a rollout can be undone by an administrator of each of its sites', async () => {
  const { register, start, ordered, rested } = calls;
  const who = 'site-admin@example.com';
  await call('POST', '/config/wknd/users.json', { email: who, roles: ['config_admin'] });
  await register('theirs', { access: { admin: { role: { admin: [OPERATOR, who] } } } });
  const edits = [{ op: 'add', path: '/access/admin/role/author', value: 'ada@example.com' }];
  const id = await start({ title: 'Ada', sites: ['theirs'], edits });
  await rested(id);
  await ordered(id, 'undo', who);
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
});

it('an undo retries an unavailable code host for some minutes, then stops', async () => {
  const { register, siteOf, start, order, ordered, rested, get } = calls;
  await register('waits');
  const before = await siteOf('waits');
  const id = await start({
    title: 'Code',
    sites: ['waits'],
    edits: [{ op: 'set', path: '/code', value: { owner: 'wknd', repo: 'other' } }],
  });
  await rested(id);
  clock += 20 * MINUTE;
  isUnreachable = true;
  await ordered(id, 'undo');
  await expect.poll(() => callsWhileUnreachable).toBe(1);
  expect(await get(id)).toMatchObject({ state: 'undoing', sites: { changed: 1 } });
  clock += 2 * MINUTE;
  await wake();
  await expect.poll(() => callsWhileUnreachable, { timeout: 10_000 }).toBe(2);
  expect(await get(id)).toMatchObject({ state: 'undoing', sites: { changed: 1 } });
  clock += 4 * MINUTE;
  await wake();
  expect(await rested(id)).toMatchObject({ state: 'stopped', sites: { changed: 1 }, stuck: 1 });
  expect((await order(id, 'stop')).status).toBe(409);
  isUnreachable = false;
  await ordered(id, 'resume');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  expect(await siteOf('waits')).toEqual(before);
});

it('a rollout continues when the code host is available again', async () => {
  const { register, start, rested, get } = calls;
  await register('later');
  clock += 20 * MINUTE;
  isUnreachable = true;
  callsWhileUnreachable = 0;
  const id = await start({
    title: 'Code',
    sites: ['later'],
    edits: [{ op: 'set', path: '/code', value: { owner: 'wknd', repo: 'third' } }],
  });
  await expect.poll(() => callsWhileUnreachable).toBe(1);
  expect(await get(id)).toMatchObject({ state: 'running', sites: { waiting: 1 } });
  isUnreachable = false;
  clock += MINUTE;
  await wake();
  expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
});

describe('a rollout that is undone', () => {
  const backend = startBeforeAll(() => startTestBackend());
  const calls = rolloutCalls(backend);

  it.each([
    ['content', { path: '/content/source/url', value: 'https://author-p9-e9.example.com/bin/franklin.delivery/wknd/{site}/main' }],
    ['code', { path: '/code', value: { owner: 'wknd', repo: 'other' } }],
  ] as const)('restores the %s of a site, which the service completes', async (part, edit) => {
    const { register, siteOf, start, ordered, rested } = calls;
    await register(part);
    const before = await siteOf(part);
    const id = await start({ title: 'Move', sites: [part], edits: [{ op: 'set', ...edit }] });
    expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
    expect((await siteOf(part))[part]).not.toEqual(before[part]);
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
    expect(await siteOf(part)).toEqual(before);
  });

  it('restores a part if an earlier version of the service did not record what it completed', async () => {
    const { register, siteOf, start, ordered, rested } = calls;
    await register('earlier');
    const before = await siteOf('earlier');
    const code = { owner: 'wknd', repo: 'another' };
    const id = await start({ title: 'Move', sites: ['earlier'], edits: [{ op: 'set', path: '/code', value: code }] });
    await rested(id);
    const { row, state } = (await backend.store.reads.rolloutSite('wknd', id, 'earlier')) ?? expect.fail('no row');
    const parts = { code: { before: before['code'], after: code } };
    await backend.store.write((writes) =>
      writes.changeRollout({ kind: 'site', row: { ...row, parts }, expected: row.state, during: state }),
    );
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
    expect(await siteOf('earlier')).toEqual(before);
  });
});

describe('the temporary profile of a rollout', () => {
  /** The versions of the organization, the profiles and the sites, and those of the rollout up to restoring the first sites' profiles. */
  const VERSIONS = 9;
  const brand = (value: string) => ({ headers: { '/**': [{ key: 'x-brand', value }] } });

  const backend = startBeforeAll(() => startTestBackend({ settings: { ORG_VERSIONS: String(VERSIONS) } }));
  const calls = rolloutCalls(backend);

  it('is retained while sites extend it, and the stopped rollout can be resumed', async () => {
    const { register, siteOf, start, ordered, rested, rows } = calls;
    await backend.call('PUT', '/config/wknd/profiles/brand.json', { as, body: brand('old') });
    for (const site of ['b1', 'b2', 'b3']) await register(site, { extends: { profile: 'brand' } });
    const id = await start({ title: 'New', profile: 'brand', config: brand('new'), waves: [2, '100%'] });
    const stopped = await rested(id);
    expect(stopped).toMatchObject({ state: 'stopped', sites: { changed: 1, staged: 2 }, stuck: 2, stopped: { reason: 'blocked' } });
    expect(stopped.stopped?.detail).toMatch(/^2 sites could not be restored\. b1: .*versions/);
    expect(stopped.stopped).toMatchObject({ count: 2, site: 'b1', problem: { code: 'QUOTA_REACHED', data: { limit: `${VERSIONS}` } } });
    expect(stopped.stopped).not.toHaveProperty('undoing');
    expect(await rows(id, '?stuck=true')).toMatchObject([{ name: 'b1', state: 'staged', code: 'QUOTA_REACHED' }, { name: 'b2' }]);
    expect(await siteOf('b1')).toMatchObject({ extends: { profile: expect.stringMatching(/^rollout-/) } });
    // Meanwhile someone gives one of them another profile, and unneeded versions are removed.
    for (const subject of ['sites/b1', 'sites/b2', 'profiles/brand']) {
      expect((await backend.call('DELETE', `/config/wknd/${subject}/versions/1.json`, { as })).status).toBe(204);
    }
    expect((await backend.call('POST', '/config/wknd/sites/b2/extends.json', { as, body: {} })).status).toBe(200);
    await ordered(id, 'resume');
    expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 2, kept: 1 } });
    expect(await siteOf('b1')).toMatchObject({ extends: { profile: 'brand' } });
    expect(await siteOf('b2')).toMatchObject({ extends: {} });
    expect((await backend.call('GET', '/config/wknd/profiles.json', { as })).text).not.toContain('rollout-');
  });
});

describe('limits of rollouts', () => {
  const ALL = '/config/wknd/rollouts.json';
  const missingSites = (count: number) => Array.from({ length: count }, (_, index) => `gone-${index}`);
  const EDITS = [{ op: 'remove', path: '/robots' }];

  const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
  beforeAll(async () => {
    const body = siteInput('first', 'wknd', { public: publicPaths('/content/first') });
    await backend.call('PUT', '/config/wknd/sites/first.json', { as, body });
  });

  const start = (body: object, query = '') => backend.call('POST', `${ALL}${query}`, { as, body: { title: 'All', edits: EDITS, ...body } });
  const list = async () => RolloutList.parse((await backend.call('GET', ALL, { as })).json()).rollouts;

  it('apply to sites and waves', async () => {
    const whole = await start({ sites: missingSites(LIMITS.rolloutSites) }, '?dryRun=true');
    expect(whole.status, whole.text.slice(0, 500)).toBe(200);
    const waves = (count: number) => [...Array.from({ length: count - 1 }, (_, index) => index + 1), '100%'];
    expect((await start({ sites: ['first'], waves: waves(LIMITS.rolloutWaves) }, '?dryRun=true')).status).toBe(200);
    for (const more of [{ sites: missingSites(LIMITS.rolloutSites + 1) }, { sites: ['first'], waves: waves(LIMITS.rolloutWaves + 1) }])
      expect((await start(more, '?dryRun=true')).status).toBe(400);
  });

  it('omit a long difference of a site from the preview, which shows one of its kind', async () => {
    const txt = (length: number) => [{ op: 'set', path: '/robots/txt', value: 'x'.repeat(length) }];
    const diffOf = async (length: number) => {
      const answer = await start({ sites: ['first'], edits: txt(length) }, '?dryRun=true');
      const { preview } = Rollout.parse(DryRun.parse(answer.json()).result);
      expect(preview?.kinds).toMatchObject([{ count: 1, example: 'first', diff: [{ path: '/robots' }] }]);
      return preview?.sites[0]?.parts;
    };
    const overhead = JSON.stringify(await diffOf(1)).length - 1;
    expect(await diffOf(LIMITS.previewedDiff - overhead)).toBeDefined();
    expect(await diffOf(LIMITS.previewedDiff - overhead + 1)).toBeUndefined();
  });

  it('apply to rollouts in progress and to stored rollouts', { timeout: 60_000 }, async () => {
    const waits = { sites: ['gone', 'first'], waves: [1, '100%'] };
    for (let n = 0; n < LIMITS.openRollouts; n += 1) expect((await start(waits)).status).toBe(201);
    expect(await start(waits)).toMatchObject({ status: 409, code: 'ROLLOUT_REFUSED' });
    await expect.poll(async () => (await list()).map(({ state }) => state), { timeout: 10_000 }).not.toContain('running');
    for (const { id } of await list()) await backend.call('POST', `/config/wknd/rollouts/${id}/undo.json`, { as });
    await expect.poll(async () => new Set((await list()).map(({ state }) => state)), { timeout: 10_000 }).toEqual(new Set(['undone']));
    for (let n = 0; n <= LIMITS.rolloutsKept; n += 1) {
      expect((await start({ sites: ['first'] })).status).toBe(201);
      await expect.poll(async () => (await list())[0]?.state, { interval: 5 }).toBe('done');
    }
    const listed = await list();
    expect(listed).toHaveLength(LIMITS.rolloutsKept);
    expect(listed.some(({ state }) => state === 'undone')).toBe(false);
  });
});
