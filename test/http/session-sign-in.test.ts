import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import { KeySet, LoginLinks, ProfileAnswer, ProfileRefused, SignInMessage } from '@repoless/contract/session.ts';
import { PASSWORD, SERVICE_CLIENT } from '@repoless/sandbox/identity-provider/accounts.ts';
import { createVisitor } from '../support/visitor.ts';
import { LIFETIME, startSessionService } from './session-service.ts';
import { listen } from '@repoless/sandbox/web.ts';
import { EXTENSION_ORIGIN } from '../support/backend.ts';
import { assemble, seconds } from './session-forge.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const ADA = { email: 'ada.admin@example.com', password: PASSWORD };

describe('sign-in at the identity provider', () => {
  const service = startBeforeAll(() => startSessionService({ identityProvider: 'sandbox' }));

  async function signedIn(path = '/login') {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}${path}`);
    return { visitor, arrived: await visitor.submit(page, ADA) };
  }

  it('returns the browser with a strict cookie and continues to the profile', async () => {
    const { visitor, arrived } = await signedIn();
    expect(arrived.status).toBe(200);
    expect(arrived.headers.getSetCookie()[0]).toMatch(/^auth_token=[^;]+; Max-Age=3(600|5\d\d); Path=\/; HttpOnly; SameSite=Strict$/);
    expect(arrived.text).toContain('content="0; url=/profile"');
    const profile = await visitor.open(`${service.address}/profile`);
    expect(profile.status).toBe(200);
    expect(profile.text).toContain('Ada Admin');
    expect(profile.text).toContain('Copy token');
    expect(profile.headers.get('content-security-policy')).toMatch(/script-src 'nonce-[\w-]+'/);
  });

  it('continues to the requesting page, if it belongs to the service', async () => {
    expect((await signedIn('/login?returnTo=/device')).arrived.text).toContain('content="0; url=/device"');
    expect((await signedIn('/login?returnTo=%2Fdevice%3Fuser_code%3DBCDF-GHJK')).arrived.text).toContain(
      'url=/device?user_code=BCDF-GHJK"',
    );
  });

  it.each([
    '//evil.example',
    '/..//evil.example',
    '/../..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/a/..//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/..\\/evil.example',
    '/..;//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/%252f%252fevil.example',
    '//evil.example\\@localhost',
    '/\u2215evil.example',
    '/\uff0fevil.example',
  ])('continues to no other host, however it is written: %j', async (elsewhere) => {
    const { arrived } = await signedIn(`/login?returnTo=${encodeURIComponent(elsewhere)}`);
    expect(arrived.status).toBe(200);
    expect(arrived.text).toContain('content="0; url=/profile"');
    expect(arrived.text).not.toContain('evil.example');
  });

  it.each([
    ['https://evil.example/', 'must be absolute: start it with "/"'],
    ['javascript:alert(1)', 'must be absolute: start it with "/"'],
    ['evil.example', 'must be absolute: start it with "/"'],
    ['', 'An empty string is not allowed here.'],
  ])('refuses a sign-in that would continue to %j', async (elsewhere, reason) => {
    const answer = await fetch(`${service.address}/login?returnTo=${encodeURIComponent(elsewhere)}`, {
      headers: { accept: 'text/html' },
    });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'QUERY_INVALID']);
    expect(answer.headers.get('x-error')).toContain(reason);
  });

  it('refuses an invalid origin with the reason', async () => {
    const answer = await fetch(`${service.address}/login?origin=nowhere`);
    expect([answer.status, answer.headers.get('x-error')]).toEqual([400, expect.stringContaining('Write an http(s) address.')]);
  });

  it('sends the tokens to the window of an allowed origin, and to no other', async () => {
    const { arrived } = await signedIn(`/login?origin=${encodeURIComponent(EXTENSION_ORIGIN)}`);
    const [, message = '', origin] = /postMessage\((\{.*\}), "([^"]*)"\)/.exec(arrived.text) ?? [];
    expect(origin).toBe(EXTENSION_ORIGIN);
    const handed = SignInMessage.parse(JSON.parse(message));
    expect(decodeJwt(handed.token)).toMatchObject({ iss: service.address, aud: service.address, email: ADA.email, name: 'Ada Admin' });
    expect(decodeJwt(handed.authoringToken ?? '')).toMatchObject({ aud: 'authoring', email: ADA.email });
    const other = await signedIn(`/login?origin=${encodeURIComponent('http://evil.example.com')}`);
    expect(other.arrived.text).not.toContain('postMessage');
  });

  it('returns links to a client that accepts JSON', async () => {
    const anonymous = await fetch(`${service.address}/login`, { headers: { accept: 'application/json' } });
    expect(LoginLinks.parse(await anonymous.json()).links).toEqual({
      login_sandbox: `${service.address}/login`,
      login_sandbox_sa: `${service.address}/login?selectAccount=true`,
    });
    const headers = { 'x-auth-token': await service.token(ADA.email) };
    const known = await fetch(`${service.address}/login/wknd/site/main`, { headers });
    expect(LoginLinks.parse(await known.json()).links).toEqual({ logout: `${service.address}/logout` });
  });

  it.each([
    ['', null],
    ['?selectAccount=true', 'select_account'],
    ['?selectAccount=false', null],
  ])('requests for /login%s the prompt %s of the provider', async (query, prompt) => {
    const sent = await fetch(`${service.address}/login${query}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([sent.status, new URL(sent.headers.get('location') ?? '').searchParams.get('prompt')]).toEqual([302, prompt]);
  });

  it('accepts an answer of the provider once, and only from the browser that started the sign-in', async () => {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login`);
    const back = await visitor.submit(page, ADA, { stopBefore: `${service.address}/auth/` });
    const stranger = await createVisitor().open(back.address);
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('x-error-code')).toBe('NOT_AUTHENTICATED');
    expect(stranger.headers.get('set-cookie')).toBeNull();
    // A stranger's attempt does not spoil the sign-in of the browser that started it.
    const cookie = `sign_in=${visitor.cookie('sign_in') ?? ''}`;
    expect((await visitor.open(back.address)).status).toBe(200);
    expect((await visitor.open(back.address)).status).toBe(401);
    // Nor can the answer be replayed with the same cookie: the provider redeems a code once.
    const again = await fetch(back.address, { headers: { cookie, accept: 'text/html' } });
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []]);
  });

  it.each([
    ['without a state', '?code=not-to-be-repeated'],
    ['with an unknown state', '?code=not-to-be-repeated&state=made-up'],
    ['with an error of the provider', '?error=access_denied&state=made-up'],
  ])('refuses an answer %s', async (_, query) => {
    const answer = await fetch(`${service.address}/auth/sandbox/ack${query}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-error-code')).toBe('NOT_AUTHENTICATED');
    expect(await answer.text()).not.toContain('not-to-be-repeated');
  });

  it('refuses a code that was altered on the way', async () => {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login`);
    const back = new URL((await visitor.submit(page, ADA, { stopBefore: `${service.address}/auth/` })).address);
    back.searchParams.set('code', 'altered-code');
    const answer = await visitor.open(back.href);
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain('altered-code');
  });

  it('returns the profile as JSON, and 401 in the format that clients expect', async () => {
    const headers = { 'x-auth-token': await service.token(ADA.email) };
    const known = await fetch(`${service.address}/profile`, { headers });
    const { profile, links } = ProfileAnswer.parse(await known.json());
    expect(profile).toMatchObject({ email: ADA.email, iss: service.address });
    expect(profile.exp - profile.iat).toBe(LIFETIME);
    expect(profile.ttl).toBeGreaterThan(LIFETIME - 60);
    expect(links).toEqual({ logout: `${service.address}/logout` });
    const anonymous = await fetch(`${service.address}/profile`);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('x-error')).toBe('not authenticated.');
    expect(ProfileRefused.parse(await anonymous.json()).links).toEqual({ login: `${service.address}/login` });
  });

  it('signs out: clears the cookie and revokes the token', async () => {
    const { visitor } = await signedIn();
    const token = visitor.cookie('auth_token') ?? '';
    const typed = await visitor.open(`${service.address}/logout`);
    expect([typed.address, typed.status]).toEqual([`${service.address}/profile`, 200]);
    const left = await visitor.open(`${service.address}/logout`, { from: typed.address });
    expect(left.address).toBe(`${service.address}/profile`);
    expect(left.status).toBe(401);
    expect(visitor.cookie('auth_token')).toBeUndefined();
    expect((await fetch(`${service.address}/profile`, { headers: { 'x-auth-token': token } })).status).toBe(401);
  });

  it('accepts the token in each form of authorization and as a cookie, but no cookie of another origin', async () => {
    const token = await service.token(ADA.email);
    const status = async (headers: Record<string, string>) => (await fetch(`${service.address}/profile`, { headers })).status;
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ authorization: `token ${token}` })).toBe(200);
    expect(await status({ cookie: `auth_token=${token}` })).toBe(200);
    expect(await status({ cookie: `auth_token=${token}`, origin: EXTENSION_ORIGIN })).toBe(401);
  });

  it('publishes the keys that verify its tokens, and no private part', async () => {
    const { keys } = KeySet.parse(await (await fetch(`${service.address}/auth/discovery/keys`)).json());
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
});

it('an identity provider only signs in people of the domains in IDP_DOMAINS', async () => {
  for (const [domains, status] of [
    [['partner.example.com'], 401],
    [['partner.example.com', 'example.com'], 200],
  ] as const) {
    const service = await startSessionService({ identityProvider: 'sandbox', settings: { IDP_DOMAINS: domains.join(',') } });
    const visitor = createVisitor();
    const arrived = await visitor.submit(await visitor.open(`${service.address}/login`), ADA);
    expect(arrived.status).toBe(status);
    expect(arrived.text.includes('does not trust the identity provider')).toBe(status === 401);
    expect(visitor.cookie('auth_token') === undefined).toBe(status === 401);
    await service.stop();
  }
});

describe('an unavailable identity provider', () => {
  it('is reported while the service keeps answering, and sign-ins work once it is back', async () => {
    const service = await stopAfterTest(startSessionService({ identityProvider: 'sandbox' }));
    await service.provider.stop();
    const down = await createVisitor().open(`${service.address}/login`);
    expect(down.status).toBe(503);
    expect(down.headers.get('x-error-code')).toBe('IDENTITY_PROVIDER_UNREACHABLE');
    expect(down.headers.get('x-error')).toContain('Try again');
    expect((await fetch(`${service.address}/auth/discovery/keys`)).status).toBe(200);

    await service.restartProvider();
    const visitor = createVisitor();
    expect((await visitor.submit(await visitor.open(`${service.address}/login`), ADA)).status).toBe(200);
  });
});

describe('an identity provider that renews its keys', () => {
  it('signs in a person who started before the renewal', async () => {
    const service = await stopAfterTest(startSessionService({ identityProvider: 'sandbox' }));
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login`);
    await service.provider.stop();
    const file = join(service.providerDir, 'identity-provider-keys.json');
    const keySet = KeptKeys.parse(JSON.parse(await readFile(file, 'utf8')));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'renewed', use: 'sig', alg: 'ES256' };
    await writeFile(file, JSON.stringify({ ...keySet, jwks: { keys: [key] } }));
    await service.restartProvider();
    expect((await visitor.submit(page, ADA)).status).toBe(200);
    expect((await visitor.open(`${service.address}/profile`)).text).toContain('Ada Admin');
  });
});

