import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const opened: ClientRequest[] = [];
const backend = startBeforeAll(() => startTestBackend({ dryRun: false, settings: { TRUST_PROXY: '127.0.0.1,::1' } }));
beforeAll(async () => {
  const body = siteBody('wknd', 'open', { access: { admin: { requireAuth: false, role: { admin: [OPERATOR] } } } });
  expect((await backend.call('PUT', '/config/wknd/sites/open.json', { as: OPERATOR, body })).status).toBe(201);
});
afterAll(async () => {
  for (const one of opened) one.destroy();
});

async function open(from: number, token?: string) {
  const headers = {
    host: new URL(backend.address).host,
    accept: 'text/event-stream',
    'x-forwarded-for': `198.51.100.${from}`,
    ...(token !== undefined && { 'x-auth-token': token }),
  };
  const asked = request({ hostname: '127.0.0.1', port: backend.port, path: '/job/wknd/open/main/code', agent: false, headers });
  opened.push(asked);
  asked.on('error', () => undefined);
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined).resume();
  return [answer.statusCode, answer.headers['x-error-code']];
}

it('whoever has no role opens a few streams of an open site, and takes no place of those who have one', async () => {
  for (let count = 0; count < LIMITS.jobStreamsOfNetwork; count += 1) expect((await open(70))[0]).toBe(200);
  expect(await open(70)).toEqual([503, 'OVERLOADED']);
  const others = [];
  for (let count = 0; count < LIMITS.jobStreams; count += 1) others.push(await open(count));
  expect(others.filter(([status]) => status === 200)).toHaveLength(LIMITS.jobStreamsOfStrangers - LIMITS.jobStreamsOfNetwork);
  expect(others.at(-1)).toEqual([503, 'OVERLOADED']);
  expect(await open(60, await backend.token('stranger@example.com'))).toEqual([503, 'OVERLOADED']);
  expect((await open(60, await backend.token(OPERATOR)))[0]).toBe(200);
});
