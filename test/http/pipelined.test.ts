import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const MOST = 17;
const LARGE = '/config/wknd/aggregated/large.json';
/** Answers of the content source that are held back. */
const held: ServerResponse[] = [];

const author = startBeforeAll(() => startReceiver((_request, response) => void held.push(response)));
const backend = startBeforeAll(() => start({}));

async function start(settings: Record<string, string>): Promise<TestBackend> {
  const started = await startTestBackend({ dryRun: false, settings });
  const source = { url: `http://author.localhost:${author.port}/large`, type: 'markup', suffix: '.html' };
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

/** A connection whose answers are taken apart by their first lines. */
async function open(port = backend.port): Promise<{ socket: Socket; statuses(): string[]; ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, ended, statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status) };
}

describe('Requests of one connection that come together', () => {
  it('are answered in turn, whichever takes longest, and the connection goes on', async () => {
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

it('what cannot be read behind requests that are being answered ends the connection, and is no answer to one of them', async () => {
  const { socket, statuses, ended } = await open();
  socket.write(get('/page', liveHost()) + get('/page', liveHost()));
  await expect.poll(() => held.length).toBe(2);
  socket.write('NONSENSE\r\n\r\n');
  await ended;
  expect(statuses()).toEqual([]);
  for (const response of held.splice(0)) response.destroy();
});

it('a stop lets those that are answered end, and waits for none whose caller has left', async () => {
  const stopping = await start({ SHUTDOWN_GRACE: '120' });
  const [stays, leaves] = [await open(stopping.port), await open(stopping.port)];
  for (const { socket } of [stays, leaves]) socket.write(get('/page', liveHost(stopping.port)).repeat(2));
  await expect.poll(() => held.length).toBe(4);
  leaves.socket.destroy();
  const stopped = stopping.stop();
  for (const response of held.splice(0)) response.end('<main>Late</main>');
  await stopped;
  await stays.ended;
  expect(stays.statuses()).toEqual(['200', '200']);
}, 60_000);
