import { createServer, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createCodeFiles } from '@repoless/service/code/code-files.ts';
import { createDelivery } from '@repoless/service/delivery/deliver.ts';
import { createExpressServer, serve } from '@repoless/service/server.ts';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import express from 'express';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, openEventStream, askSlowly } from '../support/ask.ts';
import { startReceiver } from '../support/receiver.ts';
import { openFolderStorage } from '@repoless/service/code/blob-store.ts';

const MIB = 1024 * 1024;
const READERS = 150;
const FILE = Buffer.alloc(MIB, 'x');
const TEXTS = Array.from({ length: 200 }, () => 'x'.repeat(7500));

/** A connection that accepts only the first chunk of an answer, without buffers of the operating system. */
class SlowReader extends Duplex {
  readonly status: Promise<number>;
  /** The chunk in transit. */
  #sent: Buffer | undefined;
  #onStatus: (status: number) => void = () => undefined;

  constructor(path: string, headers = '') {
    super();
    this.status = new Promise((resolve) => (this.#onStatus = resolve));
    this.on('error', () => undefined);
    this.push(`GET ${path} HTTP/1.1\r\nhost: main--large--wknd.live.localhost\r\n${headers}\r\n`);
  }
  override _read(): void {}
  override _write(chunk: Buffer): void {
    this.#sent = chunk;
    this.#onStatus(Number(this.#sent.toString('latin1', 9, 12)));
  }
}
let adopt: (reader: Duplex) => void;
let stop: () => Promise<void>;
/** Bytes read from code files. */
let read = 0;
let forget: () => void = () => undefined;
const readers: SlowReader[] = [];

const world = startBeforeAll(() => startCodeWorld({ settings: { BODY_LIMIT: String(2 * MIB) } }));
beforeAll(async () => {
  await world.register('large', { public: { ...publicPart('large'), texts: TEXTS } });
  await world.clone.push({ 'large.js': FILE });
  await world.sync('large');
  const { store, dataDir } = world.backend;
  const blobStore = await openFolderStorage(join(dataDir, 'code'));
  const blobs = {
    reserve: async () => new Set<string>(),
    async read(hash: string) {
      const bytes = await blobStore.read(hash);
      read += bytes.length;
      return bytes;
    },
    async *stream(...args: Parameters<typeof blobStore.stream>) {
      for await (const piece of blobStore.stream(...args)) {
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
    await blobStore.close();
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

it('a file of the code is read as fast as the client reads it', async () => {
  await open('/large.js').status;
  read = 0;
  expect(new Set(await statusesOf('/large.js'))).toEqual(new Set([200]));
  expect(read / READERS).toBeLessThan(FILE.length / 4);
});

it('only the requested range is read', async () => {
  await open('/large.js').status;
  read = 0;
  expect(new Set(await statusesOf('/large.js', 'range: bytes=500000-500009\r\n'))).toEqual(new Set([206]));
  expect(read / READERS).toBe(10);
});

it('a config.json is in memory once for all its readers', async () => {
  await open('/config.json').status;
  const before = process.memoryUsage().arrayBuffers;
  expect(new Set(await statusesOf('/config.json'))).toEqual(new Set([200]));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
});

it('copies of a config.json for different readers use up to half of LIMITS.pageBytes, which is released', async () => {
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

it.each(['/config.json', '/large.js'])('a reader who takes longer than LIMITS.pageSending for %s is disconnected', async (path) => {
  await open(path).status;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reader = open(path);
  expect(await reader.status).toBe(200);
  vi.advanceTimersByTime(LIMITS.pageSending - 1);
  expect(reader.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(reader.destroyed).toBe(true);
});

const servers: ReturnType<typeof createExpressServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server whose answer exceeds what fits into the buffers to a reader. */
async function start(silence?: number) {
  const answer = Buffer.alloc(64 * 1024 * 1024);
  const server = createExpressServer(express(), { requestTimeout: 30_000 }, (_request, response) => response.end(answer), silence);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

it('a client that does not read is disconnected', async () => {
  const { server, port } = await start(200);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await once(server, 'request');
  expect(await open()).toBe(1);
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  socket.destroy();
});

it('a server disconnects silent clients after LIMITS.silence, or after its request timeout if that is longer', async () => {
  expect((await start()).server.timeout).toBe(LIMITS.silence);
  const patient = createExpressServer(express(), { requestTimeout: 300_000 }, () => undefined);
  expect(patient.timeout).toBe(300_000);
});

describe('with open streams,', () => {
  const opened: ClientRequest[] = [];
  const backend = startBeforeAll(() =>
    startTestBackend({
      dryRun: false,
      settings: { TRUST_PROXY: '127.0.0.1,::1' },
      sites: { open: { access: { admin: { requireAuth: false, role: { admin: [OPERATOR] } } } } },
    }),
  );
  afterAll(async () => {
    for (const one of opened) one.destroy();
  });

  async function open(from: number, token?: string) {
    const headers = { 'x-forwarded-for': `198.51.100.${from}`, ...(token !== undefined && { 'x-auth-token': token }) };
    const { clientRequest, answer } = await openEventStream(backend.address, '/job/wknd/open/main/code', headers);
    opened.push(clientRequest);
    return [answer.statusCode, answer.headers['x-error-code']];
  }

  it('callers without a role get few streams of an open site, and leave others for people with a role', async () => {
    for (let count = 0; count < LIMITS.jobStreamsOfNetwork; count += 1) expect((await open(70))[0]).toBe(200);
    expect(await open(70)).toEqual([503, 'OVERLOADED']);
    const others = [];
    for (let count = 0; count < LIMITS.jobStreams; count += 1) others.push(await open(count));
    expect(others.filter(([status]) => status === 200)).toHaveLength(LIMITS.jobStreamsOfStrangers - LIMITS.jobStreamsOfNetwork);
    expect(others.at(-1)).toEqual([503, 'OVERLOADED']);
    expect(await open(60, await backend.token('stranger@example.com'))).toEqual([503, 'OVERLOADED']);
    expect((await open(60, await backend.token(OPERATOR)))[0]).toBe(200);
  });
});

const LARGE = Buffer.alloc(9 * 1024 * 1024, '<p>large</p>');
const VISITORS = 150;

const author = startBeforeAll(() =>
  startReceiver((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(request.url?.includes('large') === true ? LARGE : '<main>small</main>');
  }),
);
const backend = startBeforeAll(() => startTestBackend({ dryRun: false, orgs: ['wknd', 'other'] }));
beforeAll(async () => {
  for (const org of ['wknd', 'other']) {
    const content = { source: { url: `http://author.localhost:${author.port}/${org}`, type: 'markup', suffix: '.html' } };
    await callsAs(backend, OPERATOR).done('PUT', `/config/${org}/sites/site.json`, siteBody(org, 'site', { content }));
  }
});

const visitor = (path: string) =>
  askSlowly(backend.port, `GET ${path} HTTP/1.1\r\nhost: main--site--wknd.live.localhost:${backend.port}\r\n\r\n`);
const page = (org: string) => backend.visit('live', `main--site--${org}`, '/small');

it('150 slow readers of a large page stay within the memory for pages, and delay no one else', async () => {
  const before = process.memoryUsage();
  let most = 0;
  const watching = setInterval(() => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    most = Math.max(most, arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed);
  }, 5);
  const visitors = await Promise.all(Array.from({ length: VISITORS }, () => visitor('/large')));
  const statuses = visitors.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(LIMITS.pageBytes / 2 / LARGE.length);
  expect((await ask(backend.address, '/health')).status).toBe(200);
  const shed = await backend.visit('live', 'main--site--wknd', '/large');
  expect([shed.status, shed.code, shed.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
  expect((await page('other')).status).toBe(200);
  clearInterval(watching);
  // Room for the stored copy, its assembly from chunks, and the part received of an aborted one.
  expect(most).toBeLessThan(3 * LIMITS.pageBytes);

  for (const { socket } of visitors) socket.destroy();
  // Answers end when their callers disconnect, which frees the memory.
  for (;;) {
    const again = await backend.visit('live', 'main--site--wknd', '/large');
    if (again.status === 200) break;
    await wait(5);
  }
}, 120_000);

describe('with answers of the authoring system in memory,', () => {
  const LARGE = Buffer.alloc(8 * 1024 * 1024, 'x');
  /** The number of answers that one caller may hold. */
  const EACH = LIMITS.proxiedBytes / 4 / LARGE.length;
  /** Callers who together use all of it. */
  const CALLERS = ['one@example.com', 'two@example.com', 'three@example.com', 'four@example.com'];
  const author = startBeforeAll(() =>
    startReceiver((request, response) => {
      request.resume();
      if (request.url?.startsWith('/content/moved') === true) response.writeHead(302, { location: '/content/large.json' }).end(LARGE);
      else if (request.url?.startsWith('/content/endless') === true) response.end(Buffer.alloc(LARGE.length + 3 * 1024 * 1024));
      else response.end(request.url?.startsWith('/content/small') === true ? '{}' : LARGE);
    }),
  );
  const backend = startBeforeAll(() => startTestBackend({ dryRun: false, settings: { AUTHOR_HOSTS: author.host } }));
  afterEach(() => {
    vi.useRealTimers();
  });

  const get = (path: string, as: string) => backend.call('GET', `/authoring/${author.host}/content/${path}.json`, { as });

  async function slowReader(as: string, call = `GET /authoring/${author.host}/content/large.json`, body = '') {
    const form = body === '' ? '' : `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n`;
    const head = `${call} HTTP/1.1\r\nhost: ${new URL(backend.address).host}\r\nx-auth-token: ${await backend.token(as)}\r\n${form}\r\n`;
    return askSlowly(backend.port, `${head}${body}`);
  }
  type Reader = Awaited<ReturnType<typeof slowReader>>;

  /** One after the other, so that each meets the memory held by the others. */
  async function slowReaders(count: number, as: string): Promise<Reader[]> {
    const readers: Reader[] = [];
    while (readers.length < count) readers.push(await slowReader(as));
    return readers;
  }
  const count = (readers: readonly Reader[], status: number) => readers.filter((one) => one.status === status).length;

  async function leave(readers: readonly Reader[]): Promise<void> {
    for (const { socket } of readers) socket.destroy();
    await expect.poll(async () => (await get('large', OPERATOR)).status).toBe(200);
  }

  it('slow callers use up to a quarter of LIMITS.proxiedBytes each, and all of it together', async () => {
    const [first = '', ...others] = CALLERS;
    const readers = await slowReaders(12, first);
    expect([count(readers, 200), count(readers, 503)]).toEqual([EACH, 12 - EACH]);
    const refused = await get('large', first);
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([503, 'OVERLOADED', '5']);
    expect(refused.error).toBe(
      'Too many large answers of authoring systems for this caller are being sent right now. Try again in a few seconds.',
    );
    // Small answers do not count, nor do other callers.
    expect((await get('small', first)).status).toBe(200);
    expect((await get('large', OPERATOR)).text.length).toBe(LARGE.length);

    for (const other of others) readers.push(...(await slowReaders(EACH, other)));
    expect(count(readers, 200)).toBe(CALLERS.length * EACH);
    const full = await get('large', OPERATOR);
    expect([full.status, full.error]).toEqual([
      503,
      'Too many large answers of authoring systems are being sent right now. Try again in a few seconds.',
    ]);
    await leave(readers);
    expect((await get('large', first)).status).toBe(200);
  }, 60_000);

  it('the answer to a write counts as well, and is refused with 502, because clients retry after 503', async () => {
    const as = 'writer@example.com';
    const call = `POST /authoring/${author.host}/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content`;
    const readers = [];
    for (let index = 0; index <= EACH; index += 1) readers.push(await slowReader(as, call, './owner=wknd'));
    expect(readers.map(({ status }) => status)).toEqual([...Array<number>(EACH).fill(200), 502]);
    await leave(readers);
  }, 60_000);

  it('redirects, answers that are too large, HEAD and failed conditions use none of it', async () => {
    for (let index = 0; index <= 4 * EACH; index += 1) {
      expect((await get('moved', OPERATOR)).status).toBe(200);
      expect((await get('endless', OPERATOR)).status).toBe(502);
      expect((await backend.call('HEAD', `/authoring/${author.host}/content/large.json`, { as: OPERATOR })).status).toBe(200);
      const failed = await backend.call('GET', `/authoring/${author.host}/content/large.json`, {
        as: OPERATOR,
        headers: { 'if-match': '"x"' },
      });
      expect(failed.status).toBe(412);
    }
  }, 60_000);

  it('a caller who takes longer than LIMITS.pageSending for an answer is disconnected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { socket, status } = await slowReader(OPERATOR);
    expect(status).toBe(200);
    const ended = once(socket, 'close');
    vi.advanceTimersByTime(LIMITS.pageSending);
    let rest = 0;
    socket.on('data', (chunk: Buffer) => (rest += chunk.length)).resume();
    await ended;
    expect(rest).toBeLessThan(LARGE.length);
  }, 60_000);
});
