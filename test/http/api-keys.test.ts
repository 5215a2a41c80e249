import { decodeJwt, importJWK, SignJWT } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiKeyInfo, ApiKeyList, CreatedApiKey } from '@repoless/contract/credentials.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { ProfileAnswer } from '@repoless/contract/session.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { createApiKeyCache } from '@repoless/service/sessions/tokens.ts';

const SITE = '/config/wknd/sites/first.json';
const SITE_KEYS = '/config/wknd/sites/first/apiKeys.json';
const ORG_KEYS = '/config/wknd/apiKeys.json';
const ADA = 'ada.admin@example.com';
const DAY = 86_400;
const as = OPERATOR;
const log: string[] = [];
const access = { admin: { role: { admin: [ADA, '*@wild.example.com'], author: ['*'] } } };

const backend = startBeforeAll(() =>
  startTestBackend({
    settings: { API_KEY_LIFETIME: String(7 * DAY), API_KEY_LIFETIME_LIMIT: String(30 * DAY) },
    logged: (line) => log.push(line),
    sites: { first: { access }, second: { access } },
  }),
);
const { call } = callsAs(backend, OPERATOR);

describe('an API key', () => {
  it('is shown once, then listed by its identifier', async () => {
    const created = await createKey(SITE_KEYS, { description: 'Deployments', roles: ['config_admin'] }, ADA);
    expect(created).toMatchObject({ description: 'Deployments', roles: ['config_admin'], subject: 'wknd/first', createdBy: ADA });
    expect(seconds(created)).toBe(7 * DAY);
    const { value, ...info } = created;
    const listed = ApiKeyList.parse((await backend.call('GET', SITE_KEYS, { as: ADA })).json());
    expect(listed[created.id]).toEqual(info);
    const one = await backend.call('GET', `/config/wknd/sites/first/apiKeys/${created.id}.json`, { as: ADA });
    expect(ApiKeyInfo.parse(one.json())).toEqual(info);
    for (const text of [
      JSON.stringify(listed),
      one.text,
      JSON.stringify(await backend.store.reads.apiKeys('wknd', 'first')),
      log.join('\n'),
    ])
      expect(text).not.toContain(value);
  });

  it('of an organization is in its document for admins, and unchanged when that is sent back', async () => {
    const { value, id, expires, createdBy: _by, ...info } = await createKey(ORG_KEYS, { description: 'Releases', roles: ['config_admin'] });
    const read = await call('GET', '/config/wknd.json');
    const document = z.looseObject({ apiKeys: z.record(z.string(), z.unknown()) }).parse(read.json());
    expect(document.apiKeys[id]).toEqual({ id, ...info, expiration: expires });
    expect(read.text).not.toContain(value);
    const byKey = await backend.call('GET', '/config/wknd.json', { headers: { 'x-auth-token': value } });
    expect([byKey.status, byKey.text.includes(id)]).toEqual([200, false]);

    const etag = read.headers['etag'] ?? '';
    const put = await call('PUT', '/config/wknd.json', { ...document, title: 'WKND' }, { 'if-match': etag });
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ title: 'WKND', apiKeys: document.apiKeys })]);
    expect((await call('GET', '/config/wknd.json')).headers['etag']).toBe(put.headers['etag']);
    expect((await backend.store.reads.org('wknd'))?.config.apiKeys).toBeUndefined();

    await call('DELETE', `/config/wknd/apiKeys/${id}.json`);
    const after = await call('GET', '/config/wknd.json');
    expect([after.text.includes(id), after.headers['etag'] === put.headers['etag']]).toEqual([false, false]);
  });

  it('is ignored in a cookie', async () => {
    const { value } = await createKey(SITE_KEYS, { roles: ['admin'] });
    expect((await backend.call('GET', SITE, { headers: { cookie: `auth_token=${value}` } })).status).toBe(401);
  });

  it('of a site is valid only for that site, as refusals elsewhere explain', async () => {
    const { id, value } = await createKey(SITE_KEYS, { roles: ['config_admin'] });
    expect((await by(value, 'GET', SITE)).status).toBe(200);
    for (const path of [
      '/config/wknd/sites/second.json',
      '/config/wknd/sites.json',
      '/config/wknd.json',
      '/config/wknd/sites/unborn.json',
    ]) {
      const answer = await by(value, 'GET', path);
      expect([path, answer.status, answer.error]).toEqual([path, 403, 'not authorized']);
      expect(Problem.parse(answer.json()).detail).toContain(
        `The key ${id} is valid for only the site "wknd/first", with the roles config_admin.`,
      );
    }
  });

  it('of an organization is valid for all its sites', async () => {
    const { value, subject } = await createKey(ORG_KEYS, { roles: ['config_admin'] });
    expect(subject).toBe('wknd/*');
    for (const path of [SITE, '/config/wknd/sites/second.json', '/config/wknd/sites.json', '/config/wknd.json'])
      expect((await by(value, 'GET', path)).status).toBe(200);
    const body = siteBody('wknd', 'by-key');
    expect((await by(value, 'PUT', '/config/wknd/sites/by-key.json', body)).status).toBe(201);
  });

  it('has the permissions of its roles, and none of a wildcard', async () => {
    const { value } = await createKey(SITE_KEYS, { roles: ['config'] });
    expect((await by(value, 'GET', '/config/wknd/aggregated/first.json')).status).toBe(200);
    expect((await by(value, 'GET', SITE)).status).toBe(403);
    expect((await by(value, 'GET', '/code/wknd/first/*')).status).toBe(403);
    expect((await backend.call('GET', '/code/wknd/first/*', { as: 'anybody@example.com' })).status).toBe(200);
  });

  it('has the role author by default', async () => {
    expect((await createKey(SITE_KEYS, undefined)).roles).toEqual(['author']);
    expect((await createKey(SITE_KEYS, {})).roles).toEqual(['author']);
  });

  it('is valid for as long as requested, up to the limit in the settings', async () => {
    expect(seconds(await createKey(SITE_KEYS, { expiresIn: 30 * DAY }))).toBe(30 * DAY);
    const answer = await call('POST', SITE_KEYS, { expiresIn: 30 * DAY + 1 });
    expect([answer.status, Problem.parse(answer.json()).errors]).toEqual([
      400,
      [
        {
          pointer: '/expiresIn',
          detail: expect.stringContaining(`${30 * DAY}`),
          rule: 'keyLifetime',
          data: { limit: `${30 * DAY}` },
        },
      ],
    ]);
  });

  it.each([
    [{ roles: ['superuser'] }, '/roles/0'],
    [{ roles: [] }, '/roles'],
    [{ expiresIn: 1.5 }, '/expiresIn'],
    [{ jwt: 'of another service' }, '/jwt'],
  ])('is not created from %j', async (body, pointer) => {
    const answer = await call('POST', SITE_KEYS, body);
    expect([answer.status, Problem.parse(answer.json()).errors?.map((error) => error.pointer)]).toEqual([400, [pointer]]);
  });

  it('is created, listed and revoked only by admins, including admin keys', async () => {
    const { value: configurer } = await createKey(SITE_KEYS, { roles: ['config_admin', 'publish', 'develop'] });
    const { value: admin } = await createKey(SITE_KEYS, { roles: ['admin'] });
    for (const method of ['GET', 'POST']) expect((await by(configurer, method, SITE_KEYS)).status).toBe(403);
    const access = { admin: { role: { admin: ['mallory@example.com'] } } };
    expect((await by(configurer, 'POST', '/config/wknd/sites/first/access.json', access)).status).toBe(403);
    const child = CreatedApiKey.parse((await by(admin, 'POST', SITE_KEYS, { roles: ['author'] })).json());
    expect(child.createdBy).toBe(OPERATOR);
    expect((await by(admin, 'POST', ORG_KEYS, {})).status).toBe(403);
    expect((await by(admin, 'DELETE', `/config/wknd/sites/first/apiKeys/${child.id}.json`)).status).toBe(204);
  });

  it('cannot claim an organization or sign in', async () => {
    const { value } = await createKey(ORG_KEYS, { roles: ['admin'] });
    expect((await by(value, 'PUT', '/config/acme.json', {})).status).toBe(403);
    expect((await by(value, 'POST', '/config/acme/challenge.json', { repository: 'acme' })).status).toBe(403);
    expect((await backend.call('GET', '/profile', { headers: { cookie: `auth_token=${value}` } })).status).toBe(401);
    await by(value, 'GET', '/logout');
    expect((await by(value, 'GET', SITE)).status).toBe(200);
  });

  it('can read its scope from /profile', async () => {
    const { id, value } = await createKey(SITE_KEYS, { roles: ['publish'] });
    const answer = await by(value, 'GET', '/profile');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(ProfileAnswer.parse(answer.json()).profile).toMatchObject({
      email: `api-key:${id}`,
      apiKey: { id, subject: 'wknd/first', roles: ['publish'] },
    });
  });

  it('is named in the audit trail and the versions', async () => {
    const { id, value } = await createKey(SITE_KEYS, { roles: ['config_admin'] });
    expect((await by(value, 'POST', '/config/wknd/sites/first/sidekick.json', { project: `by ${id}` })).status).toBe(200);
    const audits = await backend.store.reads.audits('wknd', { site: 'first', limit: 2 });
    expect(audits.map(({ user, action }) => [user, action])).toEqual([
      [`api-key:${id}`, 'set-sidekick'],
      [OPERATOR, `create-api-key/${id}`],
    ]);
    const [version] = await backend.store.reads.versions({ kind: 'site', org: 'wknd', site: 'first' });
    expect(version?.user).toBe(`api-key:${id}`);
  });

  it('needs no entry in access.admin.apiKeyId, even if another key has one', async () => {
    const { value } = await createKey(SITE_KEYS, { roles: ['config_admin'] });
    const admin = { role: { admin: [ADA] }, apiKeyId: ['another-key'] };
    expect((await backend.call('POST', '/config/wknd/sites/first/access/admin.json', { as: ADA, body: admin })).status).toBe(200);
    expect((await by(value, 'GET', SITE)).status).toBe(200);
  });
});

