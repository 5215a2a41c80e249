import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { SessionToken } from '@repoless/contract/session.ts';
import { listen } from '@repoless/sandbox/web.ts';
import { signInAt, technicalTokenAt } from '../support/identity-provider.ts';
import { startSessionService } from './session-service.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { assemble, forge, forgeOf, seconds, signedWithPublicKey, strangeForge, type Forge } from './session-forge.ts';

const CONSOLE = 'http://localhost:1';

describe('the exchange of a trusted issuer’s token', () => {
  let signWith: CryptoKey;

  const foreign = startBeforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    signWith = privateKey;
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    return await listen(0, (request, response) => {
      const body = request.url === '/keys' ? { keys: [key] } : { issuer: foreign.address, jwks_uri: `${foreign.address}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const service = startBeforeAll(() =>
    startSessionService({
      identityProvider: 'sandbox',
      trusted: (issuer) => [
        { issuer, audience: 'authoring' },
        { issuer: foreign.address, audience: 'authoring' },
        { issuer: foreign.address, audience: 'partner', domains: ['partner.example.com'] },
        { issuer: 'http://localhost:1', audience: 'authoring' },
      ],
    }),
  );

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

  it('returns a token of the service for the console’s token', async () => {
    const authoring = await signInAt({ address: service.provider.address, console: CONSOLE }, 'carl.config@example.com');
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

  it('identifies a technical account by its identifier', async () => {
    const answer = await exchange(await technicalTokenAt(service.provider, 'p100-e200@techacct.example.com'));
    const { token } = SessionToken.parse(await answer.json());
    expect(decodeJwt(token)).toMatchObject({ email: 'p100-e200@techacct.example.com' });
  });

  it('returns a token that ends with the exchanged one', async () => {
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
    ['without an e-mail address', /has no e-mail address/, () => signed({})],
    ['with an unverified address', /not verified/, () => signed({ email: 'ada.admin@example.com', email_verified: false })],
    ['signed by another key', /signature/, async () => signed({ email: 'a@example.com' }, 'authoring', service.provider.address)],
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
    ['that is not a token', /issuer/, async () => 'not a token'],
  ];
  it.each(refused)('refuses a token %s with the reason, and without repeating it', async (_, sentence, make) => {
    const token = await make();
    const answer = await exchange(token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-error-code')).toBe('TOKEN_REFUSED');
    expect(answer.headers.get('x-error')).toMatch(sentence);
    expect(await answer.text()).not.toContain(token);
    expect(service.logged.join('\n')).not.toContain(token);
  });

  it('trusts an issuer only for people of its domains', async () => {
    const names = { preferred_username: 'ada.admin@example.com', sub: 'ada@PARTNER.example.com' };
    const answer = await exchange(await signed({ email: 'Ada@Partner.example.com', ...names }, 'partner'));
    const { token } = SessionToken.parse(await answer.json());
    expect(decodeJwt(token)).toMatchObject({ email: 'Ada@Partner.example.com', user_id: 'ada@PARTNER.example.com' });
    // A name that other systems' access lists may contain.
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

  it('reports that the issuer’s keys are unavailable', async () => {
    const answer = await exchange(await signed({ email: 'a@example.com' }, 'authoring', 'http://localhost:1'));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-error-code')).toBe('IDENTITY_PROVIDER_UNREACHABLE');
  });

  it('refuses an invalid body', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${service.address}/auth/exchange`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('{')).headers.get('x-error-code')).toBe('BODY_UNPARSABLE');
    expect((await post('{}')).headers.get('x-error-code')).toBe('BODY_INVALID');
    expect((await post('token=x', 'text/plain')).headers.get('x-error-code')).toBe('CONTENT_TYPE_UNSUPPORTED');
  });
});

interface Pair {
  readonly sign: CryptoKey;
  readonly published: JWK;
}

