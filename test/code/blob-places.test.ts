import { openFolderStorage } from '@repoless/service/code/blob-store.ts';
import { MissingBlob, type BlobStorage } from '@repoless/service/code/rules/ports.ts';
import { randomBytes, createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, beforeEach } from 'vitest';
import { blobPlaceContract, namesOf, sha256, sharedBlobsContract } from '../support/blob-places.ts';
import { eachStore } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';
import { bucketStorage, openBucket, type BucketOptions } from '@repoless/service/code/object-storage/bucket.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../support/listen.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a folder', () => {
  blobPlaceContract(async () => {
    const folder = newFolder();
    return { place: await openFolderStorage(folder), other: await openFolderStorage(folder) };
  });

  it('leaves nothing of a file whose write failed', async () => {
    const folder = newFolder();
    const place = await openFolderStorage(folder);
    const bytes = randomBytes(100);
    const hash = sha256(bytes);
    // A folder in its place cannot be replaced by a file.
    mkdirSync(join(folder, 'files', hash.slice(0, 2), hash.slice(2)), { recursive: true });
    await expect(place.write(hash, bytes)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(readdirSync(join(folder, 'drafts'))).toEqual([]);
  });
});

eachStore(({ name, newDatabase }) => {
  /** The embedded store has one node. */
  const openTwo = async () => {
    const database = await newDatabase();
    const store = await database.open();
    return [store, name === 'SQLite' ? store : await database.open()] as const;
  };

  describe('the database', () => {
    blobPlaceContract(async () => {
      const [store, other] = await openTwo();
      return { place: store.blobs, other: other.blobs };
    });
    sharedBlobsContract(async () => {
      const stores = await openTwo();
      return { places: stores.map(({ blobs }) => blobs), condemned: stores.map(({ condemned }) => condemned) };
    });

    it('treats a blob whose writer was killed as missing, and lists its remains', async () => {
      const database = await newDatabase();
      const { blobs } = await database.open();
      const bytes = randomBytes(600_000);
      const hash = sha256(bytes);
      await blobs.write(hash, bytes);
      await executeIn(database.options, 'delete from code_blobs where part = 0');
      expect(await blobs.size(hash)).toBeUndefined();
      await expect(blobs.read(hash)).rejects.toThrow(MissingBlob);
      expect([...(await namesOf(blobs))]).toEqual([hash]);
      await blobs.write(hash, bytes);
      expect(sha256(await blobs.read(hash))).toBe(hash);
    });
  });

  describe('a folder shared by nodes on this database', () => {
    sharedBlobsContract(async () => {
      const folder = newFolder();
      const places = [await openFolderStorage(folder), await openFolderStorage(folder)];
      return { places, condemned: (await openTwo()).map(({ condemned }) => condemned) };
    });
  });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'repoless-blobs-'));
  folders.push(folder);
  return folder;
}
describe('a bucket', () => {
  let bucket: TestBucket;
  let place: BlobStorage;
  beforeEach(async () => {
    bucket = await startBucket();
    place = bucketStorage(await openBucket(bucket.options));
  });
  afterEach(async () => {
    await place.close();
    await bucket.stop();
  });

  const write = async (...texts: string[]) => {
    for (const text of texts) await place.write(sha256(Buffer.from(text)), Buffer.from(text));
  };
  const hashes = (...texts: string[]) => texts.map((text) => sha256(Buffer.from(text))).toSorted();

  it('writes and removes blobs even if its responses are lost', async () => {
    bucket.loseAnswers('files/', 2);
    await write('one', 'two');
    expect([...(await namesOf(place))].toSorted()).toEqual(hashes('one', 'two'));
    expect(await place.size(sha256(Buffer.from('one')))).toBe(3);
    bucket.loseAnswers('files/', 1);
    await place.remove(hashes('one', 'two'));
    expect(bucket.objects.size).toBe(0);
  });

  it('stores blobs even if it does not support conditional requests', async () => {
    bucket.refuseConditions('PUT');
    await write('one', 'two', 'one');
    expect([...(await namesOf(place))].toSorted()).toEqual(hashes('one', 'two'));
  });

  it('lists all blobs, however short or empty the pages are, and fails if a list is truncated', async () => {
    await write('one', 'two', 'three', 'four', 'five', 'six');
    const [first = '', second = '', third = '', ...rest] = hashes('one', 'two', 'three', 'four', 'five', 'six');
    await place.remove([first, second]);
    bucket.listAtMost(2);
    expect([...(await namesOf(place))].toSorted()).toEqual([third, ...rest]);
    bucket.hideTokens();
    await expect(namesOf(place)).rejects.toThrow(Refusal);
  });
});
/** A server with one bucket that implements as much of S3 as the service needs, and fails as servers do. */
interface TestBucket {
  /** Its objects by key. */
  readonly objects: ReadonlyMap<string, { readonly body: Buffer }>;
  readonly options: BucketOptions;
  put(key: string, text: string): void;
  /** Carries out the next `count` writes and removals below this key, but closes the connection instead of answering. */
  loseAnswers(below: string, count: number): void;
  /** Limits each page of a list to this many objects, however many are requested. Deleted ones count but are not listed. */
  listAtMost(count: number): void;
  /** Pages announce further pages without the token to request them. */
  hideTokens(): void;
  /** Answers 501 to conditional requests of this method. */
  refuseConditions(method: 'PUT' | 'DELETE'): void;
  stop(): Promise<void>;
}

