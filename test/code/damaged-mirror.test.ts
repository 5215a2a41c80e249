import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FaultMode } from '@repoless/sandbox/faults.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { breakObjects } from '../support/break-objects.ts';

let count = 0;
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_RETRY_DELAY: '1' } }));
beforeAll(async () => {
  await world.register('site-one');
  expect((await world.sync('site-one')).error).toBeUndefined();
});

async function mirror(): Promise<string> {
  const folder = join(world.backend.dataDir, 'mirrors');
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.git'));
  return join(folder, name ?? '');
}
const createdAt = async () => (await stat(await mirror())).birthtimeMs;
const fault = (mode: FaultMode) => world.fault(mode, { path: '/wknd/wknd' });
const visit = async (path: string) => (await world.backend.visit('live', 'main--site-one--wknd', path)).text;

describe('a mirror', () => {
  it.each<[mode: FaultMode, message: RegExp]>([
    ['unauthorized', /answered 401 for wknd\/wknd: it does not exist, or is private/],
    ['forbidden', /answered 403 for wknd\/wknd/],
    ['limited', /answered 429: too many requests/],
    ['unavailable', /answered 503/],
    ['down', /closed the connection|interrupted the transfer|does not respond/],
    ['redirect', /answered 302 for wknd\/wknd: the repository was renamed or moved/],
  ])('is preserved if the code host is %s, and the job names the code host', async (mode, message) => {
    const before = await createdAt();
    await fault(mode);
    const { error } = await world.sync('site-one');
    await fault('none');
    expect(error).toMatch(message);
    expect(error).toContain(new URL(world.codeHost.address).host);
    expect(error).not.toMatch(/damaged|mirror|copy/);
    expect(await createdAt()).toBe(before);
    expect((await world.sync('site-one')).error).toBeUndefined();
  });

  it.each([
    ['its head', async (folder: string) => writeFile(join(folder, 'HEAD'), 'junk')],
    ['its settings', async (folder: string) => writeFile(join(folder, 'config'), '[[')],
    ['its list of references', async (folder: string) => writeFile(join(folder, 'packed-refs'), 'junk junk')],
    ['a reference', async (folder: string) => writeFile(join(folder, 'refs', 'heads', 'main'), 'junk')],
    ['the end of its history', async (folder: string) => writeFile(join(folder, 'shallow'), 'junk')],
    ['an object', async (folder: string) => breakObjects(folder)],
  ])('is rebuilt if damaged (%s), and the sync succeeds', async (_, damage) => {
    const before = await createdAt();
    count += 1;
    await world.clone.push({ [`new-${count}.txt`]: `new ${count}` });
    // The mirror has the branch's objects, but its files are not stored, so they must be read from the mirror.
    await fillMirror();
    await damage(await mirror());
    expect((await world.sync('site-one')).error).toBeUndefined();
    expect(await createdAt()).not.toBe(before);
    expect(await visit(`/new-${count}.txt`)).toBe(`new ${count}`);
  });
});

/** Restores the state after a sync whose files were lost: the mirror has the newest commit, nothing is stored. */
async function fillMirror(): Promise<void> {
  await world.sync('site-one');
  const stored = await readdir(join(world.backend.dataDir, 'code', 'files'), { recursive: true, withFileTypes: true });
  for (const file of stored.filter((one) => one.isFile())) await rm(join(file.parentPath, file.name));
}
