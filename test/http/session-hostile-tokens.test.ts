import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { assemble, forge, forgeOf, seconds, signedWithPublicKey, strangeForge } from './session-forge.ts';
import type { Forge } from './session-forge.ts';

const SITE = '/config/wknd/sites/hostile.json';
let own: Forge;
const logged: string[] = [];
const backend = startBeforeAll(() => startTestBackend({ logged: (line) => void logged.push(line) }));
beforeAll(async () => {
  own = await forgeOf(backend.dataDir);
  const body = siteBody('wknd', 'hostile', { access: { admin: { role: { admin: ['ada.admin@example.com'] } } } });
  expect((await backend.call('PUT', SITE, { as: OPERATOR, body })).status).toBe(201);
});

const claims = () => ({
  iss: backend.address,
  aud: backend.address,
  sub: 'ada',
  email: 'ada.admin@example.com',
  jti: 'one',
  iat: seconds(0),
  exp: seconds(600),
});
const made = (over: Readonly<Record<string, unknown>> = {}, header = {}) => forge(own, backend.address, over, header);
const parts = async () => (await made()).split('.');
const publicPart = () => ({ keys: [own.publicKey] });

const hostile: [what: string, make: () => Promise<string>][] = [
  ['that has expired', () => made({ exp: seconds(0) })],
  ['that expired a second ago: nothing is added to its end', () => made({ exp: seconds(-1) })],
  ['without an end', () => made({ exp: undefined })],
  ['without an id, which could not be revoked', () => made({ jti: undefined })],
  ['that is not valid yet', () => made({ nbf: seconds(120) })],
  ['of another issuer', () => made({ iss: 'https://other.example.com' })],
  ['for another audience', () => made({ aud: 'https://other.example.com' })],
  ['that says it is of another type', () => made({}, { typ: 'logout+jwt' })],
  ['that says no type', () => made({}, { typ: undefined })],
  ['that names nobody', () => made({ email: undefined })],
  ['whose end is a text', () => made({ exp: String(seconds(600)) })],
  ['signed by another key under our key’s name', async () => forge(await strangeForge(own.kid), backend.address)],
  ['signed by a key that nobody knows', async () => forge(await strangeForge('unknown'), backend.address)],
  [
    'that brings its own key along',
    async () => {
      const strange = await strangeForge('mine');
      return forge(strange, backend.address, {}, { jwk: strange.publicKey });
    },
  ],
  [
    'that names an address for its key',
    async () => forge(await strangeForge('far'), backend.address, {}, { jku: 'http://127.0.0.1:1/keys' }),
  ],
  [
    'with a header that must be understood',
    () => made({}, { crit: ['exp'], exp: 1 }).catch(() => assemble({ alg: 'ES256', kid: own.kid, crit: ['x'], x: 1 }, claims(), 'AA')),
  ],
  ['that says alg none', async () => assemble({ alg: 'none' }, claims(), '')],
  ['that says alg NONE and has a signature', async () => assemble({ alg: 'NONE', kid: own.kid }, claims(), (await parts())[2] ?? '')],
  ['signed with the public key as a secret', () => signedWithPublicKey(own, claims())],
  ['signed with the published key set as a secret', () => signedWithPublicKey(own, claims(), publicPart())],
  [
    'with an altered payload',
    async () => {
      const [header, , signature] = await parts();
      return `${header}.${Buffer.from(JSON.stringify({ ...claims(), email: OPERATOR })).toString('base64url')}.${signature}`;
    },
  ],
  [
    'with an altered signature',
    async () => {
      const [header, payload, signature = ''] = await parts();
      return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    },
  ],
  ['with the signature of zeros', async () => `${(await parts()).slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`],
  ['without a signature', async () => `${(await parts()).slice(0, 2).join('.')}.`],
  ['with a part too many', async () => `${await made()}.AA`],
  ['that is no token', async () => 'ada.admin@example.com'],
  ['that is empty', async () => ''],
];

describe.each(hostile)('a token %s', (_, make) => {
  it('is as good as none, in each place where it may be sent', async () => {
    const token = await make();
    for (const headers of [
      { 'x-auth-token': token },
      { authorization: `Bearer ${token}` },
      { authorization: `token ${token}` },
      { cookie: `auth_token=${token}` },
    ]) {
      const answer = await backend.call('GET', SITE, { headers });
      expect(answer.status, answer.text).toBe(401);
      expect(answer.headers['x-error-code']).toBe('NOT_AUTHENTICATED');
      if (token !== '') expect(answer.text).not.toContain(token);
    }
    expect((await backend.call('PUT', SITE, { headers: { 'x-auth-token': token }, body: {} })).status).toBe(401);
    expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status).toBe(401);
    if (token.length > 30) expect(logged.join('\n')).not.toContain(token);
  });
});

it('takes a token as it gives them out, and one that another node with a faster clock has just given out', async () => {
  for (const over of [{}, { iat: seconds(45) }]) {
    expect((await backend.call('GET', SITE, { headers: { 'x-auth-token': await made(over) } })).status).toBe(200);
  }
});

it('does not try the cookie where a header is no good', async () => {
  const headers = { 'x-auth-token': 'nonsense', cookie: `auth_token=${await backend.token(OPERATOR)}` };
  expect((await backend.call('GET', SITE, { headers })).status).toBe(401);
});

it.each([
  ['a token of 12 kB', 12_000, 401],
  ['a token larger than any header may be', 40_000, 431],
])('refuses %s at once', async (_, size, status) => {
  const answer = await backend.call('GET', SITE, { headers: { 'x-auth-token': `${await made()}${'A'.repeat(size)}` } });
  expect(answer.status).toBe(status);
  expect((await backend.call('GET', SITE, { headers: { 'x-auth-token': await made() } })).status).toBe(200);
});
