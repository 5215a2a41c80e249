import { createServer } from 'node:http';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createCodeFiles } from '@repoless/service/code/code-files.ts';
import { openFolderPlace } from '@repoless/service/code/folder-place.ts';
import { createDelivery } from '@repoless/service/delivery/deliver.ts';
import { serve } from '@repoless/service/server.ts';
import { publicPart } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const MIB = 1024 * 1024;
const READERS = 150;
const FILE = Buffer.alloc(MIB, 'x');
const TEXTS = Array.from({ length: 200 }, () => 'x'.repeat(7500));

/** A connection that takes the first piece of an answer, and nothing more: what the system keeps on its way takes no part. */
class SlowReader extends Duplex {
  readonly status: Promise<number>;
  /** On its way, as the system would have it. */
  #sent: Buffer | undefined;
  #told: (status: number) => void = () => undefined;

  constructor(path: string, headers = '') {
    super();
    this.status = new Promise((resolve) => (this.#told = resolve));
    this.on('error', () => undefined);
    this.push(`GET ${path} HTTP/1.1\r\nhost: main--large--wknd.live.localhost\r\n${headers}\r\n`);
  }
  override _read(): void {}
  override _write(chunk: Buffer): void {
    this.#sent = chunk;
    this.#told(Number(this.#sent.toString('latin1', 9, 12)));
  }
}
let adopt: (reader: Duplex) => void;
let stop: () => Promise<void>;
/** Bytes that were read of files of the code. */
let read = 0;
let forget: () => void = () => undefined;
const readers: SlowReader[] = [];

const world = startBeforeAll(() => startCodeWorld({ settings: { BODY_LIMIT: String(2 * MIB) } }));
beforeAll(async () => {
  await world.register('large', { public: { ...publicPart('large'), texts: TEXTS } });
  await world.clone.push({ 'large.js': FILE });
  await world.sync('large');
  const { store, dataDir } = world.backend;
  const place = await openFolderPlace(join(dataDir, 'code'));
  const blobs = {
    async read(hash: string) {
      const bytes = await place.read(hash);
      read += bytes.length;
      return bytes;
    },
    async *stream(...asked: Parameters<typeof place.stream>) {
      for await (const piece of place.stream(...asked)) {
        read += piece.length;
        yield piece;
      }
    },
  };
  const delivery = createDelivery({
    store: {
      ...store,
      onSiteChange(listener) {
        forget = () => listener('wknd', 'large');
        return () => undefined;
      },
    },
    domains: { preview: 'preview.localhost', live: 'live.localhost', protocol: 'http' },
    isServiceHost: () => false,
    code: createCodeFiles(store.code, blobs),
    pages: { authors: { send: () => expect.unreachable() }, token: undefined, time: 20_000, isKnownAuthor: () => false },
    guard: { tokens: { verify: async () => undefined, verifyForSite: async () => undefined }, secrets: { isOneOf: async () => false } },
    isStopping: () => false,
    failed: (error) => expect.unreachable(String(error)),
    clientAddress: () => '',
    refused: () => undefined,
  });
  const server = await serve(
    { create: createServer, rest: () => undefined },
    async (own) => {
      adopt = (reader) => void own.emit('connection', reader);
      return 0;
    },
    { log: { request: () => undefined } },
  );
  server.open(delivery.deliver);
  stop = async () => {
    delivery.close();
    await place.close();
  };
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.destroy();
  read = 0;
  vi.useRealTimers();
});
afterAll(async () => {
  await stop();
});

function open(path: string, headers?: string): SlowReader {
  const reader = new SlowReader(path, headers);
  readers.push(reader);
  adopt(reader);
  return reader;
}
const statusesOf = (path: string, headers?: string) =>
  Promise.all(Array.from({ length: READERS }, async () => await open(path, headers).status));

it('a file of the code is read as fast as its reader takes it', async () => {
  await open('/large.js').status;
  read = 0;
  expect(new Set(await statusesOf('/large.js'))).toEqual(new Set([200]));
  expect(read / READERS).toBeLessThan(FILE.length / 4);
});

it('of a range nothing else is read', async () => {
  await open('/large.js').status;
  read = 0;
  expect(new Set(await statusesOf('/large.js', 'range: bytes=500000-500009\r\n'))).toEqual(new Set([206]));
  expect(read / READERS).toBe(10);
});

it('a config.json is in memory once, however many are reading it', async () => {
  await open('/config.json').status;
  const before = process.memoryUsage().arrayBuffers;
  expect(new Set(await statusesOf('/config.json'))).toEqual(new Set([200]));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
});

it('a config.json that each reader has anew is held up to half of LIMITS.pageBytes, and given back', async () => {
  const statuses: number[] = [];
  for (let reader = 0; reader < READERS; reader += 1) {
    forget();
    statuses.push(await open('/config.json').status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  const size = TEXTS.join().length;
  const held = statuses.filter((status) => status === 200).length;
  expect([held * size < LIMITS.pageBytes / 2, (held + 2) * size > LIMITS.pageBytes / 2]).toEqual([true, true]);
  for (const reader of readers.splice(0)) reader.destroy();
  await expect.poll(() => open('/config.json').status).toBe(200);
});

it.each(['/config.json', '/large.js'])('whoever takes longer than LIMITS.pageSending for %s is cut off', async (path) => {
  await open(path).status;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = open(path);
  expect(await reader.status).toBe(200);
  vi.advanceTimersByTime(LIMITS.pageSending - 1);
  expect(reader.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(reader.destroyed).toBe(true);
});
