import { startReceiver } from '../support/receiver.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { EXTENSION_ORIGIN, OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const SECURED = 'https://admin.example.com';
const JOB = 'job-2026-01-01-00-00-00-00000000';
const PARAMETERS: Readonly<Record<string, string>> = {
  org: 'wknd',
  site: 'victim',
  ref: 'main',
  host: 'author.example.com',
  name: JOB,
  message: 'msg_1',
};

/** What a page of another origin could make a browser send with the cookie, if `SameSite` did not prevent it. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an image of another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'a frame of another port': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  'a form of another site': { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
  'a form without a referrer': { origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
  'a script of an allowed origin': { origin: EXTENSION_ORIGIN, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  'an old browser': { origin: 'https://evil.example.com' },
};
/** What a browser sends for pages of the service itself. */
const OWN: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };

/** The least that a browser sends if the page suppresses what it can. Without even that, a form is recognized by its content type. */
const LEAST: readonly Readonly<Record<string, string>>[] = [
  { referer: 'https://evil.example.com/' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
];

/** Bodies that need no CORS preflight, and one that does. */
const BODIES = [
  ['application/x-www-form-urlencoded', 'value=taken'],
  ['text/plain', '{"value":"taken"}'],
  ['multipart/form-data; boundary=x', '--x\r\n\r\ntaken\r\n--x--'],
  ['application/json', '{}'],
] as const;

const rows = allEndpoints();
const changing = rows.filter(([, row]) => row.method !== 'GET');
let cookie: string;
// Each is refused before its body is parsed; test/http/permission-matrix.test.ts covers accepted requests.
const backend = startBeforeAll(() =>
  startTestBackend({ dryRun: false, sites: { victim: { access: { admin: { role: { admin: [OPERATOR] } } } } } }),
);
beforeAll(async () => void (cookie = `auth_token=${await backend.token(OPERATOR)}`));

const address = (row: Endpoint) => row.path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string) => PARAMETERS[name] ?? '1');

describe.each(changing.filter(([, row]) => row.permission !== 'public'))('%s with only the cookie of a browser', (_, row) => {
  it('changes nothing, whatever its origin and its body', async () => {
    const before = await everything();
    for (const headers of [OWN, ...LEAST, ...Object.values(FOREIGN)]) {
      const bare = await backend.call(row.method, address(row), { headers: { ...headers, cookie } });
      // The calls for assistants check the origin before the caller.
      const isForeignOrigin = row.outside === 'assistants' && 'origin' in headers && headers.origin !== EXTENSION_ORIGIN;
      const refused = isForeignOrigin ? [403, 'NOT_AUTHORIZED'] : [401, 'NOT_AUTHENTICATED'];
      expect([bare.status, bare.code], bare.text).toEqual(refused);
      for (const [type, body] of BODIES) {
        const sent = { headers: { ...headers, cookie, 'content-type': type }, body };
        const answer = await backend.call(row.method, address(row), sent);
        expect([refused[0], 415], `${type}: ${answer.status} ${answer.text}`).toContain(answer.status);
      }
    }
    for (const [type, body] of BODIES.slice(0, 3)) {
      const answer = await backend.call(row.method, address(row), { headers: { cookie, 'content-type': type }, body });
      expect([401, 415], `${type}: ${answer.status} ${answer.text}`).toContain(answer.status);
    }
    expect(await everything()).toEqual(before);
  });
});

describe.each(Object.entries(FOREIGN))('the cookie that %s sends', (_, headers) => {
  it.each(rows)('is ignored by %s', async (_id, row) => {
    const anonymous = await backend.call(row.method, address(row), { headers });
    const withCookie = await backend.call(row.method, address(row), { headers: { ...headers, cookie } });
    expect(withCookie.status, withCookie.text).toBe(anonymous.status);
    expect(withCookie.code).toBe(anonymous.code);
    expect(withCookie.headers['set-cookie']).toBe(anonymous.headers['set-cookie']);
  });

  it('signs no one out', async () => {
    const token = await backend.token(OPERATOR);
    const answer = await backend.call('GET', '/logout', { headers: { ...headers, cookie: `auth_token=${token}` } });
    expect(answer.status).toBe(302);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status).toBe(200);
  });
});

const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

it.each<[string, (own: string) => Readonly<Record<string, string>>, boolean]>([
  ['a page of the service', () => ({ ...OPENED, 'sec-fetch-site': 'same-origin' }), true],
  ['a page of the service in an old browser', (own) => ({ referer: `${own}/profile` }), true],
  ['the address bar', () => ({ ...OPENED, 'sec-fetch-site': 'none' }), false],
  ['a link of another port', () => ({ ...OPENED, 'sec-fetch-site': 'same-site' }), false],
  ['a link of another site', () => ({ ...OPENED, 'sec-fetch-site': 'cross-site' }), false],
  ['a page of another site in an old browser', () => ({ referer: 'https://evil.example.com/' }), false],
  ['an unknown page', () => ({}), false],
])('a cookie is signed out only from pages of the service: %s', async (_, headersOf, isOut) => {
  const token = await backend.token(OPERATOR);
  const answer = await backend.call('GET', '/logout', { headers: { ...headersOf(backend.address), cookie: `auth_token=${token}` } });
  expect([answer.status, answer.headers['location']]).toEqual([302, '/profile']);
  if (isOut) expect(answer.headers['set-cookie']).toMatch(/auth_token=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict/);
  else expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status).toBe(isOut ? 401 : 200);
});

