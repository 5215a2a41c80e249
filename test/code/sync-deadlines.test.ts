import { beforeAll, expect, it } from 'vitest';
import { selectFiles } from '@repoless/service/code/select-files.ts';
import { openObjects } from '@repoless/service/build-management/git/objects.ts';
import { readSettings } from '@repoless/service/config.ts';
import { join } from 'node:path';
import { externalCode, startCodeWorld } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { turnsDuring } from '../support/loop-delay.ts';
import { sharedTrees } from '../support/shared-trees.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const slow = startBeforeAll(() => startReceiver(() => undefined));
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_SYNC_TIME: '10', CODE_LISTING_TIME: '1' } }));
beforeAll(async () => {
  await world.register('site');
  // Nested folders without files: git never lists anything to count.
  await sharedTrees(world.clone).pushEmptyTree('folders', 12);
});

it('a sync ends after CODE_SYNC_TIME where its repository never answers, and says so', async () => {
  await world.registerExternal('slow', externalCode(slow.address));
  expect((await world.sync('slow')).error).toBe(
    'The sync took longer than 10 seconds. Synchronize again when the repository answers faster.',
  );
  expect((await world.sync('site')).error).toBeUndefined();
});

it('the files of a branch that cannot be listed within CODE_LISTING_TIME end the sync with a sentence', async () => {
  expect((await world.sync('site', 'folders')).error).toBe(
    'The files of the branch cannot be listed in time, because its folders are nested too deeply. Remove folders.',
  );
});

const bounds = (time: number, signal = new AbortController().signal) => ({ time, share: 'wknd', signal });
const DEEP = { path: `${'a/'.repeat(490)}a.css`, kind: 'file' as const, oid: '' };
const SLOW = Array.from({ length: LIMITS.ignoreRules - 1 }, (_, index) => `**/a/**/b${index}`).join('\n');

it('rules that take longer than CODE_LISTING_TIME on the files of a branch are told', async () => {
  const files = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}.css`, kind: 'file' as const, oid: '' }));
  expect((await selectFiles(files, '*.js', bounds(readSettings({}).CODE_LISTING_TIME * 1000))).files).toHaveLength(100);
  await expect(selectFiles(files, '*.js', bounds(0))).rejects.toThrow('The rules of .hlxignore take too long on the files of this branch.');
});

it('rules that take minutes on a single file are ended, and others have their turn meanwhile', async () => {
  const turns = await turnsDuring(() =>
    expect(selectFiles([DEEP], SLOW, bounds(500))).rejects.toThrow('The rules of .hlxignore take too long'),
  );
  expect(turns).toBeGreaterThan(10);
});

it('rules that take minutes end with their sync, whatever time they have left', async () => {
  const stopped = new AbortController();
  const selecting = selectFiles([DEEP], SLOW, bounds(3_600_000, stopped.signal));
  await turnsDuring(() => selectFiles([{ ...DEEP, path: 'a.css' }], 'b', { ...bounds(3_600_000), share: 'other' }));
  stopped.abort(new Error('The job was stopped.'));
  await expect(selecting).rejects.toThrow('The job was stopped.');
});

it('build management lists as much of such folders as it can within LISTING_TIME, and says that it is cut', async () => {
  const objects = openObjects(100, 500);
  const repository = join(world.clone.folder, '.git');
  try {
    const sha = (await world.clone.git('ls-remote', 'origin', 'refs/heads/folders')).slice(0, 40);
    expect(await objects.tree(repository, sha, true, () => undefined)).toEqual({ truncated: true });
    expect(await objects.tree(repository, 'HEAD', true, () => undefined)).toEqual({ truncated: false });
  } finally {
    objects.close();
  }
});
