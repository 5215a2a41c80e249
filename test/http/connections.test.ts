import { Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { anySignal } from '@repoless/service/git/run-git.ts';
import { createLookups } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { once } from 'node:events';
import { Agent, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, type TestAnswer } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/byogit.ts';
import {
  BUILD_MANAGEMENT_PROGRAM,
  buildBackend,
  type ChildBackend,
  startChildBackend,
  temporaryDirectory,
} from '../support/child-backend.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { exchangeBytes } from '../support/exchange-bytes.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const backend = startBeforeAll(() => startTestBackend());

const exchanged = (bytes: string) => exchangeBytes(backend.port, bytes);
const host = () => `localhost:${backend.port}`;
const live = () => `main--a--wknd.live.localhost:${backend.port}`;

it.each([
  ['two hosts', () => `GET /service.json HTTP/1.1\r\nhost: ${host()}\r\nhost: evil.example\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['the same host twice', () => `GET /config.json HTTP/1.1\r\nhost: ${live()}\r\nHost: ${live()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['no host', () => 'GET /service.json HTTP/1.1\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['no host in HTTP/1.0', () => 'GET /service.json HTTP/1.0\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['an absolute address', () => `GET http://evil.example/service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['an absolute address at a site', () => `GET http://${live()}/config.json HTTP/1.1\r\nhost: ${live()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a fragment', () => `GET /service.json#part HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a fragment at a site', () => `GET /config.json#part HTTP/1.1\r\nhost: ${live()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['an asterisk', () => `GET * HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a tunnel', () => `CONNECT evil.example:443 HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['an unknown method', () => `GOT /service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['another protocol', () => 'EHLO evil.example\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['a header without a colon', () => `GET / HTTP/1.1\r\nhost: ${host()}\r\nodd\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a space before the colon', () => `GET / HTTP/1.1\r\nhost : ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  [
    'an expectation',
    () => `POST /auth/device HTTP/1.1\r\nhost: ${host()}\r\nexpect: a-miracle\r\ncontent-length: 0\r\n\r\n`,
    417,
    'EXPECTATION_REFUSED',
  ],
  ['large headers', () => `GET / HTTP/1.1\r\nhost: ${host()}\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['a long address', () => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
])('%s is refused with a problem document', async (_, bytes, status, code) => {
  const text = await exchanged(bytes());
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ').slice(1).join(': ')]),
  );
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  expect(headers.get('x-error-code')).toBe(code);
  expect(headers.get('x-error')).toMatch(/^\w.*\w/);
  expect(headers.get('connection')).toBe('close');
  const problem = Problem.parse(JSON.parse(body));
  expect([problem.status, problem.code, problem.requestId]).toEqual([status, code, headers.get('x-request-id')]);
});

it('large headers are refused with an answer on a reused connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(backend.address, '/service.json', { agent })).status).toBe(200);
  const refused = await ask(backend.address, '/service.json', { agent, headers: { x: 'x'.repeat(20_000) } });
  expect([refused.status, refused.code, refused.headers['connection']]).toEqual([431, 'HEADERS_TOO_LARGE', 'close']);
  agent.destroy();
});

it('valid requests are answered on the same connection', async () => {
  const one = `GET /service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`;
  const text = await exchanged(
    `${one}OPTIONS * HTTP/1.1\r\nhost: ${host()}\r\n\r\nGET /service.json HTTP/1.1\r\nhost: ${host()}\r\nconnection: close\r\n\r\n`,
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 204', 'HTTP/1.1 200']);
});

describe('pipelined requests', () => {
  const MOST = 17;
  const LARGE = '/config/wknd/aggregated/large.json';
  /** Unfinished answers of the content source. */
  const pending: ServerResponse[] = [];

  const author = startBeforeAll(() => startReceiver((_request, response) => void pending.push(response)));
  const backend = startBeforeAll(() => start({}));

  async function start(settings: Record<string, string>): Promise<TestBackend> {
    const started = await startTestBackend({ dryRun: false, settings });
    const source = { url: `http://${author.host}/large`, type: 'markup', suffix: '.html' };
    const large = { ...publicPart('large'), text: Array.from({ length: 500 }, () => 'x'.repeat(1500)) };
    const body = siteBody('wknd', 'large', { access: { admin: { requireAuth: false } }, content: { source }, public: large });
    const { status, text } = await started.call('PUT', '/config/wknd/sites/large.json', { as: OPERATOR, body });
    expect(status, text).toBe(201);
    return started;
  }

  function get(path: string, host = `localhost:${backend.port}`, more = ''): string {
    return `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${more}\r\n`;
  }
  const liveHost = (port = backend.port) => `main--large--wknd.live.localhost:${port}`;

  /** Opens a connection. Its answers are recognized by their status lines. */
  async function open(port = backend.port): Promise<{ socket: Socket; statuses(): string[]; ended: Promise<void> }> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return { socket, ended, statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status) };
  }

  describe('on one connection', () => {
    it('are answered in order, and the connection stays open', async () => {
      const { socket, statuses } = await open();
      const some = [get('/service.json'), get('/config.json', liveHost()), get('/nowhere'), get('/live')];
      socket.write(Array.from({ length: MOST - 1 }, (_, index) => some[index % some.length]).join('') + get(LARGE));
      const expected = [...Array.from({ length: MOST - 1 }, (_, index) => ['200', '200', '404', '200'][index % some.length]), '200'];
      await expect.poll(statuses, { timeout: 15_000 }).toEqual(expected);
      socket.write(get('/config.json', liveHost()) + get('/nowhere'));
      await expect.poll(statuses, { timeout: 15_000 }).toEqual([...expected, '200', '404']);
      socket.destroy();
    });
  });

  it('end unanswered with their connection if malformed bytes follow', async () => {
    const { socket, statuses, ended } = await open();
    socket.write(get('/page', liveHost()) + get('/page', liveHost()));
    await expect.poll(() => pending.length).toBe(2);
    socket.write('NONSENSE\r\n\r\n');
    await ended;
    expect(statuses()).toEqual([]);
    for (const response of pending.splice(0)) response.destroy();
  });

  it('finish during a stop, which does not wait for disconnected callers', async () => {
    const stopping = await start({ SHUTDOWN_GRACE: '120' });
    const [stays, leaves] = [await open(stopping.port), await open(stopping.port)];
    for (const { socket } of [stays, leaves]) socket.write(get('/page', liveHost(stopping.port)).repeat(2));
    await expect.poll(() => pending.length).toBe(4);
    leaves.socket.destroy();
    const stopped = stopping.stop();
    for (const response of pending.splice(0)) response.end('<main>Late</main>');
    await stopped;
    await stays.ended;
    expect(stays.statuses()).toEqual(['200', '200']);
  }, 60_000);
});

const OFTEN = 3000;
const silent = startBeforeAll(() => startReceiver((request, response) => void (request.url === '/quick' && response.end())));

/** Collects garbage until the work is done. */
async function whileCollecting<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(collectGarbage, 20);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

it('a request to a host that does not answer times out, also with an abort signal and during garbage collection', async () => {
  const remote = createRemote({ internalAddresses: 'allow', timeout: 400, sizeLimit: 100, resolve: createLookups([]).tenants });
  const { signal } = new AbortController();
  // Code that ran often is optimized, and then releases what it no longer uses.
  for (let count = 0; count < OFTEN; count += 1) await remote.send({ url: `${silent.address}/quick`, method: 'GET', signal });
  const requests = Array.from({ length: 5 }, () =>
    remote.send({ url: `${silent.address}/`, method: 'GET', signal }).catch((error: unknown) => error),
  );
  for (const failure of await whileCollecting(Promise.all(requests)))
    expect(failure).toMatchObject({ name: 'RemoteFailure', reason: 'timeout' });
  await remote.close();
});

it('a deadline combined with other signals fires despite garbage collection, also if combined twice', async () => {
  const { signal } = new AbortController();
  const ends = Array.from({ length: 5 }, () => {
    const inner = () => anySignal(signal, AbortSignal.timeout(300));
    const outer = anySignal(new AbortController().signal, inner());
    return new Promise((resolve) => outer.addEventListener('abort', resolve, { once: true }));
  });
  await whileCollecting(Promise.all(ends));
  expect(signal.aborted).toBe(false);
});

describe('uploads of unauthenticated callers', () => {
  const ONE_MEGABYTE = 1024 * 1024;
  let backend: TestBackend;
  const sockets: Socket[] = [];

  beforeEach(async () => void (backend = await startTestBackend({ settings: { GITHUB_WEBHOOK_SECRET: 'a-secret-of-the-code-host' } })));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await backend.stop();
  });

  interface Upload {
    readonly socket: Socket;
    /** The error code of the answer. */
    readonly answered: Promise<string>;
  }

  /** Announces a megabyte and sends only `sent` bytes. */
  function startUpload(requestLine: string, sent: number, headers: readonly string[] = []): Upload {
    const socket = connect(backend.port, '127.0.0.1');
    sockets.push(socket);
    const head = [`${requestLine} HTTP/1.1`, `host: localhost:${backend.port}`, 'content-type: application/json', ...headers];
    socket.write(`${head.join('\r\n')}\r\ncontent-length: ${ONE_MEGABYTE}\r\n\r\n`);
    socket.write('x'.repeat(sent));
    const answered = new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const [, code] = /^x-error-code: (\w+)/im.exec(text) ?? [];
        if (code !== undefined) resolve(code);
      });
    });
    return { socket, answered };
  }

  describe('a body sent', () => {
    it.each([
      ['without a token', [], 'NOT_AUTHENTICATED'],
      ['with an invalid token', ['x-auth-token: e30.e30.e30'], 'NOT_AUTHENTICATED'],
    ])('%s is refused before it has arrived, for 100 concurrent uploads', async (_name, headers, code) => {
      const uploads = Array.from({ length: 100 }, () => startUpload('PUT /config/wknd/sites/site.json', 100, headers));
      expect(new Set(await Promise.all(uploads.map(({ answered }) => answered)))).toEqual(new Set([code]));
    });

    it('by a stranger is refused before it has arrived', async () => {
      const token = await backend.token('stranger@example.com');
      const { answered } = startUpload('PUT /config/wknd/sites/site.json', 100, [`x-auth-token: ${token}`]);
      expect(await answered).toBe('ORG_NOT_FOUND');
    });
  });

  describe('signed bodies', () => {
    const fitting = LIMITS.unknownBodies / ONE_MEGABYTE;

    it('share a memory budget: bodies above it are refused and the others continue', async () => {
      const first = Array.from({ length: fitting }, () => startUpload('POST /webhook/github', ONE_MEGABYTE - 1));
      // More than fit. The order in which their bytes arrive decides which are refused.
      const uploads = [...first, ...Array.from({ length: 4 }, () => startUpload('POST /webhook/github', ONE_MEGABYTE - 1))];
      expect(await Promise.race(uploads.map(({ answered }) => answered))).toBe('OVERLOADED');
      const outcomes = uploads.map(({ socket, answered }) => {
        if (!socket.destroyed) socket.write('x');
        return answered;
      });
      const codes = await Promise.all(outcomes);
      expect(codes.filter((code) => code !== 'OVERLOADED').length).toBeGreaterThan(fitting / 2);
      // Uploads that ended have released their memory.
      const later = startUpload('POST /webhook/github', ONE_MEGABYTE);
      expect(await later.answered).toBe(codes.find((code) => code !== 'OVERLOADED'));
    });

    it('do not affect signed-in callers', async () => {
      for (let n = 0; n < fitting + 4; n += 1) startUpload('POST /webhook/github', ONE_MEGABYTE - 1);
      expect((await backend.call('PUT', '/config/wknd/profiles/shared.json', { as: OPERATOR, body: {} })).status).toBe(201);
    });
  });
});

