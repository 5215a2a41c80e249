import { callsAs, OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventList } from '@repoless/contract/event.ts';
import { GeneratedSecret, SecretList } from '@repoless/contract/secret.ts';
import { eachStore } from '../support/each-store.ts';
import { decodeJwt } from 'jose';
import { LIMITS } from '@repoless/contract/limits.ts';
import { CreatedSiteToken, SiteTokenList } from '@repoless/contract/credentials.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const DAY = 24 * 60 * 60_000;
const SITE = '/config/wknd/sites/one';
const VALUE = 'a-value-that-nobody-sees';

eachStore((engine) => {
  let backend: TestBackend;
  /** Milliseconds by which the service's clock is ahead. */
  let ahead = 0;

  beforeEach(async () => {
    ahead = 0;
    backend = await engine.start({ open: () => engine.open(), now: () => new Date(Date.now() + ahead) });
    expect((await call('PUT', `${SITE}.json`, siteBody('wknd', 'one'))).status).toBe(201);
  });

  const call = (method: string, path: string, body?: unknown) =>
    backend.call(method, path, { as: OPERATOR, ...(body === undefined ? {} : { body }) });
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const storedSecret = (more: object) => ({ id: 'x', type: 'key', created: inDays(-1), lastModified: inDays(-1), ...more });
  const secrets = async () => SecretList.parse((await call('GET', `${SITE}/secrets.json`)).json());
  const events = async () => EventList.parse((await call('GET', '/config/wknd/events.json')).json()).events;
  const reported = async () => (await events()).map(({ about, phase, site }) => [about, phase, site ?? ''].join(' ').trim());

  /** Lets the service check for expiring credentials, as it does every ten minutes, until `until` passes. */
  async function checkExpiry(until: () => Promise<unknown>): Promise<void> {
    ahead += 11 * 60_000;
    await vi.waitFor(until, { timeout: 10_000, interval: 50 });
  }

  it('each secret that expires within two weeks is reported once, in any scope', async () => {
    const [soon, late] = [inDays(13), inDays(20)];
    expect((await call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE, expires: soon })).json()).toMatchObject({ expires: soon });
    expect((await call('POST', `${SITE}/secrets/later.json`, { value: VALUE, expires: late })).status).toBe(200);
    const created = GeneratedSecret.parse((await call('POST', `${SITE}/secrets.json`, { expires: '2999-01-31T12:00:00+02:00' })).json());
    expect(created.expires).toBe('2999-01-31T10:00:00.000Z');
    const profile = { secrets: { shared: storedSecret({ value: VALUE, expires: soon }) } };
    expect((await call('PUT', '/config/wknd/profiles/base.json', profile)).status).toBe(201);
    const users = [{ id: '1', email: OPERATOR, roles: ['admin'] }];
    const organization = { users, secrets: { own: storedSecret({ value: VALUE, expires: soon }) } };
    expect((await call('POST', '/config/wknd.json', organization)).status).toBe(200);

    const all = ['own began', 'profiles/base/shared began', 'vendor began one'];
    await checkExpiry(async () => expect((await reported()).toSorted()).toEqual(all));
    expect((await events())[0]).toMatchObject({ kind: 'secret-ends', detail: soon, open: true });
    const listed = await secrets();
    expect([listed['vendor']?.expires, listed['later']?.expires, listed[created.id]?.expires]).toEqual([soon, late, created.expires]);
    await checkExpiry(async () => expect((await reported()).toSorted()).toEqual(all));

    expect((await call('POST', '/config/wknd.json', { users })).status).toBe(200);
    expect((await call('PUT', '/config/wknd/profiles/base.json', { secrets: { shared: storedSecret({ expires: late }) } })).status).toBe(
      200,
    );
    expect((await call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE })).json()).not.toHaveProperty('expires');
    await checkExpiry(async () => expect((await reported()).filter((one) => one.includes('ended'))).toHaveLength(3));
    expect((await events()).filter(({ open }) => open)).toEqual([]);
    expect(JSON.stringify([await events(), await secrets()])).not.toContain(VALUE);
  });

  it('a removed secret is not reported, and a redacted document preserves the expiry of its secret', async () => {
    const [soon, sooner] = [inDays(13), inDays(5)];
    const put = async (secret: object) =>
      expect((await call('PUT', `${SITE}.json`, siteBody('wknd', 'one', { secrets: { vendor: secret } }))).status).toBe(200);
    await put(storedSecret({ value: VALUE, expires: soon }));
    await call('POST', `${SITE}/secrets/removed.json`, { value: VALUE, expires: soon });
    await call('DELETE', `${SITE}/secrets/removed.json`);
    await put(storedSecret({}));
    expect((await secrets())['vendor']?.expires).toBe(soon);
    await checkExpiry(async () => expect(await reported()).toEqual(['vendor began one']));
    await put(storedSecret({ expires: sooner }));
    expect((await secrets())['vendor']?.expires).toBe(sooner);

    // The restored version contains the expiry of another value.
    await call('POST', `${SITE}/secrets/vendor.json`, { value: 'another-value', expires: soon });
    expect((await call('POST', `${SITE}.json?restoreVersion=4`)).status).toBe(200);
    expect((await secrets())['vendor']?.expires).toBe(soon);
  });

  it('an expiry that is invalid or in the past is refused', async () => {
    for (const expires of [inDays(-1), 'tomorrow', '2999-01-31', 5]) {
      const answers = await Promise.all([
        call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE, expires }),
        call('POST', `${SITE}/secrets.json`, { expires }),
        call('PUT', `${SITE}.json`, siteBody('wknd', 'one', { secrets: { vendor: storedSecret({ value: VALUE, expires }) } })),
      ]);
      for (const { status, headers, text } of answers) {
        expect([status, headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
        expect(text).not.toContain(VALUE);
      }
    }
    expect(await secrets()).toEqual({});
  });

  it('an expired generated secret admits no one', async () => {
    const { id, value } = GeneratedSecret.parse((await call('POST', `${SITE}/secrets.json`, { expires: inDays(1) })).json());
    expect((await call('POST', `${SITE}/access.json`, { site: { secretId: [id] } })).status).toBe(200);
    const visit = async () =>
      (await backend.visit('live', 'main--one--wknd', '/page', { headers: { authorization: `token ${value}` } })).status;
    expect(await visit()).toBe(ADMITTED);
    ahead = 1.1 * DAY;
    expect(await visit()).toBe(DENIED);
  });
});

