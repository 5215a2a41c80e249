import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestBackend } from '../support/backend.ts';
import { startTestBuildManagement } from '../support/build-management.ts';
import { exchangeBytes } from '../support/exchange-bytes.ts';

const Line = z.looseObject({ requestId: z.string(), status: z.number(), unlogged: z.number().optional() });
describe.each([
  { title: 'the service', start: startTestBackend },
  { title: 'build management', start: startTestBuildManagement },
])('of $title', ({ start }) => {
  let backend: { readonly port: number; stop(): Promise<void> };
  const lines: string[] = [];
  beforeAll(async () => void (backend = await start({ logged: (line) => void lines.push(line) })));
  afterAll(() => backend.stop());
  beforeEach(() => void lines.splice(0));

  const exchanged = (bytes: string) => exchangeBytes(backend.port, bytes);
  const parsed = () => lines.map((line) => Line.parse(JSON.parse(line)));

  it.each([
    [
      'that is no HTTP',
      'EHLO secret-of-somebody\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', reason: 'HPE_INVALID_METHOD', path: '' },
    ],
    [
      'with a header that is none',
      'GET /service.json HTTP/1.1\r\nhost: a\r\nsecret-of-somebody\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED' },
    ],
    [
      'with two hosts',
      'GET /service.json?token=secret-of-somebody HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', method: 'GET', path: '/service.json' },
    ],
    [
      'for a whole address',
      'GET http://me:secret-of-somebody@evil.example/ HTTP/1.1\r\nhost: a\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', method: 'GET', path: '' },
    ],
    ['for a tunnel', 'CONNECT secret-of-somebody:443 HTTP/1.1\r\nhost: a\r\n\r\n', { status: 405, code: 'METHOD_NOT_ALLOWED' }],
    [
      'with headers without end',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'secret-of-somebody'.repeat(2000)}\r\n\r\n`,
      { status: 431, code: 'HEADERS_TOO_LARGE' },
    ],
    [
      'with a path without end',
      `GET /${'x'.repeat(10_000)} HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`,
      { status: 400, path: `/${'x'.repeat(199)}` },
    ],
  ])('a request %s has its line in the log, with the id that is answered and nothing else of it', async (_name, bytes, expected) => {
    const answer = await exchanged(bytes);
    const [, requestId] = /^x-request-id: (\S+)/im.exec(answer) ?? [];
    expect(parsed()).toMatchObject([{ ...expected, requestId, address: '127.0.0.1' }]);
    expect(lines.join('')).not.toContain('secret-of-somebody');
  });

  it('has a few lines a second, and the next one counts those that were left out', async () => {
    const sent = 200;
    await Promise.all(Array.from({ length: sent }, () => exchanged('EHLO evil.example\r\n\r\n')));
    // The one that is written in the next second.
    await expect
      .poll(
        async () => {
          await exchanged('EHLO evil.example\r\n\r\n');
          return parsed().some(({ unlogged = 0 }) => unlogged > 0);
        },
        { interval: 50, timeout: 20_000 },
      )
      .toBe(true);
    expect(lines.length).toBeLessThan(sent);
  });
});
