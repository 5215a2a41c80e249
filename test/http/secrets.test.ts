import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callsAs, externalCode, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { Problem } from '@repoless/contract/errors.ts';
import type { TestAnswer } from '../support/ask.ts';

const SITE = '/config/wknd/sites/first';
const PROFILE = '/config/wknd/profiles/brand';
const ORG = '/config/wknd';
const CONFIG_ADMIN = 'carl.config@example.com';
const OWNERS = [
  ['a site', SITE],
  ['a profile', PROFILE],
  ['an organization', ORG],
] as const;
/** No code was ever synced, so admitted callers get a 502. */
const [ADMITTED, DENIED] = [502, 401];
const Made = z.object({ id: z.string(), value: z.string() });

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await call('POST', `${ORG}/users.json`, { email: CONFIG_ADMIN, roles: ['config_admin'] });
});
beforeEach(async () => {
  await call('PUT', `${PROFILE}.json`, { title: 'Brand' });
  await call('PUT', `${SITE}.json?replace=true`, siteBody('wknd', 'first', { extends: { profile: 'brand' } }));
});

const call = (method: string, path: string, body?: unknown, as = OPERATOR) => callsAs(backend, as).done(method, path, body);

async function refused(method: string, path: string, body?: unknown, as = OPERATOR): Promise<unknown[]> {
  const answer = await callsAs(backend, as).call(method, path, body);
  return [answer.status, answer.code];
}

async function visit(token: string, site = 'first'): Promise<number> {
  const headers = { authorization: `token ${token}` };
  return (await backend.visit('live', `main--${site}--wknd`, '/page', { headers })).status;
}

describe.each(OWNERS)('a secret of %s', (_, owner) => {
  const path = `${owner}/secrets.json`;
  const one = (name: string) => `${owner}/secrets/${name}.json`;

  it('gives access to the hosts of a site whose access names it, until it is removed', async () => {
    const created = Made.parse((await call('POST', path)).json());
    expect([await visit(created.value), await visit('another')]).toEqual([ADMITTED, ADMITTED]);
    await call('POST', `${SITE}/access/site.json`, { secretId: [created.id] });
    expect([await visit(created.value), await visit('another')]).toEqual([ADMITTED, DENIED]);
    await call('DELETE', one(created.id));
    expect(await visit(created.value)).toBe(DENIED);
  });

  it('can have a given value', async () => {
    const created = await call('POST', path, { value: 'what-our-cdn-shows', description: 'CDN' });
    const { id } = Object(created.json());
    expect(created.json()).toMatchObject({ type: 'hashed', description: 'CDN' });
    await call('POST', `${SITE}/access/site.json`, { secretId: [id] });
    expect(await visit('what-our-cdn-shows')).toBe(ADMITTED);
    await call('DELETE', one(id));
  });

  it('can get a description without a new value, and retains it with a new value', async () => {
    const { value } = Object((await call('POST', one('cdn'))).json());
    await call('POST', `${SITE}/access/site.json`, { secretId: ['cdn'] });
    const described = await call('POST', one('cdn'), { description: 'For the CDN' });
    expect(described.json()).toMatchObject({ id: 'cdn', description: 'For the CDN' });
    expect(described.json()).not.toHaveProperty('value');
    expect(await visit(value)).toBe(ADMITTED);
    const again = await call('POST', one('cdn'));
    expect(again.json()).toMatchObject({ description: 'For the CDN', value: expect.any(String) });
    expect([await visit(value), await visit(Object(again.json()).value)]).toEqual([DENIED, ADMITTED]);
    await call('DELETE', one('cdn'));
  });

  it('honours dry runs and preconditions', async () => {
    expect((await call('POST', `${path}?dryRun=true`, { value: 'a-value-of-ours' })).text).not.toContain('a-value-of-ours');
    await call('POST', one('kept'), { value: 'one' });
    const etag = (await call('GET', one('kept'))).headers['etag'] ?? '';
    const with_ = (headers: Record<string, string>) => backend.call('POST', one('kept'), { as: OPERATOR, body: { value: 'two' }, headers });
    expect((await with_({ 'if-none-match': '*' })).status).toBe(412);
    expect((await with_({ 'if-match': etag })).status).toBe(200);
    expect((await with_({ 'if-match': etag })).status).toBe(412);
    await call('DELETE', one('kept'));
    expect(await refused('DELETE', one('kept'))).toEqual([404, 'SECRET_NOT_FOUND']);
  });

  it('is retained when the document is written without it', async () => {
    const created = Made.parse((await call('POST', path)).json());
    const document = Object((await call('GET', `${owner}.json`)).json());
    expect(JSON.stringify(document)).not.toContain(created.value);
    await call('PUT', `${owner}.json`, { ...document, title: `Title ${created.id}` });
    expect((await call('GET', path)).json()).toHaveProperty(created.id);
    await call('DELETE', one(created.id));
  });

  it('is also removed from the document that names it', async () => {
    const times = { created: '2026-01-01T00:00:00Z', lastModified: '2026-01-01T00:00:00Z' };
    const hash = createHash('sha256').update('a-value-of-before').digest('base64url');
    const document = Object((await call('GET', `${owner}.json`)).json());
    const secrets = { named: { id: 'ID-of-before', type: 'hashed', hash, description: 'Of before', ...times } };
    await call('PUT', `${owner}.json`, { ...document, secrets });
    expect((await call('GET', one('named'))).json()).toMatchObject({ id: 'named', description: 'Of before' });
    await call('POST', `${SITE}/access/site.json`, { secretId: ['ID-of-before'] });
    expect(await visit('a-value-of-before')).toBe(ADMITTED);
    await call('DELETE', one('named'));
    expect(await visit('a-value-of-before')).toBe(DENIED);
    expect((await call('GET', `${owner}.json`)).json()).not.toHaveProperty('secrets');
    const { entries } = Object((await call('GET', '/config/wknd/log.json?limit=1')).json());
    expect(entries[0].action).toMatch(/^delete-(?:secret|profiles\/brand\/secret)\/named$/);
  });
});

