import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { millisecondsOf } from '../support/loop-delay.ts';
import { startSecureHost } from '../support/secure-host.ts';
import { openFailing } from '../support/paused-reads.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { startSessionService } from './session-service.ts';
import { request } from 'node:http';
import { Refusal } from '@repoless/contract/refusal.ts';

const SITE = '/config/wknd/sites/guarded.json';
const STRANGER = 'sam.stranger@example.com';
const Line = z.looseObject({ time: z.iso.datetime(), msg: z.string() });
const lines: string[] = [];
const backend = startBeforeAll(() =>
  startTestBackend({
    logged: (line) => void lines.push(line),
    settings: { RATE_LIMIT: '1000', TRUST_PROXY: '127.0.0.1' },
    sites: { guarded: { access: { live: { requireAuth: true, allow: [OPERATOR] } } } },
  }),
);
beforeEach(() => {
  lines.length = 0;
});

/** The only log line about a request. */
async function lineOf(path: string): Promise<unknown> {
  const found = () => lines.filter((line) => line.includes(`"path":"${path}"`));
  await expect.poll(() => found().length).toBe(1);
  return Line.parse(JSON.parse(found()[0] ?? ''));
}

describe('the log has the caller, the address and the refusal of a request', () => {
  it('that succeeded', async () => {
    await backend.call('GET', SITE, { as: OPERATOR, headers: { 'x-request-id': 'read-1' } });
    expect(await lineOf(SITE)).toMatchObject({ requestId: 'read-1', user: OPERATOR, address: '127.0.0.1', method: 'GET', status: 200 });
  });

  it('that came through a trusted proxy', async () => {
    await backend.call('GET', SITE, { as: OPERATOR, headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' } });
    expect(await lineOf(SITE)).toMatchObject({ address: '203.0.113.7' });
  });

  it.each<[string, Record<string, string>, object]>([
    ['without a token', {}, { status: 401, code: 'NOT_AUTHENTICATED' }],
    ['with an invalid token', { 'x-auth-token': 'none' }, { status: 401, code: 'NOT_AUTHENTICATED' }],
  ])('that was made %s', async (_, headers, expected) => {
    await backend.call('GET', SITE, { headers });
    const line = await lineOf(SITE);
    expect(line).toMatchObject({ address: '127.0.0.1', ...expected });
    expect(line).not.toHaveProperty('user');
  });

  it('that was not permitted or not valid', async () => {
    await backend.call('GET', SITE, { as: STRANGER });
    expect(await lineOf(SITE)).toMatchObject({ user: STRANGER, status: 404, code: 'ORG_NOT_FOUND' });
    lines.length = 0;
    await backend.call('POST', '/config/wknd/sites/guarded/access.json', { as: OPERATOR, body: { nonsense: 1 } });
    const refused = lines.map((line): unknown => JSON.parse(line));
    expect(refused).toContainEqual(expect.objectContaining({ user: OPERATOR, status: 400, code: 'BODY_INVALID' }));
  });

  it('that was made by an API key', async () => {
    const created = await backend.call('POST', '/config/wknd/sites/guarded/apiKeys.json', {
      as: OPERATOR,
      body: { roles: ['config_admin'] },
    });
    const key = z.object({ id: z.string(), value: z.string() }).parse(created.json());
    lines.length = 0;
    await backend.call('GET', SITE, { headers: { 'x-auth-token': key.value } });
    expect(await lineOf(SITE)).toMatchObject({ user: `api-key:${key.id}`, status: 200 });
    expect(lines.join('')).not.toContain(key.value);
  });

  it('that a guarded host refused', async () => {
    expect((await backend.visit('live', 'main--guarded--wknd', '/secret?token=abc')).status).toBe(401);
    const host = `main--guarded--wknd.live.localhost:${backend.port}`;
    expect(await lineOf('/secret')).toMatchObject({ host, address: '127.0.0.1', status: 401, code: 'NOT_AUTHENTICATED' });
    lines.length = 0;
    const headers = { 'x-auth-token': await backend.token(STRANGER) };
    expect((await backend.visit('live', 'main--guarded--wknd', '/secret', { headers })).status).toBe(403);
    expect(await lineOf('/secret')).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
  });
});

it('the log names the person who signed in by a device code, and no one for a refused token', async () => {
  const service = await stopAfterTest(startSessionService());
  const post = async (path: string, form: Record<string, string>, headers = {}) =>
    await (await fetch(`${service.address}${path}`, { method: 'POST', body: new URLSearchParams(form), headers })).text();
  const started = z.object({ device_code: z.string(), user_code: z.string() }).parse(JSON.parse(await post('/auth/device', {})));
  const cookie = `auth_token=${await service.token('ada.admin@example.com')}`;
  const shown = await (await fetch(`${service.address}/device?user_code=${started.user_code}`, { headers: { cookie } })).text();
  const nonce = /name="nonce" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  await post('/device', { user_code: started.user_code, decision: 'allow', nonce }, { cookie });
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  await post('/auth/device/token', { grant_type: grant, device_code: started.device_code });
  const body = JSON.stringify({ token: 'none' });
  await fetch(`${service.address}/auth/exchange`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const of = (path: string) => service.logged.map((line) => Object(JSON.parse(line))).find((line) => line.path === path);
  await expect.poll(() => of('/auth/exchange')).toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
  expect(of('/auth/exchange')).not.toHaveProperty('user');
  expect(of('/auth/device/token')).toMatchObject({ user: 'ada.admin@example.com', status: 200 });
  expect(of('/device')).toMatchObject({ user: 'ada.admin@example.com' });
});

it('a partner with an untrusted certificate gets no request, and the reason is logged', async () => {
  let requests = 0;
  const partner = await stopAfterTest(
    startSecureHost(['localhost'], 1, (_, response) => {
      requests += 1;
      response.end('{}');
    }),
  );
  const logged: string[] = [];
  const address = `https://localhost:${partner.port}`;
  const settings = { CODE_HOST_API: address, CODE_HOST_RAW: address };
  const careful = await stopAfterTest(
    startTestBackend({ settings, claim: false, dryRun: false, logged: (line) => void logged.push(line) }),
  );
  const answer = await careful.call('POST', '/config/wknd/challenge.json', { as: OPERATOR, body: { repository: 'wknd' } });
  expect([answer.status, answer.code, requests]).toEqual([502, 'CODE_HOST_UNREACHABLE', 0]);
  expect(answer.text).not.toMatch(/CERT|certificate/i);
  expect(logged.find((line) => line.includes('"failure"'))).toMatch(/SELF_SIGNED_CERT/);
});

it('answers an unexpected error with only the request id, and logs the details with it', async () => {
  const lines: string[] = [];
  let failure: Error | undefined;
  const open = (dataDir: string) => openFailing(dataDir, () => failure);
  const backend = await stopAfterTest(startTestBackend({ open, logged: (line) => lines.push(line) }));
  failure = new Error('disk /dev/sda1 of 10.0.0.7 burns');
  const headers = { 'x-request-id': 'unlucky-1' };
  const answer = await backend.call('GET', '/config/wknd/sites/any.json', { as: OPERATOR, headers });
  expect(answer).toMatchObject({ status: 500, code: 'INTERNAL' });
  expect(answer.error).toContain('unlucky-1');
  expect(answer.text).not.toMatch(/burns|10\.0\.0\.7|at .*\.ts/);
  expect(lines.find((line) => line.includes('burns'))).toContain('unlucky-1');

  failure = new Refusal('STORAGE_UNAVAILABLE', 'The storage does not respond. Try again in a moment.', { retryAfter: 2 });
  const refused = await backend.call('GET', '/config/wknd/sites/any.json', { as: OPERATOR });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
});

it('logs no failure if a caller disconnects while sending its body', async () => {
  const lines: string[] = [];
  const backend = await stopAfterTest(startTestBackend({ logged: (line) => lines.push(line) }));
  lines.length = 0;
  const headers = { 'content-type': 'application/json', 'content-length': '100', expect: '100-continue' };
  const path = '/auth/exchange';
  const outgoing = request({ hostname: '127.0.0.1', port: backend.port, path, method: 'POST', headers }).on('error', () => undefined);
  outgoing.flushHeaders();
  await new Promise((resolve) => outgoing.once('continue', resolve));
  outgoing.destroy();
  await expect.poll(() => lines.some((line) => line.includes(path))).toBe(true);
  expect((await backend.call('GET', '/health')).status).toBe(200);
  expect(lines.filter((line) => line.includes('failure'))).toEqual([]);
});

it('redacts a path full of token prefixes at most six times slower than other paths of its length', async () => {
  const ask = async (piece: string) => {
    const path = `/${piece.repeat(15_000 / piece.length)}`;
    for (let count = 0; count < 6; count += 1) expect((await backend.call('GET', path)).status).toBe(404);
  };
  await ask('other');
  const usual = await millisecondsOf(() => ask('other'));
  expect(await millisecondsOf(() => ask('-eyJ+'))).toBeLessThan(6 * usual);
  expect(await millisecondsOf(() => ask('-eyJx'))).toBeLessThan(6 * usual);
  lines.length = 0;
  await backend.call('GET', '/x-eyJhbGciOiJub25lIn0.e30.c2ln/eyJhbGciOiJub25lIn0');
  await expect.poll(() => lines.map((line) => JSON.parse(line).path)).toEqual(['/x-[sealed]/[sealed]']);
});

it('logs one line for each request, without its secrets', async () => {
  const lines: string[] = [];
  const backend = await stopAfterTest(startTestBackend({ logged: (line) => lines.push(line) }));
  const token = await backend.token(OPERATOR);
  lines.length = 0;
  const headers = { authorization: `Bearer ${token}`, cookie: `auth_token=${token}`, 'x-request-id': 'watched-1' };
  await backend.call('GET', `/config/wknd/sites.json?after=${token.slice(0, 100)}`, { headers });
  await backend.call('GET', `/nowhere/${token}`, { headers: { ...headers, 'x-request-id': 'watched-2' } });
  await expect.poll(() => lines.length).toBe(2);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    requestId: 'watched-1',
    method: 'GET',
    path: '/config/wknd/sites.json',
    status: 200,
  });
  expect(lines[1]).toContain('watched-2');
  for (const line of lines) expect(line).not.toContain(token.slice(0, 20));
});
