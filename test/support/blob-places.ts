import { createBlobStore } from '@repoless/service/code/blob-store.ts';
import { type BlobStorage, type CondemnedBlobs, MissingBlob } from '@repoless/service/code/rules/ports.ts';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** The contract of every blob store. `open` returns an empty one, and a second instance of the same as another node opens it. */
export function blobPlaceContract(open: () => Promise<{ place: BlobStorage; other: BlobStorage }>): void {
  let place: BlobStorage;
  let other: BlobStorage;
  beforeEach(async () => {
    ({ place, other } = await open());
  });
  afterEach(async () => {
    await place.close();
    await other.close();
  });

  it.each([0, 1, 5000, 262_144, 3_000_000])('returns %d stored bytes to every node', async (length) => {
    const bytes = randomBytes(length);
    const hash = sha256(bytes);
    expect(await place.size(hash)).toBeUndefined();
    await place.write(hash, bytes);
    await place.write(hash, bytes);
    expect(await other.size(hash)).toBe(length);
    expect(sha256(await other.read(hash))).toBe(hash);
  });

  it('streams any range of a large blob, in pieces of at most 1 MB', async () => {
    const bytes = randomBytes(3_000_000);
    const hash = sha256(bytes);
    await place.write(hash, bytes);
    for (const [start, end] of [
      [0, 2_999_999],
      [0, 0],
      [2_999_999, 2_999_999],
      [262_143, 262_144],
      [1_000_000, 1_999_999],
    ] as const) {
      const pieces: Uint8Array[] = [];
      for await (const piece of other.stream(hash, { start, end })) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(bytes.subarray(start, end + 1))).toBe(true);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1024 * 1024);
    }
  });

  it('reports a missing blob before it returns any bytes', async () => {
    const hash = sha256(randomBytes(8));
    await expect(place.read(hash)).rejects.toThrow(MissingBlob);
    await expect(place.stream(hash, { start: 0, end: 5 })[Symbol.asyncIterator]().next()).rejects.toThrow(MissingBlob);
  });

  it('accepts the same bytes from two nodes concurrently', async () => {
    const bytes = randomBytes(700_000);
    const hash = sha256(bytes);
    await Promise.all([place, other, place, other].map((node) => node.write(hash, bytes)));
    expect(sha256(await place.read(hash))).toBe(hash);
  });

  it('lists all of 1100 blobs, and removes the requested ones', async () => {
    const texts = Array.from({ length: 1100 }, (_, n) => Buffer.from(`text ${n}`));
    for (let at = 0; at < texts.length; at += 50)
      await Promise.all(texts.slice(at, at + 50).map((bytes) => place.write(sha256(bytes), bytes)));
    const hashes = texts.map(sha256);
    expect([...(await namesOf(other))]).toEqual(expect.arrayContaining(hashes));
    await place.remove(hashes.slice(1));
    await place.remove([...hashes.slice(1, 3), sha256(randomBytes(8))]);
    const left = await namesOf(other);
    expect(hashes.filter((hash) => left.has(hash))).toEqual(hashes.slice(0, 1));
    expect(await other.size(hashes[1] ?? '')).toBeUndefined();
  });
}