describe('a config_admin', () => {
  it.each([PROFILE, ORG])('may list the secrets of %s, but not write them', async (owner) => {
    await call('POST', `${owner}/secrets/ours.json`, { value: 'one' });
    expect((await call('GET', `${owner}/secrets.json`, undefined, CONFIG_ADMIN)).json()).toHaveProperty('ours');
    for (const [method, path] of [
      ['POST', '/secrets.json'],
      ['POST', '/secrets/ours.json'],
      ['DELETE', '/secrets/ours.json'],
    ] as const)
      expect(await refused(method, `${owner}${path}`, undefined, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
    await call('DELETE', `${owner}/secrets/ours.json`);
  });

  it('may not set a value in the document of a profile', async () => {
    const times = { created: '2026-01-01T00:00:00Z', lastModified: '2026-01-01T00:00:00Z' };
    const secrets = { mine: { id: 'mine', type: 'hashed', value: 'known-to-me', ...times } };
    expect(await refused('PUT', `${PROFILE}.json`, { secrets }, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
    expect((await call('GET', `${PROFILE}/secrets.json`)).json()).toEqual({});
  });

  it.each([SITE, PROFILE])('may not create a site token or an API key of %s', async (owner) => {
    expect(await refused('POST', `${owner}/tokens.json`, undefined, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
    expect(await refused('POST', `${owner}/apiKeys.json`, undefined, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
    expect(await refused('GET', `${owner}/apiKeys.json`, undefined, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
  });
});

it('a secret of the site overrides one of its profile, which overrides one of the organization', async () => {
  const values = new Map<string, string>();
  for (const owner of [ORG, PROFILE, SITE]) {
    values.set(owner, Object((await call('POST', `${owner}/secrets/shared.json`)).json()).value);
    await call('POST', `${SITE}/access/site.json`, { secretId: ['shared'] });
    const seen = await Promise.all([...values].map(async ([scope, value]) => [scope, await visit(value)]));
    expect(seen).toEqual([...values.keys()].map((scope) => [scope, scope === owner ? ADMITTED : DENIED]));
  }
  for (const owner of [SITE, ORG]) await call('DELETE', `${owner}/secrets/shared.json`);
});

it('the secret of a repository can only be stored with a site', async () => {
  for (const owner of [PROFILE, ORG])
    expect(await refused('POST', `${owner}/secrets/cm-byog.json`, { value: 'one' })).toEqual([400, 'SECRET_NOT_ALLOWED']);
});

describe('an API key of a profile', () => {
  it('is valid for the sites that extend it, and for nothing else', async () => {
    const { id, value } = Made.parse((await call('POST', `${PROFILE}/apiKeys.json`, { roles: ['config_admin'] })).json());
    await call('PUT', '/config/wknd/sites/other.json', {
      ...siteBody('wknd', 'other'),
      content: { source: { url: 'https://author-p2-e2.example.com/bin/franklin.delivery/wknd/other/main', type: 'markup' } },
    });
    const by = async (method: string, path: string, body?: unknown) =>
      (await backend.call(method, path, { headers: { 'x-auth-token': value }, ...(body !== undefined && { body }) })).status;
    expect([await by('GET', `${SITE}.json`), await by('POST', `${SITE}/public.json`, { theme: 'dark' })]).toEqual([200, 200]);
    for (const path of ['/config/wknd/sites/other.json', `${PROFILE}.json`, `${ORG}.json`]) expect(await by('GET', path)).toBe(403);
    await call('POST', `${SITE}/access/site.json`, { apiKeyId: [id] });
    expect(await visit(value)).toBe(ADMITTED);
    expect((await call('GET', `${PROFILE}/apiKeys/${id}.json`)).json()).toMatchObject({ subject: 'wknd/profiles/brand' });
    await call('POST', `${SITE}/extends.json`, {});
    expect([await by('GET', `${SITE}.json`), await visit(value)]).toEqual([403, 403]);
  });

  it('is removed with the profile, and a new profile of that name has none', async () => {
    await call('PUT', '/config/wknd/profiles/gone.json', { title: 'Gone' });
    const { value } = Made.parse((await call('POST', '/config/wknd/profiles/gone/apiKeys.json', { roles: ['admin'] })).json());
    await call('POST', '/config/wknd/profiles/gone/secrets.json');
    expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': value } })).status).toBe(200);
    await call('DELETE', '/config/wknd/profiles/gone.json');
    expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': value } })).status).toBe(401);
    await call('PUT', '/config/wknd/profiles/gone.json', { title: 'Again' });
    for (const part of ['apiKeys', 'secrets', 'tokens'])
      expect((await call('GET', `/config/wknd/profiles/gone/${part}.json`)).json()).toEqual({});
  });
});

describe('as in the published API,', () => {
  it.each([SITE, PROFILE])('an entry of the editor of %s is set, read and removed separately', async (owner) => {
    for (const name of ['universal', 'other']) await call('POST', `${owner}/editor/${name}.json`, { theme: name });
    expect((await call('GET', `${owner}/editor/universal.json`)).json()).toEqual({ theme: 'universal' });
    expect((await call('GET', `${owner}/editor.json`)).json()).toEqual({ universal: { theme: 'universal' }, other: { theme: 'other' } });
    for (const name of ['universal', 'other']) await call('DELETE', `${owner}/editor/${name}.json`);
    await call('POST', `${owner}/editor.json`, { text: 'kept as it is' });
    expect((await call('GET', `${owner}/editor/text.json`)).json()).toBe('kept as it is');
    expect(await refused('POST', `${owner}/editor/text.json`, '"a text"')).toEqual([415, 'CONTENT_TYPE_UNSUPPORTED']);
    await call('DELETE', `${owner}/editor/text.json`);
    expect(await refused('GET', `${owner}/editor/universal.json`)).toEqual([404, 'PART_NOT_FOUND']);
    expect(await refused('GET', `${owner}/editor.json`)).toEqual([404, 'PART_NOT_FOUND']);
  });

  it('the access of an organization is stored', async () => {
    for (const path of ['/config/wknd/access/admin.json', '/wknd/config/access/admin.json']) {
      expect(await refused('GET', path)).toEqual([404, 'PART_NOT_FOUND']);
      expect((await call('POST', path, { apiKeyId: ['one'] })).json()).toEqual({ apiKeyId: ['one'] });
      expect((await call('GET', '/config/wknd.json')).json()).toMatchObject({ access: { admin: { apiKeyId: ['one'] } } });
      expect(await refused('POST', path, { role: {} })).toEqual([400, 'BODY_INVALID']);
      expect(await refused('POST', path, { apiKeyId: [] }, CONFIG_ADMIN)).toEqual([403, 'NOT_AUTHORIZED']);
      await call('DELETE', path);
    }
  });

  it('a CloudFront CDN can have tagInvalidationEnabled, and an organization the registry "ims"', async () => {
    const cdn = { type: 'cloudfront', host: 'www.example.com', distributionId: 'D', accessKeyId: 'A', secretAccessKey: 'S' };
    const prod = { ...cdn, tagInvalidationEnabled: true };
    expect((await call('POST', `${SITE}/cdn/prod.json`, prod)).json()).toEqual(prod);
    expect(await refused('POST', `${SITE}/cdn/prod.json`, { ...cdn, tagInvalidationEnabled: 'yes' })).toEqual([400, 'BODY_INVALID']);
    expect((await call('PUT', '/config/wknd.json', { registry: 'ims' })).json()).toMatchObject({ registry: 'ims' });
  });

  it('the list of profiles shows details without credentials', async () => {
    const prod = { type: 'fastly', host: 'www.example.com', serviceId: 'one', authToken: 'never-told' };
    await call('PUT', `${PROFILE}.json`, { cdn: { prod } });
    const plain = (await call('GET', '/config/wknd/profiles.json')).json();
    expect(plain).toMatchObject({ profiles: expect.arrayContaining([{ name: 'brand', path: `${PROFILE}.json` }]) });
    const detailed = await call('GET', '/config/wknd/profiles.json?details=true');
    expect(Object(detailed.json()).profiles).toContainEqual({
      name: 'brand',
      path: `${PROFILE}.json`,
      cdn: { prod: { host: 'www.example.com' } },
    });
    expect(detailed.text).not.toContain('never-told');
  });
});

const HOLA = 'hola@example.com';
const at = (site: string) => `/config/wknd/sites/${site}.json`;
beforeAll(async () => {
  await put('holder', '200', true);
  await put('further', '200');
  await put('shared', '200', false, { access: { admin: { role: { admin: [HOLA] } } } });
  await put('alone', '300', true);
  const secret = { as: OPERATOR, body: { value: 'a-secret-value' } };
  expect((await backend.call('POST', '/config/wknd/sites/holder/secrets/cm-byog.json', secret)).status).toBe(200);
});

it('a site is not removed while others use the secret of the repository that it holds', async () => {
  for (const query of ['?dryRun=true', '']) {
    const refused = await remove('holder', query);
    expect(refused).toMatchObject({ status: 409, code: 'SECRET_IN_USE' });
    const { detail, data } = Problem.parse(refused.json());
    expect(detail).toContain('"wknd/holder" holds the secret of the external repository 100/200, which is used by further, shared.');
    expect(data).toMatchObject({ sites: 'further, shared', count: '2' });
  }
  expect((await backend.call('GET', '/config/wknd/sites/holder/secrets/cm-byog.json', { as: OPERATOR })).status).toBe(200);
});

it('sites that the caller may not read are counted, not named', async () => {
  const access = { admin: { role: { admin: [HOLA] } } };
  const given = await backend.call('POST', '/config/wknd/sites/holder/access.json', { as: OPERATOR, body: access });
  expect(given.status, given.text).toBe(200);
  const refused = await remove('holder', '', HOLA);
  expect(refused.code).toBe('SECRET_IN_USE');
  expect(refused.error).toContain('which is used by shared and 1 other site.');
  expect(refused.text).not.toContain('further');
});

it('a site that holds the secret can be removed once the others are removed or have another code source', async () => {
  expect((await remove('alone')).status).toBe(204);
  expect((await remove('further')).status).toBe(204);
  expect((await backend.call('PUT', at('shared'), { as: OPERATOR, body: siteBody('wknd', 'shared') })).status).toBe(200);
  expect((await remove('holder', '?dryRun=true')).status).toBe(200);
  expect((await remove('holder')).status).toBe(204);
});

it('another site can hold the secret once the holder has another code source', async () => {
  await put('before', '400', true);
  await put('after', '400');
  expect((await backend.call('PUT', at('before'), { as: OPERATOR, body: siteBody('wknd', 'before') })).status).toBe(200);
  await put('after', '400', true, {}, 200);
  expect((await remove('before')).status).toBe(204);
});

async function put(site: string, repo: string, holds = false, more = {}, status = 201): Promise<void> {
  const body = siteBody('wknd', site, { ...externalCode(repo, holds), ...more });
  expect((await backend.call('PUT', at(site), { as: OPERATOR, body })).status).toBe(status);
}

function remove(site: string, query = '', as = OPERATOR): Promise<TestAnswer> {
  return backend.call('DELETE', `${at(site)}${query}`, { as });
}
