import { UsageReport } from '@repoless/contract/org.ts';
import { randomBytes, createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, describe } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld, externalCode } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startReceiver } from '../support/receiver.ts';
import { selectFiles } from '@repoless/service/code/select-files.ts';
import { openObjects } from '@repoless/service/build-management/git/mirrors.ts';
import { readSettings } from '@repoless/service/config.ts';
import { turnsDuring } from '../support/loop-delay.ts';
import { sharedTrees } from '../support/shared-trees.ts';

const CODE_REPOSITORY_LIMIT = 300_000;
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_REPOSITORY_LIMIT: String(CODE_REPOSITORY_LIMIT) } }));
beforeAll(async () => {
  await world.register('site');
});

it('a branch of CODE_REPOSITORY_LIMIT bytes is synced, and one byte more is refused', async () => {
  const used = async () =>
    UsageReport.parse((await world.backend.call('GET', '/config/wknd/usage.json', { as: OPERATOR })).json()).codeBytes.used;
  expect((await world.sync('site')).error).toBeUndefined();
  const room = CODE_REPOSITORY_LIMIT - (await used());
  // Git transfers less than the size of the files.
  await world.clone.push({ 'large.txt': 'x'.repeat(room) });
  expect((await world.sync('site')).error).toBeUndefined();
  expect(await used()).toBe(CODE_REPOSITORY_LIMIT);
  await world.clone.push({ 'large.txt': 'x'.repeat(room + 1) });
  expect((await world.sync('site')).error ?? '').toContain('large');
  expect(await used()).toBe(CODE_REPOSITORY_LIMIT);
});

it('a transfer is aborted after CODE_REPOSITORY_LIMIT bytes, even if it has few files, and the next one succeeds', async () => {
  const part = () => randomBytes(CODE_REPOSITORY_LIMIT / 2);
  const before = await bytesOfMirrors();
  await world.clone.push({ 'large.txt': undefined, 'one.bin': part(), 'two.bin': part(), 'three.bin': part() }, 'transfer');
  expect((await world.sync('site', 'transfer')).error).toBe(
    `The repository is larger than ${CODE_REPOSITORY_LIMIT} bytes, which is the limit here. Remove large files from the branch, or ask the operator for a higher limit.`,
  );
  expect((await bytesOfMirrors()) - before).toBeLessThan(CODE_REPOSITORY_LIMIT + BLOCK);
  await world.clone.push({ 'one.bin': undefined, 'two.bin': undefined, 'three.bin': undefined }, 'transfer');
  expect((await world.sync('site', 'transfer')).error).toBeUndefined();
});

/** The block size in bytes by which the system limits the size of a file. */
const BLOCK = 512;

