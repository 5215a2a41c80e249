import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LARGE = Buffer.alloc(8 * 1024 * 1024, 'x');
/** Answers that one caller may keep. */
const EACH = LIMITS.proxiedBytes / 4 / LARGE.length;
/** Who fill all of it together. */
const CALLERS = ['one@example.com', 'two@example.com', 'three@example.com', 'four@example.com'];
let backend: TestBackend;
let host = '';

const author = startBeforeAll(() =>
  startReceiver((request, response) => {
    request.resume();
    if (request.url?.startsWith('/content/moved') === true) response.writeHead(302, { location: '/content/large.json' }).end(LARGE);
    else if (request.url?.startsWith('/content/endless') === true) response.end(Buffer.alloc(LARGE.length + 3 * 1024 * 1024));
    else response.end(request.url?.startsWith('/content/small') === true ? '{}' : LARGE);
  }),
);
beforeAll(async () => {
  host = `author.localhost:${author.port}`;
  backend = await startTestBackend({ dryRun: false, settings: { AUTHOR_HOSTS: host } });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await backend.stop();
});

const get = (path: string, as: string) => backend.call('GET', `/authoring/${host}/content/${path}.json`, { as });

interface Reader {
  readonly socket: Socket;
  readonly status: number;
}

/** Asks, and reads no more than the first line. */
async function slowReader(as: string, call = `GET /authoring/${host}/content/large.json`, body = ''): Promise<Reader> {
  const socket = connect(backend.port, '127.0.0.1').on('error', () => undefined);
  const form = body === '' ? '' : `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n`;
  const head = `${call} HTTP/1.1\r\nhost: ${new URL(backend.address).host}\r\nx-auth-token: ${await backend.token(as)}\r\n${form}\r\n`;
  socket.write(`${head}${body}`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, status: Number(chunk.toString('latin1', 9, 12)) };
}

/** One after the other, so that each finds what the others keep. */
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

it('callers who read slowly keep a quarter of LIMITS.proxiedBytes each, and all of them no more than it', async () => {
  const [first = '', ...others] = CALLERS;
  const readers = await slowReaders(12, first);
  expect([count(readers, 200), count(readers, 503)]).toEqual([EACH, 12 - EACH]);
  const refused = await get('large', first);
  expect([refused.status, refused.headers['x-error-code'], refused.headers['retry-after']]).toEqual([503, 'OVERLOADED', '5']);
  expect(refused.headers['x-error']).toBe(
    'Too many large answers of authoring systems for this caller are being sent right now. Try again in a few seconds.',
  );
  // Small answers do not count, nor do other callers.
  expect((await get('small', first)).status).toBe(200);
  expect((await get('large', OPERATOR)).text.length).toBe(LARGE.length);

  for (const other of others) readers.push(...(await slowReaders(EACH, other)));
  expect(count(readers, 200)).toBe(CALLERS.length * EACH);
  const full = await get('large', OPERATOR);
  expect([full.status, full.headers['x-error']]).toEqual([
    503,
    'Too many large answers of authoring systems are being sent right now. Try again in a few seconds.',
  ]);
  await leave(readers);
  expect((await get('large', first)).status).toBe(200);
}, 60_000);

it('the answer to a write counts as well, and nobody is told to send a write again', async () => {
  const as = 'writer@example.com';
  const call = `POST /authoring/${host}/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content`;
  const readers = [];
  for (let index = 0; index <= EACH; index += 1) readers.push(await slowReader(as, call, './owner=wknd'));
  expect(readers.map(({ status }) => status)).toEqual([...Array<number>(EACH).fill(200), 502]);
  await leave(readers);
}, 60_000);

it('nothing is kept of redirects, of what is too large, and for whoever asks by HEAD or with a condition', async () => {
  for (let index = 0; index <= 4 * EACH; index += 1) {
    expect((await get('moved', OPERATOR)).status).toBe(200);
    expect((await get('endless', OPERATOR)).status).toBe(502);
    expect((await backend.call('HEAD', `/authoring/${host}/content/large.json`, { as: OPERATOR })).status).toBe(200);
    const failed = await backend.call('GET', `/authoring/${host}/content/large.json`, { as: OPERATOR, headers: { 'if-match': '"x"' } });
    expect(failed.status).toBe(412);
  }
}, 60_000);

it('whoever takes longer than LIMITS.pageSending for an answer is cut off', async () => {
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