it('accepts no token in the address', async () => {
  const token = await backend.token(OPERATOR);
  for (const name of ['auth_token', 'x-auth-token', 'token', 'access_token', 'authorization']) {
    expect((await backend.call('GET', `/profile?${name}=${token}`)).status).toBe(401);
    expect((await backend.call('GET', `/config/wknd/sites/victim.json?${name}=${token}`)).code).toBe('NOT_AUTHENTICATED');
  }
});

it('sets a cookie that only this service gets, and only by HTTPS if it uses HTTPS', async () => {
  const token = await backend.token(OPERATOR);
  const plain = await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } });
  expect(plain.headers['set-cookie']).toMatch(/^auth_token=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
  const { backend: port } = await freePorts();
  const secured = await stopAfterTest(startTestBackend({ settings: { PORT: String(port), PUBLIC_ADDRESS: SECURED }, claim: false }));
  const answer = await secured.call('GET', '/profile', { as: OPERATOR });
  expect(answer.headers['set-cookie']).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
});

async function everything(): Promise<unknown> {
  const paths = ['/config/wknd.json', '/config/wknd/sites/victim.json', '/config/wknd/sites/victim/versions.json'];
  const answers = await Promise.all(paths.map((path) => backend.call('GET', path, { as: OPERATOR })));
  return answers.map(({ status, text }) => ({ status, text }));
}

describe('in a sign-in,', () => {
  /** 32 bytes in hexadecimal digits, of which UUIDs fix twelve bits. */
  const UNGUESSABLE = /^[0-9a-f]{64}$/;

  /** How many codes the provider redeemed. */
  let redeemed = 0;

  const provider = startBeforeAll(() =>
    startReceiver((request, response) => {
      const { port: own } = provider;
      const issuer = `http://localhost:${own}`;
      if (request.url === '/token') redeemed += 1;
      const found = request.url === '/.well-known/openid-configuration';
      const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
      response.writeHead(found ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ? metadata : { error: 'invalid_grant' }));
    }),
  );
  const backend = startBeforeAll(async () => {
    const settings = {
      PORT: String((await freePorts()).backend),
      PUBLIC_ADDRESS: SECURED,
      IDP_ISSUER: `http://localhost:${provider.port}`,
      IDP_CLIENT_ID: 'service',
      IDP_CLIENT_SECRET: 'secret',
    };
    return await startTestBackend({ settings, claim: false });
  });

  const open = (path: string, headers: Record<string, string> = {}) =>
    backend.call('GET', path, { headers: { accept: 'text/html', ...headers } });

  /** Starts a sign-in. Returns its state, and the name and value of the cookie that binds it to the browser. */
  async function startSignIn() {
    const started = await open('/login');
    expect(started.status).toBe(302);
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]+); (.*)$/.exec(started.headers['set-cookie'] ?? '') ?? [];
    const state = new URL(started.headers['location'] ?? '').searchParams.get('state') ?? '';
    return { state, name, value, attributes };
  }

  describe('the cookie that binds a browser to the sign-in that it started', () => {
    it('is limited to this host and HTTPS', async () => {
      const { name, attributes } = await startSignIn();
      expect(name).toBe('__Host-sign_in');
      expect(attributes).toMatch(/^Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    });

    it('is not accepted under a name that a neighbouring host could set', async () => {
      const { state, name, value } = await startSignIn();
      const before = redeemed;
      const planted = await open(`/auth/idp/ack?code=c&state=${state}`, { cookie: `sign_in=${value}` });
      expect([planted.status, redeemed]).toEqual([401, before]);
      const again = await startSignIn();
      const own = await open(`/auth/idp/ack?code=c&state=${again.state}`, { cookie: `${name}=${again.value}` });
      expect([own.status, redeemed]).toEqual([401, before + 1]);
    });

    it('is only valid with its own state, and unaltered', async () => {
      const [one, other] = [await startSignIn(), await startSignIn()];
      const before = redeemed;
      const altered = `${one.value.slice(0, -2)}${one.value.endsWith('AA') ? 'BB' : 'AA'}`;
      for (const value of [other.value, altered, 'v1.made.up.value', one.state, 'x'.repeat(4000)]) {
        const refused = await open(`/auth/idp/ack?code=c&state=${one.state}`, { cookie: `${one.name}=${value}` });
        expect([refused.status, redeemed]).toEqual([401, before]);
      }
    });

    it('is unique, and the state and the script nonce have 32 bytes', async () => {
      const [one, other] = [await startSignIn(), await startSignIn()];
      for (const value of [one.state, other.state]) expect(value).toMatch(UNGUESSABLE);
      expect(new Set([one.state, one.value, other.state, other.value]).size).toBe(4);
      const page = await open('/profile');
      expect(/'nonce-([^']+)'/.exec(page.headers['content-security-policy'] ?? '')?.[1]).toMatch(UNGUESSABLE);
    });
  });
});