async function newPair(kid: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { sign: privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

describe('the keys of a trusted issuer', () => {
  let pair: Pair;
  /** What the issuer publishes; tests change it. */
  const state = { keys: [] as JWK[], path: '/keys', down: false, requests: 0, held: [] as (() => void)[], hold: false };
  /** How far the service's clock is ahead. */
  let ahead = 0;

  const issuer = startBeforeAll(() =>
    listen(0, (request, response) => {
      state.requests += 1;
      const answer = (): void => {
        const body =
          request.url === state.path ? { keys: state.keys } : { issuer: issuer.address, jwks_uri: `${issuer.address}${state.path}` };
        const isKnown = request.url === state.path || request.url === '/.well-known/openid-configuration';
        response.writeHead(state.down ? 503 : isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (state.hold) state.held.push(answer);
      else answer();
    }),
  );
  const service = startBeforeAll(() => startSessionService({ trusted: () => [{ issuer: issuer.address, audience: 'authoring' }] }));
  beforeAll(async () => {
    pair = await newPair('first');
    state.keys = [pair.published];
  });
  beforeEach(() => {
    Object.assign(state, { down: false, requests: 0, hold: false, held: [] });
  });

  const pass = (seconds: number): void => {
    ahead += seconds;
    service.pass(seconds);
  };
  const now = (): number => Math.floor(Date.now() / 1000) + ahead;
  const signed = (by: Pair, claims: Readonly<Record<string, unknown>> = {}) =>
    new SignJWT({ email: 'a@example.com', iss: issuer.address, aud: 'authoring', exp: now() + 300, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: by.published.kid ?? '' })
      .sign(by.sign);
  const exchange = async (token: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${service.address}/auth/exchange`, { method: 'POST', headers, body: JSON.stringify({ token }) });
    return { status: answer.status, code: answer.headers.get('x-error-code'), sentence: answer.headers.get('x-error') ?? '' };
  };

  it('are requested once for any number of first tokens, however slow the answer', async () => {
    state.hold = true;
    const answers = Promise.all(Array.from({ length: 8 }, async () => exchange(await signed(pair))));
    for (let questions = 1; questions <= 2; questions++) {
      await expect.poll(() => state.held.length).toBe(questions);
      state.held.at(-1)?.();
    }
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(state.requests).toBe(2);
    expect((await exchange(await signed(pair))).status).toBe(200);
    expect(state.requests).toBe(2);
  });

  it('are read again when the issuer has changed them or their address, and old ones are no longer valid', async () => {
    const [old, next] = [pair, await newPair('second')];
    pair = next;
    Object.assign(state, { keys: [next.published], path: '/keys/new' });
    pass(11);
    expect((await exchange(await signed(next))).status).toBe(200);
    expect(await exchange(await signed(old))).toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
  });

  it('are requested at most once in ten seconds, however many tokens name unknown keys', async () => {
    pass(11);
    for (let count = 0; count < 10; count++) {
      expect((await exchange(await signed(await newPair(`made-up-${count}`)))).status).toBe(401);
    }
    expect(state.requests).toBe(2);
    expect((await exchange(await signed(pair))).status).toBe(200);
  });

  it('stay valid for an hour while their issuer is unavailable', async () => {
    pass(1200);
    state.down = true;
    expect((await exchange(await signed(pair))).status).toBe(200);
    const requests = state.requests;
    expect((await exchange(await signed(pair))).status).toBe(200);
    expect(state.requests).toBe(requests);
    pass(3600);
    expect(await exchange(await signed(pair))).toMatchObject({ status: 503, code: 'IDENTITY_PROVIDER_UNREACHABLE' });
    state.down = false;
    pass(11);
    expect((await exchange(await signed(pair))).status).toBe(200);
  });

  it.each([
    ['a clock that is 50 seconds ahead', { nbf: 50 }, 200, /^$/],
    ['a clock that is two minutes ahead', { nbf: 120 }, 401, /not valid yet/],
    ['a token that ended a second ago', { exp: -1 }, 401, /expired/],
  ])('are used with a tolerance of the clock: %s', async (_, offsets, status, sentence) => {
    const claims = Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, now() + offset]));
    const answer = await exchange(await signed(pair, claims));
    expect(answer.status).toBe(status);
    expect(answer.sentence).toMatch(sentence);
  });
});

const SITE = '/config/wknd/sites/hostile.json';
let own: Forge;
const logged: string[] = [];
const backend = startBeforeAll(() =>
  startTestBackend({
    logged: (line) => void logged.push(line),
    sites: { hostile: { access: { admin: { role: { admin: ['ada.admin@example.com'] } } } } },
  }),
);
beforeAll(async () => void (own = await forgeOf(backend.dataDir)));

const claims = () => ({
  iss: backend.address,
  aud: backend.address,
  sub: 'ada',
  email: 'ada.admin@example.com',
  jti: 'one',
  iat: seconds(0),
  exp: seconds(600),
});
const tokenWith = (over: Readonly<Record<string, unknown>> = {}, header = {}) => forge(own, backend.address, over, header);
const parts = async () => (await tokenWith()).split('.');
const publicPart = () => ({ keys: [own.publicKey] });

const hostile: [what: string, make: () => Promise<string>][] = [
  ['that has expired', () => tokenWith({ exp: seconds(0) })],
  ['that expired a second ago, without a tolerance', () => tokenWith({ exp: seconds(-1) })],
  ['without an expiry', () => tokenWith({ exp: undefined })],
  ['without an id, which could not be revoked', () => tokenWith({ jti: undefined })],
  ['that is not valid yet', () => tokenWith({ nbf: seconds(120) })],
  ['of another issuer', () => tokenWith({ iss: 'https://other.example.com' })],
  ['for another audience', () => tokenWith({ aud: 'https://other.example.com' })],
  ['of another type', () => tokenWith({}, { typ: 'logout+jwt' })],
  ['without a type', () => tokenWith({}, { typ: undefined })],
  ['without an e-mail address', () => tokenWith({ email: undefined })],
  ['whose expiry is a string', () => tokenWith({ exp: String(seconds(600)) })],
  ['signed by another key under our key’s name', async () => forge(await strangeForge(own.kid), backend.address)],
  ['signed by an unknown key', async () => forge(await strangeForge('unknown'), backend.address)],
  [
    'that contains its own key',
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
    () => tokenWith({}, { crit: ['exp'], exp: 1 }).catch(() => assemble({ alg: 'ES256', kid: own.kid, crit: ['x'], x: 1 }, claims(), 'AA')),
  ],
  ['with alg none', async () => assemble({ alg: 'none' }, claims(), '')],
  ['with alg NONE and a signature', async () => assemble({ alg: 'NONE', kid: own.kid }, claims(), (await parts())[2] ?? '')],
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
  ['with a signature of zeros', async () => `${(await parts()).slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`],
  ['without a signature', async () => `${(await parts()).slice(0, 2).join('.')}.`],
  ['with an extra part', async () => `${await tokenWith()}.AA`],
  ['that is not a token', async () => 'ada.admin@example.com'],
  ['that is empty', async () => ''],
];

describe.each(hostile)('a token %s', (_, make) => {
  it('is refused in each header', async () => {
    const token = await make();
    for (const headers of [
      { 'x-auth-token': token },
      { authorization: `Bearer ${token}` },
      { authorization: `token ${token}` },
      { cookie: `auth_token=${token}` },
    ]) {
      const answer = await backend.call('GET', SITE, { headers });
      expect(answer.status, answer.text).toBe(401);
      expect(answer.code).toBe('NOT_AUTHENTICATED');
      if (token !== '') expect(answer.text).not.toContain(token);
    }
    expect((await backend.call('PUT', SITE, { headers: { 'x-auth-token': token }, body: {} })).status).toBe(401);
    expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status).toBe(401);
    if (token.length > 30) expect(logged.join('\n')).not.toContain(token);
  });
});

it('accepts its own tokens, and those of a node whose clock is ahead', async () => {
  for (const over of [{}, { iat: seconds(45) }]) {
    expect((await backend.call('GET', SITE, { headers: { 'x-auth-token': await tokenWith(over) } })).status).toBe(200);
  }
});

it('does not try the cookie if a header has an invalid token', async () => {
  const headers = { 'x-auth-token': 'nonsense', cookie: `auth_token=${await backend.token(OPERATOR)}` };
  expect((await backend.call('GET', SITE, { headers })).status).toBe(401);
});

it.each([
  ['a token of 12 kB', 12_000, 401],
  ['a token larger than any header may be', 40_000, 431],
])('refuses %s', async (_, size, status) => {
  const answer = await backend.call('GET', SITE, { headers: { 'x-auth-token': `${await tokenWith()}${'A'.repeat(size)}` } });
  expect(answer.status).toBe(status);
  expect((await backend.call('GET', SITE, { headers: { 'x-auth-token': await tokenWith() } })).status).toBe(200);
});
