import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { DEVICE_GRANT, DeviceAuthorization } from '@repoless/contract/session.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startSessionService } from './session-service.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { withNewKey, withoutOldKey } from './session-forge.ts';
import { createApiKeyCache } from '@repoless/service/sessions/tokens.ts';

const ADA = 'Ada.Admin@example.com';
const BOB = 'bob@example.com';
const OPENED = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const lines: string[] = [];
const reads: string[] = [];
const backend = startBeforeAll(async () => {
  const open = async (dataDir: string) => withRecordedReads(await openStore({ dataDir }), reads);
  return await startTestBackend({ open, logged: (line) => void lines.push(line) });
});
const { call } = callsAs(backend, OPERATOR);
beforeEach(() => {
  lines.length = 0;
});

const status = async (token: string) => (await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status;
const end = (email: string, headers: Record<string, string>) =>
  backend.call('DELETE', `/auth/sessions/${encodeURIComponent(email)}`, { headers });
const everywhere = (headers: Record<string, string>) => backend.call('GET', '/logout?everywhere=true', { headers });

describe('a person who signs out everywhere', () => {
  it('ends all their earlier sessions, and no one else’s', async () => {
    const [one, other, ofBob] = [await backend.token(ADA), await backend.token(ADA.toLowerCase()), await backend.token(BOB)];
    expect([await status(one), await status(other), await status(ofBob)]).toEqual([200, 200, 200]);
    expect(await everywhere({ 'x-auth-token': one })).toMatchObject({ status: 302, headers: { location: '/profile' } });
    expect([await status(one), await status(other), await status(ofBob)]).toEqual([401, 401, 200]);
  });

  it('can sign in again at once, five times', async () => {
    for (let times = 0; times < 5; times += 1) {
      const token = await backend.token(ADA);
      expect(await status(token)).toBe(200);
      await everywhere({ 'x-auth-token': token });
      expect(await status(token)).toBe(401);
    }
  });

  it('keeps the API keys that they created', async () => {
    const key = CreatedApiKey.parse((await call('POST', '/config/wknd/apiKeys.json', {})).json());
    await everywhere({ 'x-auth-token': await backend.token(OPERATOR) });
    expect(await status(key.value)).toBe(200);
  });

  it('is refused with a key or an ended session', async () => {
    const key = CreatedApiKey.parse((await call('POST', '/config/wknd/apiKeys.json', {})).json());
    const token = await backend.token(OPERATOR);
    for (const none of [key.value, 'none']) {
      const answer = await everywhere({ 'x-auth-token': none });
      expect(answer).toMatchObject({ status: 401, code: 'NOT_AUTHENTICATED' });
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining('No session was ended') });
    }
    expect(await status(token)).toBe(200);
  });

  it('does so only from a page of the service, which has the link', async () => {
    const token = await backend.token(ADA);
    const cookie = `auth_token=${token}`;
    const page = await backend.call('GET', '/profile', { headers: { accept: 'text/html', 'x-auth-token': token } });
    expect(page.text).toContain('<a href="/logout?everywhere=true">');
    for (const elsewhere of ['cross-site', 'same-site', 'none']) {
      await everywhere({ ...OPENED, 'sec-fetch-site': elsewhere, cookie });
      expect(await status(token)).toBe(200);
    }
    expect((await everywhere({ ...OPENED, cookie })).headers['set-cookie']).toMatch(/^auth_token=; .*Max-Age=0/);
    expect(await status(token)).toBe(401);
  });

  it('is logged', async () => {
    await everywhere({ 'x-auth-token': await backend.token(ADA) });
    await expect
      .poll(() => lines.map((line): unknown => JSON.parse(line)))
      .toEqual([expect.objectContaining({ path: '/logout', user: ADA, event: 'sessions-ended' })]);
  });
});

describe('the sessions of a person', () => {
  it('can be ended by an operator, whatever the case of the address', async () => {
    const [token, ofBob] = [await backend.token(ADA), await backend.token(BOB)];
    expect((await end(ADA.toUpperCase(), { 'x-auth-token': await backend.token(OPERATOR) })).status).toBe(204);
    expect([await status(token), await status(ofBob), await status(await backend.token(ADA))]).toEqual([401, 200, 200]);
    await expect.poll(() => lines.join('')).toContain('"event":"sessions-ended"');
  });

  it('can be ended by the person, and by no other person', async () => {
    const body = { users: [OPERATOR, BOB].map((email) => ({ email, roles: ['admin'] })) };
    expect((await call('POST', '/config/wknd.json', body)).status).toBe(200);
    const [own, ofBob] = [await backend.token(ADA), await backend.token(BOB)];
    expect(await end(ADA, { 'x-auth-token': ofBob })).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
    expect(await status(own)).toBe(200);
    expect((await end(ADA.toLowerCase(), { 'x-auth-token': own })).status).toBe(204);
    expect([await status(own), await status(ofBob)]).toEqual([401, 200]);
  });

  it('cannot be ended by a cookie', async () => {
    const token = await backend.token(ADA);
    expect((await end(ADA, { ...OPENED, cookie: `auth_token=${token}` })).status).toBe(401);
    expect(await status(token)).toBe(200);
  });

  it('no longer give access to guarded hosts', async () => {
    const body = siteBody('wknd', 'guarded', { access: { live: { requireAuth: true, allow: [ADA] } } });
    expect((await call('PUT', '/config/wknd/sites/guarded.json', body)).status).toBe(201);
    const token = await backend.token(ADA);
    const visit = async () =>
      (await backend.visit('live', 'main--guarded--wknd', '/blocks/hero.js', { headers: { 'x-auth-token': token } })).status;
    expect(await visit()).toBe(404);
    await everywhere({ 'x-auth-token': token });
    expect(await visit()).toBe(401);
  });

  it('are not read from the storage for each request', async () => {
    const token = await backend.token(ADA);
    expect(await status(token)).toBe(200);
    reads.length = 0;
    for (let times = 0; times < 50; times += 1) await status(token);
    // The cache is refreshed every five seconds, however many requests arrive.
    expect(reads.length).toBeLessThan(10);
  });
});

