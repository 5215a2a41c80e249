import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const lines: string[] = [];
const backend = startBeforeAll(() => startTestBackend({ logged: (line) => void lines.push(line) }));

/** A request within the body of another: whoever bounds the first one otherwise takes it for the next. */
const INNER = 'GET /service.json HTTP/1.1\r\nHost: localhost\r\nx-request-id: smuggled\r\n\r\n';

/** Sends bytes as they are. Out: all that came back until the connection ended. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(backend.port, '127.0.0.1', () => socket.write(bytes));
    let answered = '';
    socket.on('data', (chunk: Buffer) => (answered += chunk.toString('latin1')));
    socket.on('close', () => resolve(answered));
    socket.on('error', reject);
  });
}

const post = (headers: readonly string[], body: string) =>
  `POST /auth/exchange HTTP/1.1\r\nHost: localhost:${backend.port}\r\nContent-Type: application/json\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

it.each([
  ['a length beside chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
  ['chunks beside a length', ['Transfer-Encoding: chunked', `Content-Length: ${INNER.length}`], `0\r\n\r\n${INNER}`],
  ['two lengths', ['Content-Length: 0', `Content-Length: ${INNER.length}`], INNER],
  ['a length in a list', [`Content-Length: 0, ${INNER.length}`], INNER],
  ['a length with a sign', [`Content-Length: +${INNER.length}`], INNER],
  ['a length in hexadecimal digits', ['Content-Length: 0x10'], INNER],
  ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${INNER}`],
  ['chunks by a name with a space', ['Transfer-Encoding : chunked'], `0\r\n\r\n${INNER}`],
  ['a header that is folded', ['X-Fold: a', ' Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
  ['a chunk whose length is none', ['Transfer-Encoding: chunked'], `zz\r\n{}\r\n0\r\n\r\n${INNER}`],
  ['a chunk whose length is too large', ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${INNER}`],
  ['a chunk that ends elsewhere', ['Transfer-Encoding: chunked'], `2\r\n{}XX0\r\n\r\n${INNER}`],
  ['a line that ends without a carriage return', ['Transfer-Encoding: chunked\nX: y'], `0\r\n\r\n${INNER}`],
])('a request with %s is refused, and nothing after it is read as another', async (_, headers, body) => {
  const answered = await exchange(post(headers, body));
  expect(answered).toMatch(/^HTTP\/1\.1 (400|413) /);
  expect(answered.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answered).toContain('x-content-type-options: nosniff');
  expect(answered).not.toContain('smuggled');
});

it('a header of an answer holds one line, whatever the request says', async () => {
  for (const path of ['/config/a%0d%0aset-cookie:x=1/sites.json', '/nowhere?x=%0d%0aset-cookie:%20x=1']) {
    const answer = await backend.call('GET', path, { as: OPERATOR, headers: { 'x-request-id': 'a b' } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

it('a line of the log is one line, whatever the request says', async () => {
  lines.length = 0;
  const forged = '{"level":30,"msg":"forged"}';
  const path = `/nowhere/%0a${encodeURIComponent(forged)}"},${forged}`;
  await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost:${backend.port}\r\nConnection: close\r\nx-request-id: a"b\r\n\r\n`);
  await backend.call('GET', '/health', { as: `ada"\n${forged}@example.com` });
  await expect.poll(() => lines.filter((line) => line.includes('"request"')).length).toBe(2);
  for (const line of lines) {
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' });
  }
});