async function bytesOfMirrors(): Promise<number> {
  const entries = await readdir(join(world.backend.dataDir, 'mirrors'), { recursive: true, withFileTypes: true });
  const sizes = entries.filter((one) => one.isFile()).map(async (one) => (await stat(join(one.parentPath, one.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
describe('Responses of an external repository', () => {
  /** A host's answer about the folders of a branch, with at least this many bytes. */
  function treeOf(bytes: number): string {
    const blob = createHash('sha1').update('blob 1\0x').digest('hex');
    const start = `{"truncated":false,"tree":[{"path":"a.css","mode":"100644","type":"blob","sha":"${blob}","size":1}`;
    const folder = (length: number) => `,{"path":"d","mode":"040000","type":"tree","sha":"${blob}","url":"${'x'.repeat(length)}"}`;
    const missing = bytes - start.length - 2;
    if (missing < 0) return `${start}]}`;
    const count = Math.ceil(missing / 10_000);
    const each = Math.floor(missing / count) - folder(0).length;
    const rest = missing - count * folder(each).length;
    return `${start}${folder(each).repeat(count - 1)}${folder(each + rest)}]}`;
  }
  const COMMIT = 'a'.repeat(40);
  const sizes = { branch: 0, tree: 0 };

  const external = startBeforeAll(() =>
    startReceiver((request, response) => {
      const url = request.url ?? '';
      if (url.includes('/branches/')) return void response.end(JSON.stringify({ commit: { sha: COMMIT } }).padEnd(sizes.branch));
      if (url.includes('/git/trees/')) return void response.end(treeOf(sizes.tree));
      if (url.endsWith('/a.css')) return void response.end('x');
      response.writeHead(404).end();
    }),
  );
  const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_FILE_COUNT_LIMIT: '100000' } }));
  beforeAll(async () => {
    await world.registerExternal('external', externalCode(external.address));
  });

  it.each([
    ['branch', LIMITS.branchAnswer, 'Unable to fetch branch'],
    ['tree', LIMITS.treeAnswer, 'Unable to fetch tree'],
  ] as const)('about a %s are read up to their limit, and not a byte more', async (what, limit, message) => {
    sizes[what] = limit;
    expect((await world.sync('external')).error).toBeUndefined();
    sizes[what] = limit + 1;
    expect((await world.sync('external')).error).toMatch(new RegExp(`^${message}: .*large`));
    sizes[what] = 0;
  });
});

describe('The deadlines of a sync', () => {
  const slow = startBeforeAll(() => startReceiver(() => undefined));
  const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_SYNC_TIME: '10', CODE_LISTING_TIME: '1' } }));
  beforeAll(async () => {
    await world.register('site');
    // Nested folders without files: git never lists anything to count.
    await sharedTrees(world.clone).pushEmptyTree('folders', 12);
  });

  it('end it with a message after CODE_SYNC_TIME if its repository does not respond', async () => {
    await world.registerExternal('slow', externalCode(slow.address));
    expect((await world.sync('slow')).error).toBe(
      'The sync took longer than 10 seconds. Synchronize again when the repository answers faster.',
    );
    expect((await world.sync('site')).error).toBeUndefined();
  });

  it('end it with a message if its files cannot be listed within CODE_LISTING_TIME', async () => {
    expect((await world.sync('site', 'folders')).error).toBe(
      'The files of the branch cannot be listed in time, because its folders are nested too deeply. Remove folders.',
    );
  });

  const limits = (time: number, signal = new AbortController().signal) => ({ time, share: 'wknd', signal });
  const DEEP = { path: `${'a/'.repeat(490)}a.css`, kind: 'file' as const, oid: '' };
  const SLOW = Array.from({ length: LIMITS.ignoreRules - 1 }, (_, index) => `**/a/**/b${index}`).join('\n');

  it('end ignore rules that take too long on the files of a branch, with a message', async () => {
    const files = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}.css`, kind: 'file' as const, oid: '' }));
    expect((await selectFiles(files, '*.js', limits(readSettings({}).CODE_LISTING_TIME * 1000))).files).toHaveLength(100);
    await expect(selectFiles(files, '*.js', limits(0))).rejects.toThrow(
      'The rules of .hlxignore take too long on the files of this branch.',
    );
  });

  it('end ignore rules that take minutes on a single file, without blocking other work', async () => {
    const turns = await turnsDuring(() =>
      expect(selectFiles([DEEP], SLOW, limits(500))).rejects.toThrow('The rules of .hlxignore take too long'),
    );
    expect(turns).toBeGreaterThan(10);
  });

  it('do not delay the end of ignore rules when their sync is stopped', async () => {
    const stopped = new AbortController();
    const selecting = selectFiles([DEEP], SLOW, limits(3_600_000, stopped.signal));
    await turnsDuring(() => selectFiles([{ ...DEEP, path: 'a.css' }], 'b', { ...limits(3_600_000), share: 'other' }));
    stopped.abort(new Error('The job was stopped.'));
    await expect(selecting).rejects.toThrow('The job was stopped.');
  });

  it('make build management truncate its list of deeply nested folders after LISTING_TIME', async () => {
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
});
