import { createBlobStore } from '@repoless/service/code/blob-store.ts';
import { sweepUnserved } from '@repoless/service/code/code-files.ts';
import type { BlobStorage } from '@repoless/service/code/rules/ports.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publicPart, type TestBackendOptions } from './backend.ts';
import { namesOf } from './blob-places.ts';
import { type CodeWorld, startCodeWorld } from './code-world.ts';

interface Journeys {
  options(): Promise<TestBackendOptions>;
  /** The service's blob store, as another node opens it. */
  place(world: CodeWorld): Promise<BlobStorage>;
}

/** Tests for every store of code. Returns their world, for further tests. */
export function codeJourneys({ options, place: open }: Journeys): () => { world: CodeWorld; place: BlobStorage } {
  let world: CodeWorld;
  let place: BlobStorage;
  beforeAll(async () => {
    world = await startCodeWorld(await options());
    place = await open(world);
    await world.register('site', { public: publicPart('site') });
  });
  afterAll(async () => {
    await place.close();
    await world.stop();
  });
  const visit = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    world.backend.visit('live', 'main--site--wknd', path, { method, headers });

  it('stores a file of several branches once, and only the changes of a commit', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`many/${n}.txt`, `file ${n}`]));
    await world.clone.push(many);
    await world.sync('site');
    const before = (await namesOf(place)).size;
    await world.clone.push({ 'many/7.txt': 'changed' });
    await world.sync('site');
    // The file, and the new list of files.
    expect((await namesOf(place)).size).toBe(before + 2);
    await world.clone.push({ 'many/8.txt': 'changed' }, 'other');
    await world.sync('site', 'other');
    // These bytes were already stored: only the list of files is new.
    expect((await namesOf(place)).size).toBe(before + 3);
  });

  it('serves files of any size, completely and in ranges, and answers 304 if they are unchanged', async () => {
    const large = randomBytes(1_500_000).toString('hex');
    await world.clone.push({ 'large.txt': large, 'small.txt': '0123456789' });
    await world.sync('site');
    for (const [path, content] of [
      ['/large.txt', large],
      ['/small.txt', '0123456789'],
    ] as const) {
      const whole = await visit(path);
      expect([whole.status, whole.text === content]).toEqual([200, true]);
      const part = await visit(path, { range: 'bytes=3-8' });
      expect([part.status, part.text, part.headers['content-range']]).toEqual([206, content.slice(3, 9), `bytes 3-8/${content.length}`]);
      expect((await visit(path, { range: 'bytes=-4' })).text).toBe(content.slice(-4));
      expect((await visit(path, { range: `bytes=${content.length}-` })).status).toBe(416);
      expect(await visit(path, { 'if-none-match': String(whole.headers['etag']) })).toMatchObject({ status: 304, text: '' });
      expect(await visit(path, {}, 'HEAD')).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(content.length) } });
    }
  });

  it('is shared by the sites of a repository', async () => {
    const before = (await namesOf(place)).size;
    await world.register('second');
    await world.sync('second');
    expect((await namesOf(place)).size).toBe(before);
    expect((await world.backend.visit('preview', 'main--second--wknd', '/small.txt')).text).toBe('0123456789');
  });

  it('removes what no branch serves after an hour, and nothing else, during syncs', async () => {
    const { code, condemned } = world.backend.store;
    let time = Date.now();
    const blobs = createBlobStore(place, condemned, { grace: HOUR, now: () => new Date(time) });
    const unserved = await blobs.put(Buffer.from('nobody serves this'));
    for (let round = 0; round < 2; round += 1) {
      await world.clone.push({ 'many/9.txt': `round ${round}` });
      const [status] = await Promise.all([world.sync('site'), sweepUnserved(code, blobs, new Date(time))]);
      expect(status.error).toBeUndefined();
      time += HOUR;
    }
    await sweepUnserved(code, blobs, new Date(time));
    expect(await place.size(unserved)).toBeUndefined();
    for (const [path, text] of Object.entries({ '/many/7.txt': 'changed', '/many/9.txt': 'round 1', '/small.txt': '0123456789' }))
      expect((await visit(path)).text).toBe(text);
  });

  it('answers 503 for missing blobs, and restores them at the next sync', async () => {
    await place.remove([...(await namesOf(place))]);
    expect(await visit('/many/7.txt')).toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE', headers: { 'retry-after': '1' } });
    expect((await visit('/large.txt')).status).toBe(503);
    expect((await world.sync('site')).error).toBeUndefined();
    expect((await visit('/many/7.txt')).text).toBe('changed');
  });

  return () => ({ world, place });
}

const HOUR = 60 * 60 * 1000;
