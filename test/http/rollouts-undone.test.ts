import { beforeAll, expect, it } from 'vitest';
import { startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { rolloutCalls } from './rollout-calls.ts';
let calls: ReturnType<typeof rolloutCalls>;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  calls = rolloutCalls(backend);
});

it.each([
  ['content', { path: '/content/source/url', value: 'https://author-p9-e9.example.com/bin/franklin.delivery/wknd/{site}/main' }],
  ['code', { path: '/code', value: { owner: 'wknd', repo: 'other' } }],
] as const)('gives a site its %s back, of which the service completes what is edited', async (part, edit) => {
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

it('gives it back where an earlier version of the service did not note what it completed', async () => {
  const { register, siteOf, start, ordered, rested } = calls;
  await register('earlier');
  const before = await siteOf('earlier');
  const code = { owner: 'wknd', repo: 'another' };
  const id = await start({ title: 'Move', sites: ['earlier'], edits: [{ op: 'set', path: '/code', value: code }] });
  await rested(id);
  const { row, state } = (await backend.store.reads.rolloutSite('wknd', id, 'earlier')) ?? expect.fail('no row');
  const parts = { code: { before: before['code'], after: code } };
  await backend.store.write((writes) => writes.changeRollout({ kind: 'site', row: { ...row, parts }, seen: row.state, during: state }));
  await ordered(id, 'undo');
  expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  expect(await siteOf('earlier')).toEqual(before);
});
