import { KeySet, LoginLinks, ProfileAnswer, ProfileRefused, SignInMessage } from '@repoless/contract/session.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createVisitor } from '../support/visitor.ts';
import { EXTENSION_ORIGIN, LIFETIME, type SessionService, startSessionService } from './session-service.ts';

const ADA = { email: 'ada.admin@example.com', password: PASSWORD };

describe('sign-in at the identity provider', () => {
  let service: SessionService;
  let provider: Running;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
    service = await startSessionService({
      async identityProvider(backend) {
        provider = await startIdentityProvider({ port: 0, backend, console: 'http://localhost:1', dataDir });
        return provider.address;
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true });
  });

  async function signedIn(path = '/login') {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}${path}`);
    return { visitor, arrived: await visitor.submit(page, ADA) };
  }

  it('brings a browser back with a strict cookie and goes on to the profile by itself', async () => {
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

  it('goes on to the page that asked for the sign-in, if it is one of the service', async () => {
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
  ])('goes on to no other host, however it is written: %j', async (elsewhere) => {
    const { arrived } = await signedIn(`/login?returnTo=${encodeURIComponent(elsewhere)}`);
    expect(arrived.status).toBe(200);
    expect(arrived.text).toContain('content="0; url=/profile"');
    expect(arrived.text).not.toContain('evil.example');
  });

  it.each(['https://evil.example/', 'javascript:alert(1)', 'evil.example', ''])(
    'begins no sign-in that is to go on to %j',
    async (elsewhere) => {
      const answer = await fetch(`${service.address}/login?returnTo=${encodeURIComponent(elsewhere)}`, {
        headers: { accept: 'text/html' },
      });
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'QUERY_INVALID']);
    },
  );

  it('hands the tokens to the window of an allowed origin, and to no other', async () => {
    const { arrived } = await signedIn(`/login?origin=${encodeURIComponent(EXTENSION_ORIGIN)}`);
    const [, message = '', origin] = /postMessage\((\{.*\}), "([^"]*)"\)/.exec(arrived.text) ?? [];
    expect(origin).toBe(EXTENSION_ORIGIN);
    const handed = SignInMessage.parse(JSON.parse(message));
    expect(decodeJwt(handed.token)).toMatchObject({ iss: service.address, aud: service.address, email: ADA.email, name: 'Ada Admin' });
    expect(decodeJwt(handed.authoringToken ?? '')).toMatchObject({ aud: 'authoring', email: ADA.email });
    const other = await signedIn(`/login?origin=${encodeURIComponent('http://evil.example.com')}`);
    expect(other.arrived.text).not.toContain('postMessage');
  });

  it('tells a client that asks for JSON the links', async () => {
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
  ])('/login%s has the provider ask which account it shall be: %s', async (query, prompt) => {
    const sent = await fetch(`${service.address}/login${query}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([sent.status, new URL(sent.headers.get('location') ?? '').searchParams.get('prompt')]).toEqual([302, prompt]);
  });

  it('takes an answer of the provider once, and from the browser that began alone', async () => {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login`);
    const back = await visitor.submit(page, ADA, { stopBefore: `${service.address}/auth/` });
    const stranger = await createVisitor().open(back.address);
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('x-error-code')).toBe('NOT_AUTHENTICATED');
    expect(stranger.headers.get('set-cookie')).toBeNull();
    // What a stranger tried takes nothing from the browser that began.
    const cookie = `sign_in=${visitor.cookie('sign_in') ?? ''}`;
    expect((await visitor.open(back.address)).status).toBe(200);
    expect((await visitor.open(back.address)).status).toBe(401);
    // Nor is the answer good for who kept the cookie: the provider changes its code once.
    const again = await fetch(back.address, { headers: { cookie, accept: 'text/html' } });
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []]);
  });

  it.each([
    ['without a state', '?code=not-to-be-repeated'],
    ['with a state nobody gave out', '?code=not-to-be-repeated&state=made-up'],
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

  it('answers the profile as JSON, and 401 in the shape that clients know', async () => {
    const headers = { 'x-auth-token': await service.token(ADA.email) };
    const known = await fetch(`${service.address}/profile`, { headers });
    const { profile, links } = ProfileAnswer.parse(await known.json());
    expect(profile).toMatchObject({ email: ADA.email, iss: service.address });
    expect(profile.exp - profile.iat).toBe(LIFETIME);
    expect(profile.ttl).toBeGreaterThan(LIFETIME - 60);
    expect(links).toEqual({ logout: `${service.address}/logout` });
    const nobody = await fetch(`${service.address}/profile`);
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get('x-error')).toBe('not authenticated.');
    expect(ProfileRefused.parse(await nobody.json()).links).toEqual({ login: `${service.address}/login` });
  });

  it('signs out: the cookie is cleared, the token is none any more', async () => {
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

  it('takes the token in each of its headers, and a broken or expired one as none', async () => {
    const token = await service.token(ADA.email);
    const status = async (headers: Record<string, string>) => (await fetch(`${service.address}/profile`, { headers })).status;
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ authorization: `token ${token}` })).toBe(200);
    expect(await status({ cookie: `auth_token=${token}` })).toBe(200);
    expect(await status({ cookie: `auth_token=${token}`, origin: EXTENSION_ORIGIN })).toBe(401);
    expect(await status({ 'x-auth-token': `${token.slice(0, -4)}AAAA` })).toBe(401);
    const [header = '', payload = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect(await status({ 'x-auth-token': `${none}.${payload}.` })).toBe(401);
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), email: 'root@example.com' })).toString('base64url');
    expect(await status({ 'x-auth-token': `${header}.${other}.${token.split('.')[2]}` })).toBe(401);
  });

  it('publishes the keys that verify its tokens, and no private part', async () => {
    const { keys } = KeySet.parse(await (await fetch(`${service.address}/auth/discovery/keys`)).json());
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
});

it('an identity provider signs in people of its domains alone, where the settings name some', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
  for (const [domains, status] of [
    [['partner.example.com'], 401],
    [['partner.example.com', 'example.com'], 200],
  ] as const) {
    let provider: Running | undefined;
    const service = await startSessionService({
      domains,
      async identityProvider(backend) {
        provider = await startIdentityProvider({ port: 0, backend, console: 'http://localhost:1', dataDir });
        return provider.address;
      },
    });
    const visitor = createVisitor();
    const arrived = await visitor.submit(await visitor.open(`${service.address}/login`), ADA);
    expect(arrived.status).toBe(status);
    expect(arrived.text.includes('does not trust the identity provider')).toBe(status === 401);
    expect(visitor.cookie('auth_token') === undefined).toBe(status === 401);
    await service.stop();
    await provider?.stop();
  }
  await rm(dataDir, { recursive: true });
});

describe('an identity provider that is down', () => {
  it('is named in a sentence, and the service answers all the same; once it is back signing in works', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
    let provider: Running | undefined;
    const begun = { backend: '' };
    const service = await startSessionService({
      async identityProvider(backend) {
        begun.backend = backend;
        provider = await startIdentityProvider({ port: 0, backend, console: 'http://localhost:1', dataDir });
        await provider.stop();
        return provider.address;
      },
    });
    const down = await createVisitor().open(`${service.address}/login`);
    expect(down.status).toBe(503);
    expect(down.headers.get('x-error-code')).toBe('IDENTITY_PROVIDER_UNREACHABLE');
    expect(down.headers.get('x-error')).toContain('Try again');
    expect((await fetch(`${service.address}/auth/discovery/keys`)).status).toBe(200);

    const port = Number(new URL(provider?.address ?? '').port);
    const again = await startIdentityProvider({ port, backend: begun.backend, console: 'http://localhost:1', dataDir });
    const visitor = createVisitor();
    const arrived = await visitor.submit(await visitor.open(`${service.address}/login`), ADA);
    expect(arrived.status).toBe(200);
    await again.stop();
    await service.stop();
    await rm(dataDir, { recursive: true });
  });
});

describe('an identity provider that renews its keys', () => {
  it('signs in whoever began before that and comes back after it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
    let provider: Running | undefined;
    let backend = '';
    const start = (port: number) => startIdentityProvider({ port, backend, console: 'http://localhost:1', dataDir });
    const service = await startSessionService({
      async identityProvider(address) {
        backend = address;
        provider = await start(0);
        return provider.address;
      },
    });
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login`);
    await provider?.stop();
    const file = join(dataDir, 'identity-provider-keys.json');
    const kept = KeptKeys.parse(JSON.parse(await readFile(file, 'utf8')));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'renewed', use: 'sig', alg: 'ES256' };
    await writeFile(file, JSON.stringify({ ...kept, jwks: { keys: [key] } }));
    const renewed = await start(Number(new URL(provider?.address ?? '').port));
    const arrived = await visitor.submit(page, ADA);
    expect(arrived.status, arrived.text).toBe(200);
    expect((await visitor.open(`${service.address}/profile`)).text).toContain('Ada Admin');
    await renewed.stop();
    await service.stop();
    await rm(dataDir, { recursive: true });
  });
});

const KeptKeys = z.looseObject({ jwks: z.object({ keys: z.array(z.unknown()) }) });