/** Milliseconds. On a busy machine the event loop is late by itself, which only makes the limit apply sooner. */
const LIMIT = 100;
/** More requests than are logged individually. */
const AT_ONCE = 60;
const ORIGIN = 'https://extension.example.com';

const summaryOf = ({ status, text }: TestAnswer): string => `${status} ${text.replaceAll(/\s/g, '')}`;

describe.each([
  { title: 'The service', program: undefined, needs: {} },
  { title: 'Build management', program: BUILD_MANAGEMENT_PROGRAM, needs: BUILD_MANAGEMENT_NEEDS },
])('$title under overload', ({ title, program, needs }) => {
  let data: Awaited<ReturnType<typeof temporaryDirectory>>;
  let backend: ChildBackend;

  beforeAll(async () => {
    await buildBackend();
    data = await temporaryDirectory();
    const settings = { OVERLOAD_DELAY: String(LIMIT), RATE_LIMIT: '0', ALLOWED_ORIGINS: ORIGIN, ...needs };
    backend = await startChildBackend(data.path, settings, { program });
  }, 120_000);
  afterAll(async () => {
    backend.child.kill();
    await backend.ended;
    await data.remove();
  });

  /**
   * Blocks the program for longer than the limit, as too much work would, while many requests wait on open connections; all are read
   * in one turn of the event loop. Returns their answers, and those of concurrent probes.
   */
  async function standStill(path: string) {
    const agent = new Agent({ keepAlive: true });
    const probes = ['/live', '/ready', '/health'];
    await Promise.all(Array.from({ length: AT_ONCE + probes.length }, () => ask(backend.address, '/live', { agent })));
    backend.child.kill('SIGSTOP');
    const answers = Promise.all(Array.from({ length: AT_ONCE }, () => ask(backend.address, path, { agent, headers: { origin: ORIGIN } })));
    const probed = Promise.all(probes.map((probe) => ask(backend.address, probe, { agent })));
    await later(3 * LIMIT);
    backend.child.kill('SIGCONT');
    const [live, ready, health] = await probed;
    const seen = { answers: await answers, live, ready, health };
    agent.destroy();
    return seen;
  }

  it('refuses the waiting requests, and is live but not ready', async () => {
    const { answers, live, ready, health } = await standStill('/openapi.json');
    for (const { status, headers, json } of answers) {
      expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
      expect(headers['x-error']).toMatch(new RegExp(`^${title} is overloaded`));
      expect(json()).toMatchObject({ status: 503, code: 'OVERLOADED', requestId: headers['x-request-id'] });
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    }
    const probes = [live, ready, health].map((answer) => answer && summaryOf(answer));
    expect(probes).toEqual(['200 {"status":"live"}', '503 {"status":"overloaded"}', '200 {"status":"ready"}']);
  });

  it('accepts requests again when none is waiting', async () => {
    await standStill('/openapi.json');
    await expect.poll(async () => (await ask(backend.address, '/ready')).status).toBe(200);
    await expect.poll(async () => (await ask(backend.address, '/openapi.json')).status).toBe(200);
  });

  it('throttles the log lines of refusals and counts those omitted', async () => {
    const lines = () =>
      backend
        .output()
        .split('\n')
        .filter((line) => line.includes('"code":"OVERLOADED"'));
    const unlogged = () => lines().reduce((sum, line) => sum + (Number(/"unlogged":(\d+)/.exec(line)?.[1]) || 0), 0);
    // A line has the number of requests omitted before it.
    await expect.poll(() => standStill('/openapi.json?secret=1').then(unlogged)).toBeGreaterThan(0);
    expect(lines().length).toBeGreaterThan(0);
    expect(lines().join('\n')).not.toContain('secret');
  });
});
