import { UsageReport } from '@repoless/contract/org.ts';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const CODE_REPOSITORY_LIMIT = 300_000;
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_REPOSITORY_LIMIT: String(CODE_REPOSITORY_LIMIT) } }));
beforeAll(async () => {
  await world.register('site');
});

it('a branch of CODE_REPOSITORY_LIMIT bytes is served, and one of a byte more is refused', async () => {
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

it('a transfer of more than CODE_REPOSITORY_LIMIT bytes is ended by then, however few files it is, and the next one succeeds', async () => {
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