/** The contract of several nodes that share one blob store and one database. */
export function sharedBlobsContract(open: () => Promise<{ places: readonly BlobStorage[]; condemned: readonly CondemnedBlobs[] }>): void {
  let places: readonly BlobStorage[];
  let condemned: readonly CondemnedBlobs[];
  let time = Date.parse('2030-01-01');
  const now = () => new Date(time);
  const node = (n: number, place = pick(places, n)) => createBlobStore(place, pick(condemned, n), { grace: HOUR, now });
  beforeEach(async () => {
    ({ places, condemned } = await open());
  });
  afterEach(async () => {
    await Promise.all(places.map((place) => place.close()));
  });

  it('removes unreferenced blobs an hour after they were first seen, and nothing else', async () => {
    const [served, unserved] = [await node(0).put(randomBytes(10)), await node(0).put(randomBytes(10))];
    const sweep = () => node(1).sweep((hash) => hash === served, now());
    expect(await sweep()).toBe(0);
    time += HOUR - 1;
    expect(await sweep()).toBe(0);
    time += 1;
    expect(await sweep()).toBe(1);
    expect([...(await node(0).reserve([blobOf(served), blobOf(unserved)]))]).toEqual([served]);
  });

  it.each(['keep', 'put'] as const)('preserves what another node uses by "%s"', async (how) => {
    const bytes = randomBytes(10);
    const hash = await node(0).put(bytes);
    await node(1).sweep(nothingServed, now());
    time += HOUR - 1;
    if (how === 'keep') expect((await node(0).reserve([blobOf(hash)])).has(hash)).toBe(true);
    else await node(0).put(bytes);
    time += HOUR - 1;
    await node(1).sweep(nothingServed, now());
    expect(await pick(places, 0).size(hash)).toBe(10);
  });

  it('stores a blob again that another node is removing', async () => {
    const bytes = randomBytes(10);
    const hash = await node(0).put(bytes);
    await node(1).sweep(nothingServed, now());
    time += HOUR;
    let putting: Promise<string> | undefined;
    const slow = {
      ...pick(places, 1),
      async remove(hashes: readonly string[]) {
        putting = node(0).put(bytes);
        // By then the other node knows that it must wait.
        await node(0).reserve([]);
        await pick(places, 1).remove(hashes);
      },
    };
    await node(1, slow).sweep(nothingServed, now());
    expect(await putting).toBe(hash);
    expect(await pick(places, 0).size(hash)).toBe(10);
  });

  it('continues after a node that ended during a removal', async () => {
    const bytes = randomBytes(10);
    const hash = await node(0).put(bytes);
    await node(1).sweep(nothingServed, now());
    time += HOUR;
    const dying = { ...pick(places, 1), remove: () => Promise.reject(new Error('The node ended.')) };
    await expect(node(1, dying).sweep(nothingServed, now())).rejects.toThrow('The node ended.');
    time += 5 * 60 * 1000 + 1;
    expect(await node(0).put(bytes)).toBe(hash);
    expect(await pick(places, 0).size(hash)).toBe(10);
  });

  it('loses no served blob while nodes sync and sweep concurrently', async () => {
    const texts = Array.from({ length: 12 }, (_, n) => Buffer.from(`blob ${n}`));
    const hashes = texts.map(sha256);
    let served = new Set<string>();
    let removed = 0;
    for (let round = 0; round < 40; round += 1) {
      const chosen = texts.filter(() => Math.random() < 0.4);
      const sync = async () => {
        const there = await node(0).reserve(chosen.map((bytes) => ({ hash: sha256(bytes), size: bytes.length })));
        for (const bytes of chosen) if (!there.has(sha256(bytes))) await node(0).put(bytes);
        served = new Set(chosen.map(sha256));
      };
      const sweep = async (n: number) => {
        // The sweeping node reads what is served only after it has started.
        const at = now();
        const wanted = served;
        removed += await node(n).sweep((hash) => wanted.has(hash) || !hashes.includes(hash), at);
      };
      await Promise.all([sync(), sweep(1), sweep(0)]);
      for (const hash of served) expect(await pick(places, 0).size(hash), `round ${round}`).toBeDefined();
      time += HOUR;
    }
    expect(removed).toBeGreaterThan(0);
  });
}

const HOUR = 60 * 60 * 1000;
const nothingServed = () => false;
const blobOf = (hash: string) => ({ hash, size: 10 });

function pick<T>(all: readonly T[], n: number): T {
  const one = all[n];
  if (one === undefined) throw new Error(`There is no node ${n}.`);
  return one;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function namesOf(place: BlobStorage): Promise<Set<string>> {
  const all = new Set<string>();
  for await (const names of place.names()) for (const name of names) all.add(name);
  return all;
}
