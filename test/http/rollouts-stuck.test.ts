import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { publicPaths } from '../support/builders.ts';
import { rolloutCalls } from './rollout-calls.ts';

const as = OPERATOR;
const MINUTE = 60_000;

let backend: TestBackend;
let calls: ReturnType<typeof rolloutCalls>;
let clock = 0;
/** Whether the code host is unreachable, and how often it was called meanwhile. */
let isAway = false;
let callsWhileAway = 0;

beforeAll(async () => {
  const standing = () => {
    if (isAway) callsWhileAway += 1;
    return { repository: isAway ? 'unreachable' : 'found', detail: 'The code host does not answer.' } as const;
  };
  backend = await startTestBackend({
    now: () => new Date(Date.now() + clock),
    repositories: {
      repository: () => Promise.resolve(standing()),
      head: () => Promise.resolve('0'.repeat(40)),
      look: () => Promise.resolve({ ...standing(), branch: 'found', sha: '0'.repeat(40), files: {} }),
    },
  });
  calls = rolloutCalls(backend);
});
afterAll(() => backend.stop());

/** Makes the service look for work. */
const wake = () => calls.start({ title: 'Nothing', sites: ['gone'], edits: [{ op: 'remove', path: '/robots' }] });

it('a site that a rule is against keeps the change and says why, and is put back when that is mended', async () => {
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
  await backend.call('DELETE', '/config/wknd/sites/taker.json', { as });
  await ordered(id, 'undo');
  const undone = await rested(id);
  expect(undone).toMatchObject({ state: 'undone', sites: { undone: 2 } });
  expect(undone).not.toHaveProperty('stuck');
  expect(await siteOf('moved')).toEqual(before);
});

it('a site that was removed since is left as it is', async () => {
  const { register, start, ordered, rested, rows } = calls;
  await register('removed');
  const id = await start({ title: 'Robots', sites: ['removed'], edits: [{ op: 'set', path: '/robots/txt', value: 'x' }] });
  await rested(id);
  await backend.call('DELETE', '/config/wknd/sites/removed.json', { as });
  await ordered(id, 'undo');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { kept: 1 } });
  expect(await rows(id)).toMatchObject([{ name: 'removed', state: 'kept', code: 'SITE_NOT_FOUND' }]);
});

it('is not undone by who may not change what was edited', async () => {
  const { register, siteOf, start, order, ordered, rested } = calls;
  const who = 'config@example.com';
  await register('people');
  const before = await siteOf('people');
  await backend.call('POST', '/config/wknd/users.json', { as, body: { email: who, roles: ['config_admin'] } });
  const edits = [{ op: 'add', path: '/access/admin/role/author', value: 'ada@example.com' }];
  const id = await start({ title: 'Ada', sites: ['people'], edits });
  await rested(id);
  const refused = await order(id, 'undo', who);
  expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
  expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
  await ordered(id, 'undo');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  expect(await siteOf('people')).toEqual(before);
});

it('is undone by who administers each of its sites', async () => {
  const { register, start, ordered, rested } = calls;
  const who = 'site-admin@example.com';
  await backend.call('POST', '/config/wknd/users.json', { as, body: { email: who, roles: ['config_admin'] } });
  await register('theirs', { access: { admin: { role: { admin: [OPERATOR, who] } } } });
  const edits = [{ op: 'add', path: '/access/admin/role/author', value: 'ada@example.com' }];
  const id = await start({ title: 'Ada', sites: ['theirs'], edits });
  await rested(id);
  await ordered(id, 'undo', who);
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
});

it('waits for a code host that does not answer, for some minutes', async () => {
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
  isAway = true;
  await ordered(id, 'undo');
  await expect.poll(() => callsWhileAway).toBe(1);
  expect(await get(id)).toMatchObject({ state: 'undoing', sites: { changed: 1 } });
  clock += 2 * MINUTE;
  await wake();
  await expect.poll(() => callsWhileAway, { timeout: 10_000 }).toBe(2);
  expect(await get(id)).toMatchObject({ state: 'undoing', sites: { changed: 1 } });
  clock += 4 * MINUTE;
  await wake();
  expect(await rested(id)).toMatchObject({ state: 'stopped', sites: { changed: 1 }, stuck: 1 });
  expect((await order(id, 'stop')).status).toBe(409);
  isAway = false;
  await ordered(id, 'resume');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  expect(await siteOf('waits')).toEqual(before);
});

it('goes on when the code host answers again', async () => {
  const { register, start, rested, get } = calls;
  await register('later');
  clock += 20 * MINUTE;
  isAway = true;
  callsWhileAway = 0;
  const id = await start({
    title: 'Code',
    sites: ['later'],
    edits: [{ op: 'set', path: '/code', value: { owner: 'wknd', repo: 'third' } }],
  });
  await expect.poll(() => callsWhileAway).toBe(1);
  expect(await get(id)).toMatchObject({ state: 'running', sites: { waiting: 1 } });
  isAway = false;
  clock += MINUTE;
  await wake();
  expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
});
