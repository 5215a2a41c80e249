import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const BASE = '/config/wknd/sites/parts';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  expect((await page.call('PUT', `${BASE}.json`, { body: siteBody('wknd', 'parts') })).status).toBe(201);
});

describe('a page that edits the headers of a site', () => {
  const path = `${BASE}/headers.json`;

  it('begins with none where there are none', async () => {
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('writes lists of headers by path, replacing all of them', async () => {
    const headers = {
      '/**': [{ key: 'content-security-policy', value: "script-src 'self'; object-src 'none'" }],
      '/tools/**': [
        { key: 'access-control-allow-origin', value: '*' },
        { key: 'x-frame-options', value: 'DENY' },
      ],
    };
    expect((await page.call('POST', path, { body: headers })).ok).toBe(true);
    expect((await page.call('GET', path)).json()).toEqual(headers);
    const fewer = { '/**': headers['/**'] };
    expect((await page.call('POST', path, { body: fewer })).json()).toEqual(fewer);
    expect((await page.call('GET', path)).json()).toEqual(fewer);
  });

  it('removes the part with the last of them', async () => {
    const removed = await page.call('DELETE', path);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('starts from a site with no headers at all in it', async () => {
    const site = Object((await page.call('GET', `${BASE}.json`)).json());
    expect((await page.call('POST', `${BASE}.json`, { body: { ...site, headers: {} } })).ok).toBe(true);
    const read = await page.call('GET', path);
    expect([200, 404]).toContain(read.status);
  });
});

describe('a page that edits robots.txt', () => {
  const path = `${BASE}/robots.txt`;
  const text = 'User-agent: *\nDisallow: /drafts/\n';

  it('begins with none where there is none', async () => {
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('sends the text as it is, reads it back as it is, and the live host shows it', async () => {
    for (const type of ['text/plain', 'text/plain;charset=UTF-8']) {
      const saved = await page.call('POST', path, { body: text, type });
      expect([saved.status, saved.text]).toEqual([200, text]);
    }
    const read = await page.call('GET', path);
    expect([read.text, read.header('content-type')]).toEqual([text, expect.stringMatching(/^text\/plain/)]);
    expect((await backend.visit('live', 'main--parts--wknd', '/robots.txt')).text).toBe(text);
    expect((await backend.visit('preview', 'main--parts--wknd', '/robots.txt')).text).toMatch(/Disallow: \/\s*$/);
  });

  it('is told that an empty text is none', async () => {
    const empty = await page.call('POST', path, { body: '', type: 'text/plain' });
    expect([empty.status, empty.error]).toEqual([400, 'missing body']);
    expect((await page.call('DELETE', path)).status).toBe(204);
    expect((await page.call('GET', path)).status).toBe(404);
  });
});

describe('a page that sets the CDN of a site', () => {
  const path = `${BASE}/cdn/prod.json`;

  it('writes the part by itself, and finds it in the site and in what holds for the site', async () => {
    const prod = { type: 'fastly', host: 'www.example.com', route: ['/us', '/de'], serviceId: 'one', authToken: 'two' };
    expect((await page.call('POST', path, { body: prod })).ok).toBe(true);
    expect((await page.call('GET', `${BASE}.json`)).json()).toMatchObject({ cdn: { prod } });
    expect((await page.call('GET', '/config/wknd/aggregated/parts.json')).json()).toMatchObject({
      cdn: { prod: { type: 'fastly', host: 'www.example.com' } },
    });
  });

  it('finds what the site has of a profile there, and not in the site', async () => {
    const profile = { cdn: { prod: { type: 'managed', host: '', route: ['/us'] } } };
    expect((await page.call('PUT', '/config/wknd/profiles/shared.json', { body: profile })).status).toBe(201);
    const body = siteBody('wknd', 'heir', { extends: { profile: 'shared' }, cdn: { prod: { host: 'www.example.net' } } });
    expect((await page.call('PUT', '/config/wknd/sites/heir.json', { body })).status).toBe(201);
    expect(Object((await page.call('GET', '/config/wknd/sites/heir.json')).json()).cdn).toEqual({ prod: { host: 'www.example.net' } });
    expect((await page.call('GET', '/config/wknd/aggregated/heir.json')).json()).toMatchObject({
      cdn: { prod: { type: 'managed', host: 'www.example.net', route: ['/us'] } },
    });
  });

  it('lists the hosts of all sites in one call', async () => {
    const { sites } = Object((await page.call('GET', '/config/wknd/sites.json?details=true')).json());
    expect(sites).toContainEqual(expect.objectContaining({ name: 'heir', cdn: { prod: { host: 'www.example.net' } } }));
  });
});
