import { listen } from '@repoless/sandbox/web.ts';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startSessionService } from './session-service.ts';

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
  /** What the issuer publishes and how, for a test to change. */
  const state = { keys: [] as JWK[], path: '/keys', down: false, asked: 0, held: [] as (() => void)[], hold: false };
  /** Ahead of this machine's clock, as the service's is. */
  let ahead = 0;

  const issuer = startBeforeAll(() =>
    listen(0, (request, response) => {
      state.asked += 1;
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
    Object.assign(state, { down: false, asked: 0, hold: false, held: [] });
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

  it('are asked for once, by whatever number of first tokens, however slowly they come', async () => {
    state.hold = true;
    const answers = Promise.all(Array.from({ length: 8 }, async () => exchange(await signed(pair))));
    for (let questions = 1; questions <= 2; questions++) {
      await expect.poll(() => state.held.length).toBe(questions);
      state.held.at(-1)?.();
    }
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(state.asked).toBe(2);
    expect((await exchange(await signed(pair))).status).toBe(200);
    expect(state.asked).toBe(2);
  });

  it('are read anew when the issuer has changed them, their address included, and the old ones count no more', async () => {
    const [old, next] = [pair, await newPair('second')];
    pair = next;
    Object.assign(state, { keys: [next.published], path: '/keys/new' });
    pass(11);
    expect((await exchange(await signed(next))).status).toBe(200);
    expect(await exchange(await signed(old))).toMatchObject({ status: 401, code: 'TOKEN_REFUSED' });
  });

  it('are asked for once in ten seconds at most, however many tokens name keys that nobody knows', async () => {
    pass(11);
    for (let count = 0; count < 10; count++) {
      expect((await exchange(await signed(await newPair(`made-up-${count}`)))).status).toBe(401);
    }
    expect(state.asked).toBe(2);
    expect((await exchange(await signed(pair))).status).toBe(200);
  });

  it('outlast their issuer’s silence for an hour, and not longer', async () => {
    pass(1200);
    state.down = true;
    expect((await exchange(await signed(pair))).status).toBe(200);
    const asked = state.asked;
    expect((await exchange(await signed(pair))).status).toBe(200);
    expect(state.asked).toBe(asked);
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
  ])('with %s', async (_, offsets, status, sentence) => {
    const claims = Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, now() + offset]));
    const answer = await exchange(await signed(pair, claims));
    expect(answer.status).toBe(status);
    expect(answer.sentence).toMatch(sentence);
  });
});