describe('a key is invalid if it', () => {
  it('was revoked in its own scope, with immediate effect', async () => {
    const { id, value } = await createKey(SITE_KEYS, { roles: ['config_admin'] });
    expect((await by(value, 'GET', SITE)).status).toBe(200);
    for (const path of [`/config/wknd/sites/second/apiKeys/${id}.json`, `/config/wknd/apiKeys/${id}.json`]) {
      expect((await call('GET', path)).code).toBe('API_KEY_NOT_FOUND');
      expect((await call('DELETE', path)).code).toBe('API_KEY_NOT_FOUND');
    }
    expect((await by(value, 'GET', SITE)).status).toBe(200);
    expect((await call('DELETE', `/config/wknd/sites/first/apiKeys/${id}.json`)).status).toBe(204);
    expect(await by(value, 'GET', SITE)).toMatchObject({ status: 401, error: 'not authenticated' });
    expect((await by(value, 'GET', '/profile')).status).toBe(401);
  });

  it('was removed with its site, even if the site is created again', async () => {
    const path = '/config/wknd/sites/passing.json';
    expect((await call('PUT', path, siteBody('wknd', 'passing'))).status).toBe(201);
    const { value } = await createKey('/config/wknd/sites/passing/apiKeys.json', { roles: ['config_admin'] });
    expect((await by(value, 'GET', path)).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('PUT', path, siteBody('wknd', 'passing'))).status).toBe(201);
    expect((await by(value, 'GET', path)).status).toBe(401);
    expect((await call('GET', '/config/wknd/sites/passing/apiKeys.json')).json()).toEqual({});
  });

  it('has expired', async () => {
    const { id } = await createKey(SITE_KEYS, { expiresIn: 60 });
    let time = Date.now();
    const known = createApiKeyCache({ store: backend.store, now: () => new Date(time) });
    expect(await known.find(id)).toBeDefined();
    time += 61_000;
    expect(await known.find(id)).toBeUndefined();
  });

  it('is unknown, altered, unsigned or for another audience', async () => {
    const { value } = await createKey(SITE_KEYS, { roles: ['admin'] });
    const [head = '', claims = '', signature = ''] = value.split('.');
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(value), sub: 'wknd/*' })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const forged = [
      `${head}.${other}.${signature}`,
      `${none}.${claims}.`,
      await signed({ jti: 'of-no-row', aud: backend.address }),
      await signed({ jti: String(decodeJwt(value).jti), aud: 'https://elsewhere.example.com' }),
    ];
    for (const token of forged) expect((await by(token, 'GET', SITE)).status).toBe(401);
    expect((await by(await signed({ jti: String(decodeJwt(value).jti), aud: backend.address }), 'GET', SITE)).status).toBe(200);
  });
});