interface Stored {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Stored>();
  const deleted = new Set<string>();
  const withoutConditions = new Set<string>();
  const lost = { below: '', count: 0 };
  let [atMost, hidesTokens] = [1000, false];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(pathname).replace(/^\/bucket\/?/, '');
    const body = await buffer(request);
    if (key === '') return void response.end(list(searchParams));
    const current = objects.get(key);
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined;
    const { method = '' } = request;
    if (isConditional && withoutConditions.has(method)) return refuse(response, 501, 'NotImplemented');
    if (ifMatch !== undefined && current === undefined) return refuse(response, 404, 'NoSuchKey');
    if ((ifMatch !== undefined && ifMatch !== tagOf(current)) || (ifNoneMatch === '*' && current !== undefined))
      return refuse(response, 412, 'PreconditionFailed');
    if (method === 'GET' || method === 'HEAD') {
      if (current === undefined) return refuse(response, 404, 'NoSuchKey');
      const headers = { ...current.headers, etag: tagOf(current), 'content-length': current.body.length };
      return void response.writeHead(200, headers).end(method === 'HEAD' ? undefined : current.body);
    }
    if (method === 'PUT') objects.set(key, { body, headers: storedHeadersOf(request) });
    else if (objects.delete(key)) deleted.add(key);
    if (lost.count > 0 && key.startsWith(lost.below)) {
      lost.count -= 1;
      return void request.socket.destroy();
    }
    response.writeHead(method === 'PUT' ? 200 : 204, method === 'PUT' ? { etag: tagOf(objects.get(key)) } : {}).end();
  }

  function list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const known = [...new Set([...objects.keys(), ...deleted])];
    const keys = known.filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted();
    const page = keys.slice(0, Math.min(Number(query.get('max-keys') ?? 1000), atMost));
    const isTruncated = page.length < keys.length;
    const further = isTruncated && !hidesTokens ? `<NextContinuationToken>${page.at(-1) ?? after}</NextContinuationToken>` : '';
    const shown = page.filter((key) => objects.has(key));
    const contents = shown.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${further}${contents}</ListBucketResult>`;
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => request.socket.destroy()));
  const { address: endpoint, stop } = await listen(server);
  const [region, key, secret] = ['us-east-1', 'test-access-key', 'a-secret-that-no-log-may-hold'];
  return {
    objects,
    options: {
      bucket: 'bucket',
      prefix: '',
      region,
      endpoint,
      pathStyle: true,
      credential: { accessKeyId: key, secretAccessKey: new SealedValue(secret) },
    },
    put: (at, text) => void objects.set(at, { body: Buffer.from(text), headers: {} }),
    loseAnswers: (below, count) => void Object.assign(lost, { below, count }),
    listAtMost: (count) => void (atMost = count),
    hideTokens: () => void (hidesTokens = true),
    refuseConditions: (method) => void withoutConditions.add(method),
    stop,
  };
}

function tagOf(stored: Stored | undefined): string {
  return stored === undefined ? '' : `"${createHash('md5').update(stored.body).digest('hex')}"`;
}

/** The headers that a server stores with an object. */
function storedHeadersOf({ headers }: IncomingMessage): Record<string, string> {
  const stored = Object.entries(headers).filter(([name]) => /^(?:content-type|cache-control|x-amz-meta-.*)$/.test(name));
  return Object.fromEntries(stored.map(([name, value]) => [name, String(value)]));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