const READER = 'reader@example.com';
const PAGE = '/nowhere';
/** No code was ever synced, so admitted callers get a 502. */
const [ADMITTED, DENIED] = [502, 401];
let ahead = 0;

const backend = startBeforeAll(() => startTestBackend({ now: () => new Date(Date.now() + ahead) }));
beforeAll(async () => {
  for (const site of ['shut', 'other']) {
    const content = { source: { url: `https://author-p1-e1.example.com/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } };
    await call('PUT', `/config/wknd/sites/${site}.json`, siteBody('wknd', site, { content, access: { site: { allow: [READER] } } }));
  }
});

const { done: call } = callsAs(backend, OPERATOR);

async function aDayAgo<T>(work: () => Promise<T>): Promise<T> {
  ahead = -24 * 3_600_000;
  try {
    return await work();
  } finally {
    ahead = 0;
  }
}

async function visit(token: string, site = 'shut', tier: 'preview' | 'live' = 'live'): Promise<number> {
  return (await backend.visit(tier, `main--${site}--wknd`, PAGE, { headers: { authorization: `token ${token}` } })).status;
}

describe('A created site token', () => {
  const TOKENS = '/config/wknd/sites/shut/tokens.json';
  const createToken = async (path = TOKENS, body?: unknown) => CreatedSiteToken.parse((await call('POST', path, body)).json());
  const list = async (path = TOKENS) => SiteTokenList.parse((await call('GET', path)).json());

  it('opens the hosts of its site for a day, is listed without its value, and can be removed', async () => {
    for (const body of [undefined, {}]) {
      const { value, ...info } = await createToken(TOKENS, body);
      expect(value).toMatch(/^hlxtst_/);
      expect(decodeJwt(value.slice('hlxtst_'.length))).toMatchObject({ jti: info.id, exp: Math.floor(Date.parse(info.expires) / 1000) });
      expect(Date.parse(info.expires) - Date.parse(info.created)).toBe(24 * 3_600_000);
      expect((await list())[info.id]).toEqual(info);
      expect((await call('GET', `/config/wknd/sites/shut/tokens/${info.id}.json`)).json()).toEqual(info);
      expect([await visit(value), await visit(value, 'shut', 'preview'), await visit(value, 'other')]).toEqual([
        ADMITTED,
        ADMITTED,
        DENIED,
      ]);
      expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': value } })).status).toBe(401);
      await call('DELETE', `/config/wknd/sites/shut/tokens/${info.id}.json`);
      expect(await visit(value)).toBe(DENIED);
      expect(await list()).not.toHaveProperty(info.id);
      expect(JSON.stringify(await backend.store.reads.secrets('wknd', 'shut'))).not.toContain(value);
    }
  });

  it('expires after a day, and is deleted when another is created', async () => {
    const before = await aDayAgo(() => createToken());
    expect(await visit(before.value)).toBe(DENIED);
    expect(await list()).toEqual({});
    expect((await backend.call('GET', `/config/wknd/sites/shut/tokens/${before.id}.json`, { as: OPERATOR })).status).toBe(404);
    const { id } = await createToken();
    expect((await backend.store.reads.secrets('wknd', 'shut')).map(({ name }) => name)).toEqual([`token/${id}`]);
    await call('DELETE', `/config/wknd/sites/shut/tokens/${id}.json`);
  });

  it('of a profile opens the sites that extend it, and is removed with it', async () => {
    await call('PUT', '/config/wknd/profiles/brand.json', { access: { site: { allow: [READER] } } });
    const { value, id } = await createToken('/config/wknd/profiles/brand/tokens.json');
    expect(await list('/config/wknd/profiles/brand/tokens.json')).toHaveProperty(id);
    expect(await visit(value)).toBe(DENIED);
    await call('POST', '/config/wknd/sites/shut/extends.json', { profile: 'brand' });
    expect([await visit(value), await visit(value, 'other')]).toEqual([ADMITTED, DENIED]);
    await call('DELETE', '/config/wknd/sites/shut/extends.json');
    expect(await visit(value)).toBe(DENIED);
    await call('DELETE', '/config/wknd/profiles/brand.json');
    expect(await backend.store.reads.secrets('wknd', 'profiles/brand')).toEqual([]);
  });

  it('is not listed as a secret, and no document, audit trail or version contains its value', async () => {
    const { id, value } = await createToken();
    expect((await call('GET', '/config/wknd/sites/shut/secrets.json')).text).not.toContain(id);
    for (const path of ['/config/wknd/sites/shut.json', '/config/wknd/log.json', '/config/wknd/sites/shut/versions.json'])
      expect((await call('GET', path)).text).not.toContain(value);
    await call('DELETE', `/config/wknd/sites/shut/tokens/${id}.json`);
  });

  it('is refused for a body with properties, and above LIMITS.siteTokens', async () => {
    const map = await backend.call('POST', TOKENS, { as: OPERATOR, body: { mine: { id: 'mine', hash: 'a-hash' } } });
    expect(map).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    await aDayAgo(async () => {
      for (let count = 0; count < LIMITS.siteTokens; count += 1) await createToken();
      const more = await backend.call('POST', TOKENS, { as: OPERATOR });
      expect(more).toMatchObject({ status: 403, code: 'QUOTA_REACHED' });
      expect(more.error).toMatch(/100 site tokens, and 100 are allowed/);
    });
    await createToken();
    expect((await backend.store.reads.secrets('wknd', 'shut')).length).toBe(1);
  });

  it('stored in a configuration is listed and can be removed', async () => {
    const tokens = { 'of-before': { id: 'of-before', hash: 'a-hash', created: '2026-01-01T00:00:00Z' } };
    await call('PUT', '/config/wknd/sites/other.json', { tokens });
    const path = '/config/wknd/sites/other/tokens';
    expect(await list(`${path}.json`)).toEqual({ 'of-before': { id: 'of-before', created: '2026-01-01T00:00:00Z' } });
    await call('DELETE', `${path}/of-before.json`);
    expect(await list(`${path}.json`)).toEqual({});
    expect((await call('GET', '/config/wknd/sites/other.json')).json()).not.toHaveProperty('tokens');
    const again = await backend.call('DELETE', `${path}/of-before.json`, { as: OPERATOR });
    expect(again).toMatchObject({ status: 404, code: 'SITE_TOKEN_NOT_FOUND' });
  });
});

describe('The site token handed over at a sign-in', () => {
  const SHUT = { org: 'wknd', site: 'shut' };

  it('opens the hosts of its site to its reader, and nothing else', async () => {
    const token = (await backend.handOver(await backend.token(READER), SHUT))?.token ?? '';
    expect(token).toMatch(/^hlxtst_/);
    expect(decodeJwt(token.slice('hlxtst_'.length))).toMatchObject({ aud: 'shut--wknd', email: READER });
    expect([await visit(token), await visit(token, 'shut', 'preview'), await visit(token, 'other')]).toEqual([ADMITTED, ADMITTED, DENIED]);
    expect(await visit(token.slice('hlxtst_'.length))).toBe(DENIED);
    for (const value of [token, token.slice('hlxtst_'.length)]) {
      expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': value } })).status).toBe(401);
    }
  });

  it('ends with its session, or after a day', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    const short = await backend.handOver(await backend.token(READER, { notAfter: inAnHour }), SHUT);
    expect(short?.exp).toBe(inAnHour);
    const session = await backend.token(READER);
    const token = (await backend.handOver(session, SHUT))?.token ?? '';
    expect(await visit(token)).toBe(ADMITTED);
    expect((await backend.call('GET', '/logout', { headers: { 'x-auth-token': session } })).status).toBeLessThan(400);
    expect(await visit(token)).toBe(DENIED);
    ahead = 24 * 3_600_000;
    try {
      expect(await visit(short?.token ?? '')).toBe(DENIED);
    } finally {
      ahead = 0;
    }
  });

  it('is no longer accepted once its reader may not read the site', async () => {
    const token = (await backend.handOver(await backend.token(READER), SHUT))?.token ?? '';
    await call('POST', '/config/wknd/sites/shut/access/site.json', { allow: ['somebody@example.com'] });
    expect(await visit(token)).toBe(403);
    await call('POST', '/config/wknd/sites/shut/access/site.json', { allow: [READER] });
    expect(await visit(token)).toBe(ADMITTED);
  });

  it('is not created for a stranger, an invalid session, or an open site', async () => {
    expect(await backend.handOver(await backend.token('stranger@example.com'), SHUT)).toBeUndefined();
    expect(await backend.handOver('broken', SHUT)).toBeUndefined();
    await call('POST', '/config/wknd/sites/other/access/site.json', { allow: [READER], requireAuth: false });
    expect(await backend.handOver(await backend.token(READER), { org: 'wknd', site: 'other' })).toBeUndefined();
  });
});
