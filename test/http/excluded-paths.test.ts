import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startPathsWorld } from './paths-world.ts';
const world = startBeforeAll(() => startPathsWorld());

const mappings = ['/content/park/:/'];
const part = (paths: object) => world.backend.call('POST', '/config/wknd/sites/park/public.json', { as: OPERATOR, body: { paths } });

describe('excluded content paths', () => {
  it('are stored, shown by config.json, and not served', async () => {
    const paths = { mappings, includes: ['/content/park/'], excludes: ['/content/park/**/drafts/**'] };
    await world.put('park', paths);
    expect(JSON.parse((await world.visit('park', '/config.json')).text)).toEqual({ public: { paths } });
    expect(await world.visit('park', '/tours/drafts/x')).toMatchObject({ status: 404, asked: [] });
    expect(await world.visit('park', '/tours/x')).toMatchObject({ status: 200, asked: ['/content/park/tours/x.html'] });
    const status = await world.backend.call('GET', '/status/wknd/park/main/tours/drafts/x', { as: OPERATOR });
    expect(status.json()).toMatchObject({ live: { status: 404 }, preview: { status: 404 } });
  });

  it.each<[excludes: string[], hidden: string[], shown: string[]]>([
    [['/content/park/hidden'], ['/hidden', '/hidden/x'], ['/hiddenness', '/x']],
    [['/content/park/hidden/'], ['/hidden', '/hidden/x'], ['/hiddenness', '/x']],
    [['/content/park/*/drafts'], ['/tours/drafts'], ['/drafts', '/a/b/drafts', '/tours/drafts/x']],
    [['/content/park/*/drafts/'], ['/tours/drafts', '/tours/drafts/x/y'], ['/drafts', '/a/b/drafts']],
    [['/content/park/**/drafts/**'], ['/drafts', '/drafts/x', '/a/b/drafts/x/y'], ['/draft', '/mydrafts/x', '/drafts2/x']],
    [['/content/park/tmp-*/**'], ['/tmp-1', '/tmp-/x'], ['/tmp', '/a/tmp-1']],
    [['/content/park/**-old'], ['/a-old', '/a/b-old'], ['/a-old/b', '/older']],
    [['/content/**'], ['/', '/a'], []],
    [['/**/secret'], ['/secret', '/a/secret'], ['/secrets', '/secret/a']],
    [[], [], ['/a']],
  ])('%j', async (excludes, hidden, shown) => {
    await world.put('park', { mappings, excludes });
    for (const path of hidden) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 404, asked: [] }]);
    for (const path of shown) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 200 }]);
  });
});

it.each<[includes: string[], shown: string[], hidden: string[]]>([
  [['/content/park/**'], ['/', '/a', '/a/b'], []],
  [['/content/*/**'], ['/', '/a'], []],
  [['/content/park/*'], ['/a'], ['/a/b']],
  [
    ['/content/park/*/open/**', '/content/park/a'],
    ['/a', '/a/c', '/b/open', '/b/open/x'],
    ['/b', '/open'],
  ],
  [['/content/park/{a,b}'], [], ['/a']],
])('included content paths may be globs: %j', async (includes, shown, hidden) => {
  await world.put('park', { mappings, includes });
  for (const path of shown) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 200 }]);
  for (const path of hidden) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 404, asked: [] }]);
});

it('keeps what else stands in paths, and gives it back', async () => {
  const paths = { mappings, excludes: ['/content/park/x'], aliases: { '/a': ['/b'] }, revision: 3 };
  await world.put('park', paths);
  expect((await part({ ...paths, revision: 4 })).status).toBe(200);
  const answer = await world.backend.call('GET', '/config/wknd/sites/park/public.json', { as: OPERATOR });
  expect(answer.json()).toEqual({ paths: { ...paths, revision: 4 } });
});

it.each([
  [{ excludes: '/content/park/' }, '/paths/excludes'],
  [{ excludes: [7] }, '/paths/excludes/0'],
  [{ excludes: ['content/park'] }, '/paths/excludes/0'],
  [{ excludes: ['/content/<site>/drafts'] }, '/paths/excludes/0'],
  [{ includes: [`/${'*a'.repeat(LIMITS.pathGlobLength / 2)}`] }, '/paths/includes/0'],
  [{ excludes: Array.from({ length: LIMITS.pathGlobs + 1 }, (_, index) => `/content/*/${index}`) }, `/paths/excludes/${LIMITS.pathGlobs}`],
])('refuses what is no list of content paths: %#', async (paths, pointer) => {
  await world.put('park', { mappings });
  const answer = await part(paths);
  expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ pointer }] }]);
});
