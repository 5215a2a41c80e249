import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import type { TestAnswer } from '../support/ask.ts';
import { EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { forge, forgeOf } from './session-forge.ts';

const SERVICE = 'https://admin.example.com';
const HOST = 'main--one--wknd.live.example.com';
const PREFLIGHT = { origin: EXTENSION_ORIGIN, 'access-control-request-method': 'PUT' };

let backend: TestBackend;
let port: number;
beforeAll(async () => {
  ({ backend: port } = await freePorts());
  const settings = { PORT: String(port), PUBLIC_ADDRESS: SERVICE, PREVIEW_DOMAIN: 'preview.example.com', LIVE_DOMAIN: 'live.example.com' };
  backend = await startTestBackend({ settings, claim: false });
  const token = await forge(await forgeOf(backend.dataDir), SERVICE, { email: OPERATOR });
  const put = async (path: string, body: unknown) =>
    (await ask(at(), path, { method: 'PUT', host: 'admin.example.com', headers: { 'x-auth-token': token }, body })).status;
  expect(await put('/config/wknd.json', {})).toBe(201);
  expect(await put('/config/wknd/sites/one.json', siteBody('wknd', 'one', { public: publicPart('one') }))).toBe(201);
});
afterAll(() => backend.stop());

const at = () => `http://127.0.0.1:${port}`;
const service = (method: string, path: string, headers: Record<string, string> = {}) =>
  ask(at(), path, { method, host: 'admin.example.com', headers });
const visit = (method: string, path: string, headers: Record<string, string> = {}) => ask(at(), path, { method, host: HOST, headers });

function secured({ headers }: TestAnswer): void {
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect(headers['x-content-type-options']).toBe('nosniff');
}

describe('every answer of a service that is reached by HTTPS', () => {
  it.each([
    ['GET', '/', 200],
    ['GET', '/health', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/config/wknd/sites/one.json', 401],
    ['PATCH', '/health', 405],
    ['TRACE', '/health', 405],
    ['OPTIONS', '/health', 204],
    ['OPTIONS', '/nowhere', 204],
  ])(
    '%s %s (%i) tells browsers to come by HTTPS, to guess no type, to show it in no frame and to tell nobody where they were',
    async (method, path, status) => {
      const answer = await service(method, path, method === 'OPTIONS' ? PREFLIGHT : {});
      expect(answer.status).toBe(status);
      secured(answer);
      expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*base-uri 'none';frame-ancestors 'none'/);
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
    },
  );

  it('says the same of the pages of the sign-in, which have a policy of their own', async () => {
    for (const path of ['/profile', '/auth/idp/ack?state=none']) {
      const page = await service('GET', path, { accept: 'text/html' });
      expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      secured(page);
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none';.*base-uri 'none'; frame-ancestors 'none'/);
    }
  });
});

describe('every answer of its hosts', () => {
  it.each([
    ['GET', '/config.json', 200],
    ['HEAD', '/config.json', 200],
    ['GET', '/robots.txt', 200],
    ['GET', '/a//b', 400],
    ['POST', '/config.json', 405],
    ['TRACE', '/config.json', 405],
    ['OPTIONS', '/config.json', 204],
  ])('%s %s (%i) tells browsers to come by HTTPS and to guess no type', async (method, path, status) => {
    for (const _ of ['read', 'ready']) {
      const answer = await visit(method, path);
      expect(answer.status).toBe(status);
      secured(answer);
    }
  });

  it('says so to whoever has the bytes already', async () => {
    const etag = (await visit('GET', '/config.json')).headers['etag'] ?? '';
    const answer = await visit('GET', '/config.json', { 'if-none-match': etag });
    expect(answer.status).toBe(304);
    secured(answer);
  });

  it('says so under a name that no site has', async () => {
    secured(await ask(at(), '/', { host: 'main--none--wknd.live.example.com' }));
  });
});

it('leaves it out where the service and its hosts are reached by HTTP', async () => {
  const plain = await startTestBackend();
  for (const answer of [await plain.call('GET', '/health'), await plain.visit('live', 'main--none--wknd', '/')])
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  await plain.stop();
});