it('sessions that ended stay ended if the clock is set back', async () => {
  let ahead = 1_800_000;
  const moved = await stopAfterTest(startTestBackend({ claim: false, now: () => new Date(Date.now() + ahead) }));
  const statusOf = async (token: string) => (await moved.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status;
  const leave = (token: string) => moved.call('GET', '/logout?everywhere=true', { headers: { 'x-auth-token': token } });
  expect((await leave(await moved.token(ADA))).status).toBe(302);
  ahead = 0;
  const token = await moved.token(ADA);
  expect(await statusOf(token)).toBe(200);
  await leave(token);
  expect([await statusOf(token), await statusOf(await moved.token(ADA))]).toEqual([401, 200]);
});

it('a device that a session allowed is not signed in after all sessions have ended', async () => {
  const service = await stopAfterTest(startSessionService());
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${service.address}${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
  const token = await service.token(ADA);
  const cookie = `auth_token=${token}`;
  const started = DeviceAuthorization.parse(await (await post('/auth/device', {})).json());
  const page = await (await fetch(`${service.address}/device?user_code=${started.user_code}`, { headers: { cookie } })).text();
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(page) ?? [];
  expect((await post('/device', { user_code: started.user_code, decision: 'allow', nonce }, { cookie })).status).toBe(200);
  await fetch(`${service.address}/logout?everywhere=true`, { headers: { 'x-auth-token': token }, redirect: 'manual' });
  const answer = await post('/auth/device/token', { grant_type: DEVICE_GRANT, device_code: started.device_code });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'access_denied' }]);
});

/** Records each query for the end of sessions. */
function withRecordedReads(store: Store, reads: string[]): Store {
  const { sessionEnds } = store;
  return {
    ...store,
    sessionEnds: {
      ...sessionEnds,
      last(person) {
        reads.push(person);
        return sessionEnds.last(person);
      },
    },
  };
}

/** All nodes have one public address and accept its tokens. */
const PUBLIC_ADDRESS = 'http://repoless.example.com';
let keyFile: string;
const keys = startBeforeAll(() => temporaryDirectory());
beforeAll(async () => {
  keyFile = join(keys.path, 'keys.json');
});

async function startNode(port: number, open?: () => Promise<Store>) {
  const settings = { SIGNING_KEY_FILE: keyFile, PUBLIC_ADDRESS, PORT: String(port) };
  const node = await startTestBackend({ settings, claim: false, ...(open !== undefined && { open }) });
  const get = (path: string, token: string) => node.call('GET', path, { headers: { 'x-auth-token': token } });
  return {
    token: () => node.token(OPERATOR),
    status: async (token: string) => (await get('/profile', token)).status,
    signOut: (token: string) => get('/logout', token),
    stop: () => node.stop(),
  };
}

describe('a token on two nodes that share their storage and their keys', () => {
  const engine = postgresEngine();

  it('ends at once on the node that revokes it, and within two seconds on the other', async () => {
    const database = await engine.newDatabase();
    const ports = await freePorts();
    const open = () => openStore(database.options);
    const first = await startNode(ports.backend, open);
    const second = await startNode(ports.extension, open);
    const token = await first.token();
    expect([await first.status(token), await second.status(token)]).toEqual([200, 200]);
    await first.signOut(token);
    expect(await first.status(token)).toBe(401);
    // The notification takes a moment; without it the node would only read again after five seconds.
    await expect.poll(() => second.status(token), { timeout: 2_000, interval: 50 }).toBe(401);
    await first.stop();
    await second.stop();
  });

  it('ends on the other node too if it is an API key', async () => {
    const database = await engine.newDatabase();
    const [first, second] = [await database.open(), await database.open()];
    const known = createApiKeyCache({ store: second, now: () => new Date() });
    const expires = new Date(Date.now() + 60_000);
    const key = { id: 'key', org: 'wknd', roles: ['author'] as const, created: new Date(), createdBy: OPERATOR, expires };
    await first.write((writes) => writes.putApiKey(key));
    expect(await known.find('key')).toMatchObject({ org: 'wknd' });
    await first.write((writes) => writes.deleteApiKey('key'));
    await expect.poll(() => known.find('key'), { timeout: 2_000, interval: 20 }).toBeUndefined();
  });
});

it('a token stays valid after its signing key is renewed, until the old key is removed', async () => {
  const { backend: port } = await freePorts();
  const before = await startNode(port);
  const token = await before.token();
  await before.stop();

  await writeFile(keyFile, await withNewKey(await readFile(keyFile, 'utf8')));
  const renewed = await startNode(port);
  expect(await renewed.status(token)).toBe(200);
  const later = await renewed.token();
  expect(decodeProtectedHeader(later).kid).not.toBe(decodeProtectedHeader(token).kid);
  expect(await renewed.status(later)).toBe(200);
  await renewed.stop();

  await writeFile(keyFile, withoutOldKey(await readFile(keyFile, 'utf8')));
  const after = await stopAfterTest(startNode(port));
  expect(await after.status(token)).toBe(401);
  expect(await after.status(later)).toBe(200);
});
