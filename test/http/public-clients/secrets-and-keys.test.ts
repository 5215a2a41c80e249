import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient, itemsOf } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const BASE = '/config/wknd/sites/sealed';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  expect((await page.call('PUT', '/config/wknd/profiles/sealed.json', { body: { title: 'Sealed' } })).status).toBe(201);
  expect((await page.call('PUT', `${BASE}.json`, { body: siteBody('wknd', 'sealed', { extends: { profile: 'sealed' } }) })).status).toBe(
    201,
  );
});

describe.each([
  ['a site', BASE],
  ['a profile', '/config/wknd/profiles/sealed'],
  ['an organization', '/config/wknd'],
])('a page that manages the secrets of %s', (_, base) => {
  const path = `${base}/secrets.json`;

  it('shows that there are none yet', async () => {
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('makes one by a call without a body, shows its value once, and lists it by its identifier', async () => {
    const made = await page.call('POST', path);
    expect([made.ok, made.json()]).toEqual([
      true,
      expect.objectContaining({ value: expect.stringMatching(/^\S{20,}$/), created: expect.any(String) }),
    ]);
    const { id, value } = Object(made.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed)).toEqual([expect.objectContaining({ id, created: expect.any(String) })]);
    expect(listed.text).not.toContain(value);
    expect((await page.call('GET', `${base}/secrets/${encodeURIComponent(id)}.json`)).json()).toMatchObject({ id });
    expect((await page.call('DELETE', `${base}/secrets/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('makes one by a call with an empty object too, and protects the hosts with it', async () => {
    const shell = commandLineClient(backend, { 'x-auth-token': await backend.token(OPERATOR) });
    const { id } = Object((await shell.call('POST', path, { body: {} })).json());
    const body = { allow: ['*@example.com'], secretId: [id] };
    expect((await shell.call('POST', `${BASE}/access/site.json`, { body })).json()).toEqual(body);
  });

  it('stores one under a name with a value, which nobody sees again', async () => {
    const body = { value: 'hard-to-guess', description: 'Of our program' };
    const named = await page.call('POST', `${base}/secrets/our-program.json`, { body });
    expect([named.ok, named.json()]).toEqual([
      true,
      expect.objectContaining({ id: 'our-program', type: 'key', description: 'Of our program' }),
    ]);
    for (const seen of ['secrets.json', 'secrets/our-program.json', 'versions.json', 'log.json'])
      expect((await page.call('GET', `${base}/${seen}`)).text).not.toContain('hard-to-guess');
    expect((await page.call('GET', path)).json()).toMatchObject({ 'our-program': { description: 'Of our program' } });
  });

  it('stores a value of its own without a name, and says what it is for', async () => {
    const made = await page.call('POST', path, { body: { value: 'what-our-cdn-shows', description: 'CDN' } });
    expect([made.ok, made.json()]).toEqual([true, expect.objectContaining({ type: 'hashed', description: 'CDN' })]);
    expect(made.text).not.toContain('what-our-cdn-shows');
    const { id } = Object(made.json());
    expect((await page.call('GET', path)).json()).toMatchObject({ [id]: { description: 'CDN' } });
  });
});

describe.each([
  ['a site', BASE, 'wknd/sealed'],
  ['a profile', '/config/wknd/profiles/sealed', 'wknd/profiles/sealed'],
  ['an organization', '/config/wknd', 'wknd/*'],
])('a page that manages the API keys of %s', (_, base, subject) => {
  const path = `${base}/apiKeys.json`;

  it('shows that there are none yet', async () => {
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });

  it('makes one by a call without a body', async () => {
    const made = await page.call('POST', path);
    expect([made.ok, made.json()]).toEqual([true, expect.objectContaining({ id: expect.any(String), value: expect.any(String) })]);
  });

  it('makes one with a description and roles, and lists it with when it was made and when it ends', async () => {
    const made = await page.call('POST', path, { body: { description: 'nightly job', roles: ['publish'] } });
    const { id, value } = Object(made.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed).find((key) => key['id'] === id)).toMatchObject({
      description: 'nightly job',
      roles: ['publish'],
      subject,
      created: expect.any(String),
      expiration: expect.any(String),
    });
    expect(listed.text).not.toContain(value);
  });

  it.each(['token', 'Bearer', 'x-auth-token'])('hands out a key that works by %s until it is revoked', async (form) => {
    const { id, value } = Object((await page.call('POST', path, { body: { roles: ['admin'] } })).json());
    const program = commandLineClient(backend, form === 'x-auth-token' ? { [form]: value } : { authorization: `${form} ${value}` });
    expect((await program.call('GET', `${BASE}.json`)).status).toBe(200);
    expect((await page.call('DELETE', `${base}/apiKeys/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect((await program.call('GET', `${BASE}.json`)).status).toBe(401);
  });

  it('is refused a role that there is not', async () => {
    const refused = await page.call('POST', path, { body: { roles: ['king'] } });
    expect([refused.status, refused.error]).toEqual([400, expect.stringMatching(/.+/)]);
  });
});

describe.each([
  ['a site', BASE],
  ['a profile', '/config/wknd/profiles/sealed'],
])('a page that manages the site tokens of %s', (_, base) => {
  const path = `${base}/tokens.json`;

  it.each([undefined, {}])('makes one by a call with the body %o, lists and removes it', async (body) => {
    const made = await page.call('POST', path, body === undefined ? {} : { body });
    expect([made.ok, made.json()]).toEqual([
      true,
      expect.objectContaining({ id: expect.any(String), value: expect.stringMatching(/^hlxtst_/), created: expect.any(String) }),
    ]);
    const { id, value } = Object(made.json());
    const listed = await page.call('GET', path);
    expect(itemsOf(listed)).toContainEqual(expect.objectContaining({ id, created: expect.any(String) }));
    expect(listed.text).not.toContain(value);
    expect((await page.call('DELETE', `${base}/tokens/${encodeURIComponent(id)}.json`)).status).toBe(204);
    expect(itemsOf(await page.call('GET', path))).toEqual([]);
  });
});