const KeptKeys = z.looseObject({ jwks: z.object({ keys: z.array(z.unknown()) }) });

/** The values that the service expects in an ID token. */
interface Expected {
  readonly issuer: string;
  readonly nonce: string;
}

/** An identity provider that answers each code with a test's ID token. */
let own: CryptoKey;
let strange: CryptoKey;
let make: (expected: Expected) => Promise<string>;
let nonce = '';

const provider = startBeforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  own = pair.privateKey;
  strange = (await generateKeyPair('RS256')).privateKey;
  const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
  const answer = async (path: string) => {
    const { address: issuer } = provider;
    if (path === '/keys') return keys;
    if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: await make({ issuer, nonce }) };
    return { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
  };
  return await listen(0, async (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await answer(request.url ?? '')));
  });
});
const service = startBeforeAll(() => startSessionService({ identityProvider: provider.address }));

const claims = ({ issuer, nonce: sent }: Expected) => ({
  iss: issuer,
  aud: SERVICE_CLIENT.clientId,
  sub: 'ada',
  email: 'ada.admin@example.com',
  nonce: sent,
  iat: seconds(0),
  exp: seconds(600),
});
const signed = (expected: Expected, over: Readonly<Record<string, unknown>> = {}, key = own) =>
  new SignJWT({ ...claims(expected), ...over }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);

