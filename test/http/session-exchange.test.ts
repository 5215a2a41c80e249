import { SessionToken } from '@repoless/contract/session.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import { listen, type Running } from '@repoless/sandbox/web.ts';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAt, technicalTokenAt } from '../support/identity-provider.ts';
import { type SessionService, startSessionService } from './session-service.ts';

const CONSOLE = 'http://localhost:1';

describe('the exchange of a trusted issuer’s token', () => {
  let service: SessionService;
  let provider: Running;
  let foreign: Running;
  let dataDir: string;
  let signWith: CryptoKey;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    signWith = privateKey;
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    foreign = await listen(0, (request, response) => {
      const body = request.url === '/keys' ? { keys: [key] } : { issuer: foreign.address, jwks_uri: `${foreign.address}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    service = await startSessionService({
      async identityProvider(backend) {
        provider = await startIdentityProvider({ port: 0, backend, console: CONSOLE, dataDir });
        return provider.address;
      },
      trusted: (issuer) => [
        { issuer, audience: 'authoring' },
        { issuer: foreign.address, audience: 'authoring' },
        { issuer: foreign.address, audience: 'partner', domains: ['partner.example.com'] },
        { issuer: 'http://localhost:1', audience: 'authoring' },
      ],
    });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    await foreign.stop();
    await rm(dataDir, { recursive: true });
  });

  const exchange = (token: string) =>
    fetch(`${service.address}/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  const signed = (claims: Record<string, unknown>, audience = 'authoring', issuer = foreign.address, expires: string | number = '5m') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(signWith);

  it('answers a token of the service for the one that the console has', async () => {
    const authoring = await signInAt({ address: provider.address, console: CONSOLE }, 'carl.config@example.com');
    const answer = await exchange(authoring);
    expect(answer.status).toBe(200);
    const { token, exp } = SessionToken.parse(await answer.json());
    expect(decodeJwt(token)).toMatchObject({
      email: 'carl.config@example.com',
      name: 'Carl Config',
      preferred_username: 'carl.config',
      exp,
    });
    expect((await fetch(`${service.address}/profile`, { headers: { 'x-auth-token': token } })).status).toBe(200);
  });

  it('knows a technical account by its identifier', async () => {
    const answer = await exchange(await technicalTokenAt(provider, 'p100-e200@techacct.example.com'));
    const { token } = SessionToken.parse(await answer.json());
    expect(decodeJwt(token)).toMatchObject({ email: 'p100-e200@techacct.example.com' });
  });

  it('ends its token with the one that it was exchanged for', async () => {
    const soon = Math.floor(Date.now() / 1000) + 60;
    const answer = await exchange(await signed({ email: 'a@example.com' }, 'authoring', foreign.address, soon));
    expect(SessionToken.parse(await answer.json()).exp).toBe(soon);
  });

  const good = () => signed({ email: 'a@example.com', sub: 'a' });
  const unsigned = (claims: Record<string, unknown>) =>
    `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  const refused: [why: string, sentence: RegExp, token: () => Promise<string>][] = [
    ['of another issuer', /does not trust its issuer/, () => signed({ email: 'a@example.com' }, 'authoring', 'http://localhost:2')],
    ['for another audience', /another audience/, () => signed({ email: 'a@example.com' }, 'elsewhere')],
    ['that has expired', /expired/, () => signed({ email: 'a@example.com' }, 'authoring', foreign.address, 1000)],
    ['that names nobody', /has no e-mail address/, () => signed({})],
    ['with an unverified address', /not verified/, () => signed({ email: 'ada.admin@example.com', email_verified: false })],
    ['signed by another key', /signature/, async () => signed({ email: 'a@example.com' }, 'authoring', provider.address)],
    [
      'without a signature',
      /signature|form/,
      async () => unsigned({ iss: foreign.address, aud: 'authoring', exp: 9e9, email: 'a@example.com' }),
    ],
    ['with an altered signature', /signature/, async () => `${(await good()).slice(0, -6)}AAAAAA`],
    [
      'with altered claims',
      /signature/,
      async () => {
        const [header, , signature] = (await good()).split('.');
        const claims = { iss: foreign.address, aud: 'authoring', exp: 9e9, email: 'ada.admin@example.com' };
        return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
      },
    ],
    ['that is none', /issuer/, async () => 'not a token'],
  ];
  it.each(refused)('refuses a token %s, in a sentence and without repeating it', async (_, sentence, make) => {
    const token = await make();
    const answer = await exchange(token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-error-code')).toBe('TOKEN_REFUSED');
    expect(answer.headers.get('x-error')).toMatch(sentence);
    expect(await answer.text()).not.toContain(token);
    expect(service.logged.join('\n')).not.toContain(token);
  });

  it('takes the word of an issuer for people of its domains alone', async () => {
    const names = { preferred_username: 'ada.admin@example.com', sub: 'ada@PARTNER.example.com' };
    const answer = await exchange(await signed({ email: 'Ada@Partner.example.com', ...names }, 'partner'));
    const { token } = SessionToken.parse(await answer.json());
    expect(decodeJwt(token)).toMatchObject({ email: 'Ada@Partner.example.com', user_id: 'ada@PARTNER.example.com' });
    // A name that an access list of others may hold.
    expect(decodeJwt(token)).not.toHaveProperty('preferred_username');
    for (const email of ['ada.admin@example.com', 'ada@evilpartner.example.com', 'partner.example.com', 'ada@partner.example.com.evil']) {
      const refusal = await exchange(await signed({ email }, 'partner'));
      expect([refusal.status, refusal.headers.get('x-error-code')]).toEqual([401, 'TOKEN_REFUSED']);
      expect(refusal.headers.get('x-error')).toContain('not trusted for this e-mail domain');
    }
  });

  it('refuses the service’s own token', async () => {
    expect((await exchange(await service.token('a@example.com'))).status).toBe(401);
  });

  it('says so where the issuer’s keys cannot be had', async () => {
    const answer = await exchange(await signed({ email: 'a@example.com' }, 'authoring', 'http://localhost:1'));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-error-code')).toBe('IDENTITY_PROVIDER_UNREACHABLE');
  });

  it('refuses a body that is not one', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${service.address}/auth/exchange`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('{')).headers.get('x-error-code')).toBe('BODY_UNPARSABLE');
    expect((await post('{}')).headers.get('x-error-code')).toBe('BODY_INVALID');
    expect((await post('token=x', 'text/plain')).headers.get('x-error-code')).toBe('CONTENT_TYPE_UNSUPPORTED');
  });
});
