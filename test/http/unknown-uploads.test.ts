import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

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
  /** The code of the answer once there is one. */
  readonly answered: Promise<string>;
}

/** Announces a megabyte, and sends so many bytes of it. */
function begin(requestLine: string, sent: number, headers: readonly string[] = []): Upload {
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

describe('a body whose sender may not send it', () => {
  it.each([
    ['of nobody', [], 'NOT_AUTHENTICATED'],
    ['with a token that is none', ['x-auth-token: e30.e30.e30'], 'NOT_AUTHENTICATED'],
  ])('%s is refused before it has come, a hundred times at once', async (_name, headers, code) => {
    const uploads = Array.from({ length: 100 }, () => begin('PUT /config/wknd/sites/site.json', 100, headers));
    expect(new Set(await Promise.all(uploads.map(({ answered }) => answered)))).toEqual(new Set([code]));
  });

  it('of a stranger is refused before it has come', async () => {
    const token = await backend.token('stranger@example.com');
    const { answered } = begin('PUT /config/wknd/sites/site.json', 100, [`x-auth-token: ${token}`]);
    expect(await answered).toBe('ORG_NOT_FOUND');
  });
});

describe('bodies that are signed', () => {
  const fitting = LIMITS.unknownBodies / ONE_MEGABYTE;

  it('share the room for what nobody knows: one more is refused, and those that have come go on', async () => {
    const first = Array.from({ length: fitting }, () => begin('POST /webhook/github', ONE_MEGABYTE - 1));
    // Some that are one too many: which of all of them is refused is the order in which their bytes come.
    const uploads = [...first, ...Array.from({ length: 4 }, () => begin('POST /webhook/github', ONE_MEGABYTE - 1))];
    expect(await Promise.race(uploads.map(({ answered }) => answered))).toBe('OVERLOADED');
    const outcomes = uploads.map(({ socket, answered }) => {
      if (!socket.destroyed) socket.write('x');
      return answered;
    });
    const codes = await Promise.all(outcomes);
    expect(codes.filter((code) => code !== 'OVERLOADED').length).toBeGreaterThan(fitting / 2);
    // What left gave its room back.
    const later = begin('POST /webhook/github', ONE_MEGABYTE);
    expect(await later.answered).toBe(codes.find((code) => code !== 'OVERLOADED'));
  });

  it('leave those alone who sign in', async () => {
    for (let n = 0; n < fitting + 4; n += 1) begin('POST /webhook/github', ONE_MEGABYTE - 1);
    const answer = await backend.call('PUT', '/config/wknd/profiles/shared.json', { as: OPERATOR, body: {} });
    expect(answer.status).toBe(201);
  });
});