/** Signs in with an ID token made by `by`. Returns the status of the final page, and its cookie. */
async function signIn(by: (expected: Expected) => Promise<string>) {
  make = by;
  const headers = { accept: 'text/html' };
  const started = await fetch(`${service.address}/login`, { headers, redirect: 'manual' });
  const parameters = new URL(started.headers.get('location') ?? '').searchParams;
  nonce = parameters.get('nonce') ?? '';
  const [cookie = ''] = (started.headers.get('set-cookie') ?? '').split(';');
  const back = `${service.address}/auth/sandbox/ack?code=c&state=${parameters.get('state')}`;
  const arrived = await fetch(back, { headers: { ...headers, cookie }, redirect: 'manual' });
  return { status: arrived.status, cookie: arrived.headers.get('set-cookie') };
}

it('an ID token of the provider, for this service and this sign-in, signs in', async () => {
  const { status, cookie } = await signIn((expected) => signed(expected));
  expect([status, cookie]).toEqual([200, expect.stringMatching(/^auth_token=/)]);
});

it.each<[string, (expected: Expected) => Promise<string>]>([
  ['signed by another key', (expected) => signed(expected, {}, strange)],
  [
    'with an altered claim',
    async (expected) =>
      (await signed(expected)).replace(
        /\.[^.]+\./,
        `.${Buffer.from(JSON.stringify({ ...claims(expected), email: 'root@example.com' })).toString('base64url')}.`,
      ),
  ],
  ['with alg none', async (expected) => assemble({ alg: 'none' }, claims(expected), '')],
  ['of another issuer', (expected) => signed(expected, { iss: 'http://localhost:1' })],
  ['for another client', (expected) => signed(expected, { aud: 'another' })],
  ['of another sign-in', (expected) => signed(expected, { nonce: 'another' })],
  ['without a nonce', (expected) => signed(expected, { nonce: undefined })],
  ['that has expired', (expected) => signed(expected, { iat: seconds(-1200), exp: seconds(-600) })],
  ['with an address that the provider has not verified', (expected) => signed(expected, { email_verified: false })],
])('an ID token %s signs no one in', async (_, by) => {
  expect(await signIn(by)).toEqual({ status: 401, cookie: null });
});
