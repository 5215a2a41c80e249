import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

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
    const answer = await backend.call('PUT', `/config/${org}/sites/site.json`, { as: OPERATOR, body: siteBody(org, 'site', { content }) });
    expect(answer.status, answer.text).toBe(201);
  }
});

/** A visitor that asks, and reads no more than the first line. */
function visitor(path: string): Promise<{ socket: Socket; status: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect(backend.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: main--site--wknd.live.localhost:${backend.port}\r\n\r\n`),
    );
    socket.once('data', (chunk) => {
      socket.pause();
      resolve({ socket, status: Number(chunk.toString('latin1', 9, 12)) });
    });
    socket.once('error', reject);
  });
}
const page = (org: string) => backend.visit('live', `main--site--${org}`, '/small');

it('150 visitors of a large page who read slowly stay within the memory of pages, and nobody else is held up', async () => {
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
  expect([shed.status, shed.headers['x-error-code'], shed.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
  expect((await page('other')).status).toBe(200);
  clearInterval(watching);
  // What is kept, what is put together from its pieces, and what was cut off while it came.
  expect(most).toBeLessThan(3 * LIMITS.pageBytes);

  for (const { socket } of visitors) socket.destroy();
  // The answers end when their callers have left: from then on there is room again.
  for (;;) {
    const again = await backend.visit('live', 'main--site--wknd', '/large');
    if (again.status === 200) break;
    await wait(5);
  }
}, 120_000);
