import { Agent } from 'node:http';
import { expect, it } from 'vitest';
import { Problem } from '@repoless/contract/errors.ts';
import { ask } from '../support/ask.ts';
import { startTestBackend } from '../support/backend.ts';
import { exchangeBytes } from '../support/exchange-bytes.ts';
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
  ['a whole address', () => `GET http://evil.example/service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a whole address at a site', () => `GET http://${live()}/config.json HTTP/1.1\r\nhost: ${live()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a fragment', () => `GET /service.json#part HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a fragment at a site', () => `GET /config.json#part HTTP/1.1\r\nhost: ${live()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['an asterisk', () => `GET * HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a tunnel', () => `CONNECT evil.example:443 HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['a method that is none', () => `GOT /service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['another protocol', () => 'EHLO evil.example\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['a header without a colon', () => `GET / HTTP/1.1\r\nhost: ${host()}\r\nodd\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  ['a space before the colon', () => `GET / HTTP/1.1\r\nhost : ${host()}\r\n\r\n`, 400, 'REQUEST_MALFORMED'],
  [
    'two lengths',
    () => `POST /auth/device HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    400,
    'REQUEST_MALFORMED',
  ],
  [
    'a length and chunks',
    () => `POST /auth/device HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'REQUEST_MALFORMED',
  ],
  [
    'a chunk that is none',
    () => `POST /auth/device HTTP/1.1\r\nhost: ${host()}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n`,
    400,
    'REQUEST_MALFORMED',
  ],
  [
    'an expectation',
    () => `POST /auth/device HTTP/1.1\r\nhost: ${host()}\r\nexpect: a-miracle\r\ncontent-length: 0\r\n\r\n`,
    417,
    'EXPECTATION_REFUSED',
  ],
  ['large headers', () => `GET / HTTP/1.1\r\nhost: ${host()}\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['a long address', () => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: ${host()}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
])('%s is refused in the form of all errors', async (_, bytes, status, code) => {
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

it('is refused with an answer on a connection that was used before, too', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(backend.address, '/service.json', { agent })).status).toBe(200);
  const refused = await ask(backend.address, '/service.json', { agent, headers: { x: 'x'.repeat(20_000) } });
  expect([refused.status, refused.headers['x-error-code'], refused.headers['connection']]).toEqual([431, 'HEADERS_TOO_LARGE', 'close']);
  agent.destroy();
});

it('what is fine is answered on the same connection as before', async () => {
  const one = `GET /service.json HTTP/1.1\r\nhost: ${host()}\r\n\r\n`;
  const text = await exchanged(
    `${one}OPTIONS * HTTP/1.1\r\nhost: ${host()}\r\n\r\nGET /service.json HTTP/1.1\r\nhost: ${host()}\r\nconnection: close\r\n\r\n`,
  );
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 204', 'HTTP/1.1 200']);
});
