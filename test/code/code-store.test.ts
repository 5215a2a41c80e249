import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBlobStore } from '#backend/code/blob-store.ts';
import { sweepUnserved } from '#backend/code/collect-garbage.ts';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import type { CodeWorld } from '../support/code-world.ts';

let world: CodeWorld;
let empty: string;
beforeAll(async () => {
  world = await startCodeWorld();
  empty = await mkdtemp(join(tmpdir(), 'repoless-blobs-'));
  await world.register('site');
});
afterAll(async () => {
  await world.stop();
  await rm(empty, { recursive: true, force: true });
});

const codeDir = () => join(world.backend.dataDir, 'code');
const stored = async () =>
  (await readdir(join(codeDir(), 'files'), { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));

it('stores a file once, whichever branch has it, and of a commit what it changes', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`many/${n}.txt`, `file ${n}`]));
  await world.clone.push(many);
  await world.sync('site');
  const before = (await stored()).length;
  await world.clone.push({ 'many/7.txt': 'changed' });
  await world.sync('site');
  // The file, and the new list of files.
  expect((await stored()).length).toBe(before + 2);
  await world.clone.push({ 'many/8.txt': 'changed' }, 'other');
  await world.sync('site', 'other');
  // These bytes were stored already: the list of files alone is new.
  expect((await stored()).length).toBe(before + 3);
});

it('removes what no branch serves after an hour, and nothing else', async () => {
  const blobs = await openBlobStore(codeDir());
  const { code } = world.backend.store;
  const unserved = await blobs.put(Buffer.from('nobody serves this'));
  expect(await sweepUnserved(code, blobs, new Date())).toBe(0);
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const file of await stored()) await utimes(file, old, old);
  expect(await sweepUnserved(code, blobs, new Date())).toBeGreaterThanOrEqual(1);
  expect(await blobs.keep(unserved, 18)).toBe(false);
  expect((await world.backend.visit('live', 'main--site--wknd', '/many/7.txt')).text).toBe('changed');
  expect((await world.sync('site')).error).toBeUndefined();
});

it('mends what is missing at the next sync', async () => {
  for (const file of await stored()) await rm(file);
  expect((await world.sync('site')).error).toBeUndefined();
  expect((await world.backend.visit('live', 'main--site--wknd', '/many/7.txt')).text).toBe('changed');
});

it('ends a sync that is stopped, and keeps what it serves', async () => {
  const fault = { mode: 'slow', path: '/wknd/wknd', delay: 600_000, times: 1 };
  await fetch(`${world.codeHost.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const { json } = await world.backend.call('POST', '/code/wknd/site/main/*', { as: OPERATOR });
  const { links } = json() as { links: { self: string } };
  // Git waits for the answer of the code host.
  const faults = async () => (await fetch(`${world.codeHost.address}/sandbox/faults`)).text();
  await expect.poll(faults, { timeout: 10_000 }).toContain('"none"');
  expect((await world.backend.call('DELETE', links.self, { as: OPERATOR })).status).toBe(204);
  const status = await world.status('site');
  expect([status.state, status.cancelled]).toEqual(['stopped', true]);
  expect((await world.backend.visit('live', 'main--site--wknd', '/many/7.txt')).text).toBe('changed');
  expect((await world.sync('site')).error).toBeUndefined();
});
