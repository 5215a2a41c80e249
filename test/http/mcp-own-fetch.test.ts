import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ownFetch } from '@repoless/service/mcp/own-fetch.ts';

/** Who was asked for what, as the Host header says. */
const asked: string[] = [];
let own: Server;
let foreign: Server;
let foreignAddress: string;
const never = new AbortController().signal;

beforeAll(async () => {
  foreign = await listening((request, response) => {
    asked.push(`foreign ${request.headers.host}`);
    response.end();
  });
  foreignAddress = `http://127.0.0.1:${portOf(foreign)}`;
  own = await listening((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    if (request.url === '/away') response.writeHead(302, { location: foreignAddress });
    if (request.url === '/silent') return;
    response.end(request.method === 'HEAD' ? undefined : 'own');
  });
});
afterAll(() => {
  for (const server of [own, foreign]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  asked.length = 0;
});

function listening(listener: RequestListener): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** That of a service at https://service.example.com with the live host below, on this machine. */
function fetchUntil(end: AbortSignal, host = '127.0.0.1') {
  const isOwn = ({ origin }: URL) => /^https:\/\/(?:service|main--site--org\.live)\.example\.com$/.test(origin);
  return ownFetch({ host, port: portOf(own), isOwn, passedOn: () => ({}), elsewhere: () => undefined }).until(end);
}

it.each(['127.0.0.1', '0.0.0.0'])('the service asks itself and its hosts by their names, where it listens on %s', async (host) => {
  const fetching = fetchUntil(never, host);
  expect(await (await fetching('https://service.example.com/config/org.json?a=b')).text()).toBe('own');
  expect((await fetching('https://main--site--org.live.example.com/', { method: 'HEAD' })).status).toBe(200);
  expect(asked).toEqual(['GET service.example.com/config/org.json?a=b', 'HEAD main--site--org.live.example.com/']);
});

it.each([
  ['another host', () => foreignAddress],
  ['the same port by another name', () => `http://127.0.0.1:${portOf(own)}/`],
  ['another scheme', () => 'http://service.example.com/'],
  ['a name that begins alike', () => 'https://service.example.com.evil.example/'],
  ['a name behind a password', () => 'https://service.example.com@evil.example/'],
  ['a file', () => 'file:///etc/hostname'],
])('nothing is asked of %s', async (_, address) => {
  const token = { headers: { 'x-auth-token': 'secret' } };
  await expect(fetchUntil(never)(address(), token)).rejects.toThrow(/^Requests to \S+ are not allowed/);
  expect(asked).toEqual([]);
});

it('no redirect is followed', async () => {
  expect((await fetchUntil(never)('https://service.example.com/away', { redirect: 'follow' })).status).toBe(302);
  expect(asked).toEqual(['GET service.example.com/away']);
});

it('what is under way ends with its message, and with its own signal', async () => {
  const [end, own] = [new AbortController(), new AbortController()];
  const answers = [
    fetchUntil(end.signal)('https://service.example.com/silent'),
    fetchUntil(never)('https://service.example.com/silent', { signal: own.signal }),
  ];
  await expect.poll(() => asked.length).toBe(2);
  end.abort();
  own.abort();
  for (const answer of answers) await expect(answer).rejects.toThrow(/abort/);
});
