import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startSessionService } from './session-service.ts';

const SITE = '/config/wknd/sites/guarded.json';
const STRANGER = 'sam.stranger@example.com';
const Line = z.looseObject({ time: z.iso.datetime(), msg: z.string() });
const lines: string[] = [];
const backend = startBeforeAll(() =>
  startTestBackend({ logged: (line) => void lines.push(line), settings: { RATE_LIMIT: '1000', TRUST_PROXY: '127.0.0.1' } }),
);
beforeAll(async () => {
  const body = siteBody('wknd', 'guarded', { access: { live: { requireAuth: true, allow: [OPERATOR] } } });
  expect((await backend.call('PUT', SITE, { as: OPERATOR, body })).status).toBe(201);
});
beforeEach(() => {
  lines.length = 0;
});

/** The one line of the log about a request. */
async function lineOf(path: string): Promise<unknown> {
  const found = () => lines.filter((line) => line.includes(`"path":"${path}"`));
  await expect.poll(() => found().length).toBe(1);
  return Line.parse(JSON.parse(found()[0] ?? ''));
}

describe('the log says of each request who made it, from where, and why it was refused', () => {
  it('where it succeeded', async () => {
    await backend.call('GET', SITE, { as: OPERATOR, headers: { 'x-request-id': 'read-1' } });
    expect(await lineOf(SITE)).toMatchObject({ requestId: 'read-1', user: OPERATOR, address: '127.0.0.1', method: 'GET', status: 200 });
  });

  it('where a trusted proxy says from where', async () => {
    await backend.call('GET', SITE, { as: OPERATOR, headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' } });
    expect(await lineOf(SITE)).toMatchObject({ address: '203.0.113.7' });
  });

  it.each<[string, Record<string, string>, object]>([
    ['nobody', {}, { status: 401, code: 'NOT_AUTHENTICATED' }],
    ['a token that is none', { 'x-auth-token': 'none' }, { status: 401, code: 'NOT_AUTHENTICATED' }],
  ])('where it was made by %s', async (_, headers, expected) => {
    await backend.call('GET', SITE, { headers });
    const line = await lineOf(SITE);
    expect(line).toMatchObject({ address: '127.0.0.1', ...expected });
    expect(line).not.toHaveProperty('user');
  });

  it('where somebody may not, or sends what is not valid', async () => {
    await backend.call('GET', SITE, { as: STRANGER });
    expect(await lineOf(SITE)).toMatchObject({ user: STRANGER, status: 404, code: 'ORG_NOT_FOUND' });
    lines.length = 0;
    await backend.call('POST', '/config/wknd/sites/guarded/access.json', { as: OPERATOR, body: { nonsense: 1 } });
    const refused = lines.map((line): unknown => JSON.parse(line));
    expect(refused).toContainEqual(expect.objectContaining({ user: OPERATOR, status: 400, code: 'BODY_INVALID' }));
  });

  it('where an API key made it', async () => {
    const made = await backend.call('POST', '/config/wknd/sites/guarded/apiKeys.json', { as: OPERATOR, body: { roles: ['config_admin'] } });
    const key = z.object({ id: z.string(), value: z.string() }).parse(made.json());
    lines.length = 0;
    await backend.call('GET', SITE, { headers: { 'x-auth-token': key.value } });
    expect(await lineOf(SITE)).toMatchObject({ user: `api-key:${key.id}`, status: 200 });
    expect(lines.join('')).not.toContain(key.value);
  });

  it('where a guarded host lets somebody not in', async () => {
    expect((await backend.visit('live', 'main--guarded--wknd', '/secret?token=abc')).status).toBe(401);
    const host = `main--guarded--wknd.live.localhost:${backend.port}`;
    expect(await lineOf('/secret')).toMatchObject({ host, address: '127.0.0.1', status: 401, code: 'NOT_AUTHENTICATED' });
    lines.length = 0;
    const headers = { 'x-auth-token': await backend.token(STRANGER) };
    expect((await backend.visit('live', 'main--guarded--wknd', '/secret', { headers })).status).toBe(403);
    expect(await lineOf('/secret')).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
  });
});

it('the log names whom a sign-in by code signed in, and that a refused token signed in nobody', async () => {
  const service = await startSessionService();
  const post = async (path: string, form: Record<string, string>, headers = {}) =>
    await (await fetch(`${service.address}${path}`, { method: 'POST', body: new URLSearchParams(form), headers })).text();
  const begun = z.object({ device_code: z.string(), user_code: z.string() }).parse(JSON.parse(await post('/auth/device', {})));
  const cookie = `auth_token=${await service.token('ada.admin@example.com')}`;
  const shown = await (await fetch(`${service.address}/device?user_code=${begun.user_code}`, { headers: { cookie } })).text();
  const nonce = /name="nonce" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  await post('/device', { user_code: begun.user_code, decision: 'allow', nonce }, { cookie });
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  await post('/auth/device/token', { grant_type: grant, device_code: begun.device_code });
  const body = JSON.stringify({ token: 'none' });
  await fetch(`${service.address}/auth/exchange`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const logged = () => service.logged.map((line) => z.looseObject({ path: z.string() }).parse(JSON.parse(line)));
  const of = (path: string) => logged().find((line) => line.path === path);
  await expect.poll(() => of('/auth/exchange')).toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
  expect(of('/auth/exchange')).not.toHaveProperty('user');
  expect(of('/auth/device/token')).toMatchObject({ user: 'ada.admin@example.com', status: 200 });
  expect(of('/device')).toMatchObject({ user: 'ada.admin@example.com' });
  await service.stop();
});

it('a partner whose certificate nobody vouches for is not asked, and the log says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  await promisify(execFile)('openssl', [...made, '-keyout', key, '-out', cert]);
  let asked = 0;
  const partner = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve));
  const logged: string[] = [];
  const address = `https://localhost:${(partner.address() as AddressInfo).port}`;
  const settings = { CODE_HOST_API: address, CODE_HOST_RAW: address };
  const careful = await startTestBackend({ settings, claim: false, dryRun: false, logged: (line) => void logged.push(line) });
  const answer = await careful.call('POST', '/config/wknd/challenge.json', { as: OPERATOR, body: { repository: 'wknd' } });
  expect([answer.status, answer.headers['x-error-code'], asked]).toEqual([502, 'CODE_HOST_UNREACHABLE', 0]);
  expect(answer.text).not.toMatch(/CERT|certificate/i);
  expect(logged.find((line) => line.includes('"failure"'))).toMatch(/SELF_SIGNED_CERT/);
  await careful.stop();
  partner.closeAllConnections();
  await new Promise((resolve) => partner.close(resolve));
  await rm(folder, { recursive: true, force: true });
});