it('the rate limit counts an API key as a separate caller', async () => {
  const limited = await stopAfterTest(startTestBackend({ dryRun: false, settings: { RATE_LIMIT: '0.001', RATE_LIMIT_BURST: '4' } }));
  const created = await limited.call('POST', ORG_KEYS, { as, body: { roles: ['admin'] } });
  const headers = { 'x-auth-token': CreatedApiKey.parse(created.json()).value };
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await limited.call('GET', '/config/wknd.json', { headers })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  expect((await limited.call('GET', '/config/wknd.json', { as })).status).toBe(200);
});

const KeyFile = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/** A key token signed by the service. */
async function signed({ jti, aud }: { jti: string; aud: string }): Promise<string> {
  const file: unknown = JSON.parse(await readFile(join(backend.dataDir, 'signing-keys.json'), 'utf8'));
  const [jwk] = KeyFile.parse(file).keys;
  const key = await importJWK({ ...jwk }, 'ES256');
  return await new SignJWT({ api_key: true })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setIssuer(backend.address)
    .setAudience(aud)
    .setJti(jti)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key);
}

async function createKey(path: string, body: unknown, who = OPERATOR): Promise<CreatedApiKey> {
  return CreatedApiKey.parse((await callsAs(backend, who).done('POST', path, body)).json());
}

function by(token: string, method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return backend.call(method, path, { headers: { 'x-auth-token': token }, ...(body !== undefined && { body }) });
}

function seconds({ created, expires }: ApiKeyInfo): number {
  return (new Date(expires).getTime() - new Date(created).getTime()) / 1000;
}
