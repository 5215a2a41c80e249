import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, commandLineClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const SITES = '/config/wknd/sites.json';
const SITE = '/config/wknd/sites/shop.json';
const code = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } };
const content = { source: { type: 'markup', url: 'https://content.example.com/wknd/shop/' } };
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
});

describe('a page that manages the sites of an organization', () => {
  it('shows that there are none yet', async () => {
    expect((await page.call('GET', SITES)).json()).toEqual({ sites: [] });
  });

  it('makes a site by POST from a code address and a content address alone, and lists it', async () => {
    expect((await page.call('POST', SITE, { body: { code, content } })).ok).toBe(true);
    expect((await page.call('GET', SITES)).json()).toEqual({ sites: [{ name: 'shop', path: '/config/wknd/sites/shop.json' }] });
    expect((await page.call('GET', SITE)).json()).toMatchObject({
      version: 1,
      code,
      content: { ...content, contentBusId: expect.stringMatching(/^[0-9a-f]{59}$/) },
      created: expect.any(String),
      lastModified: expect.any(String),
    });
  });

  it('sends back the whole site that it read, with one part of it changed', async () => {
    const read = Object((await page.call('GET', SITE)).json());
    const source = { type: 'onedrive', url: 'https://example.sharepoint.com/sites/wknd/shop' };
    expect((await page.call('POST', SITE, { body: { ...read, content: { ...read.content, source } } })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ content: { source }, created: read.created, code });
  });

  it('changes the code address by itself', async () => {
    const other = { owner: 'wknd', repo: 'other', source: { type: 'github', url: 'https://github.com/wknd/other' } };
    expect((await page.call('POST', '/config/wknd/sites/shop/code.json', { body: other })).ok).toBe(true);
    expect((await page.call('GET', SITE)).json()).toMatchObject({ code: other });
  });

  it('takes a content address of a drive with its identifier', async () => {
    const source = { type: 'google', url: 'https://drive.google.com/drive/folders/abc123', id: 'abc123' };
    expect((await page.call('POST', '/config/wknd/sites/drive.json', { body: { code, content: { source } } })).ok).toBe(true);
    expect((await page.call('GET', '/config/wknd/sites/drive.json')).json()).toMatchObject({ content: { source } });
  });

  it('shows the sentence of x-error where it is refused', async () => {
    const refused = await page.call('POST', SITE, { body: { code, colour: 'red' } });
    expect([refused.status, refused.ok]).toEqual([400, false]);
    expect(refused.error).toMatch(/colour|content/);
    const part = await page.call('POST', '/config/wknd/sites/nowhere/public.json', { body: { paths: { mappings: ['/content/x/:/'] } } });
    expect([part.status, part.error]).toEqual([404, 'Error updating config: config not found.']);
  });

  it('removes a site, and takes 404 for one that is not there', async () => {
    const removed = await page.call('DELETE', SITE);
    expect([removed.ok, removed.status, removed.text]).toEqual([true, 204, '']);
    const gone = await page.call('GET', SITE);
    expect([gone.ok, gone.status]).toEqual([false, 404]);
  });
});

describe('a command line', () => {
  it.each(['x-auth-token', 'token', 'Bearer', 'bearer'])('shows its token by %s', async (form) => {
    const token = await backend.token(OPERATOR);
    const headers = form === 'x-auth-token' ? { [form]: token } : { authorization: `${form} ${token}` };
    expect((await commandLineClient(backend, headers).call('GET', SITES)).status).toBe(200);
  });

  it('makes a site by PUT, asks by HEAD whether it is there, and reads what everybody may read of it', async () => {
    const shell = commandLineClient(backend, { 'x-auth-token': await backend.token(OPERATOR), accept: '*/*' });
    const body = { version: 1, code, content: { source: { ...content.source, url: 'https://content.example.com/wknd/made/' } } };
    const made = await shell.call('PUT', '/config/wknd/sites/made.json', { body, type: 'application/json; charset=utf-8' });
    expect([made.status, made.json()]).toEqual([201, expect.objectContaining({ version: 1, code })]);
    const head = await shell.call('HEAD', '/config/wknd/sites/made.json');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await shell.call('HEAD', '/config/wknd/sites/missing.json')).status).toBe(404);
    const mappings = { paths: { mappings: ['/content/made/:/'], includes: ['/content/made/'] } };
    expect((await shell.call('POST', '/config/wknd/sites/made/public.json', { body: mappings })).json()).toEqual(mappings);
    expect((await backend.visit('preview', 'main--made--wknd', '/config.json')).json()).toEqual({ public: mappings });
  });

  it('works at the newer addresses', async () => {
    const shell = commandLineClient(backend, { authorization: `Bearer ${await backend.token(OPERATOR)}` });
    const own = { source: { ...content.source, url: 'https://content.example.com/wknd/newer/' } };
    expect((await shell.call('PUT', '/wknd/sites/newer/config.json', { body: { code, content: own } })).status).toBe(201);
    expect((await shell.call('POST', '/wknd/sites/newer/config/cdn/prod.json', { body: { host: 'www.example.com' } })).ok).toBe(true);
    expect((await shell.call('GET', '/wknd/sites/newer/config.json')).json()).toMatchObject({ cdn: { prod: { host: 'www.example.com' } } });
    expect((await shell.call('GET', '/wknd/sites')).json()).toMatchObject({
      sites: expect.arrayContaining([{ name: 'newer', path: expect.any(String) }]),
    });
    expect((await shell.call('DELETE', '/wknd/sites/newer/config.json')).status).toBe(204);
  });
});

it('leaves a page of an origin that the settings do not name unable to read anything', async () => {
  const elsewhere = browserClient(backend, 'https://elsewhere.example.com', { 'x-auth-token': await backend.token(OPERATOR) });
  await expect(elsewhere.call('GET', SITES)).rejects.toThrow(/would not/);
});
