import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { z } from 'zod';
import { Refusal } from '#backend/domain/errors.ts';
import { identityOf } from '#backend/domain/sessions/identity.ts';
import type { TrustedIssuers } from '#backend/domain/sessions/ports.ts';
import { RemoteFailure } from './remote.ts';
import type { Remote } from './remote.ts';
import { remoteFetch } from './remote-fetch.ts';

/** An issuer of the settings. Its tokens count only where they are made for this audience. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** Public keys alone: a symmetric algorithm would take a published key for a secret. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];
const Discovered = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Checks tokens by the keys that their issuer publishes; each issuer is asked when its first token comes. */
export function createTrustedIssuers(remote: Remote, trusted: readonly TrustedIssuer[], now: () => Date): TrustedIssuers {
  const keys = new Map<string, Keys>();

  async function keysOf(issuer: string): Promise<Keys> {
    const known = keys.get(issuer);
    if (known !== undefined) return known;
    const answer = await remote.send({ url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, method: 'GET' });
    const discovered = Discovered.safeParse(answer.status === 200 ? parsed(answer.body) : undefined);
    if (!discovered.success || discovered.data.issuer !== issuer) throw unreachable();
    const found = createRemoteJWKSet(new URL(discovered.data.jwks_uri), { [customFetch]: remoteFetch(remote) });
    keys.set(issuer, found);
    return found;
  }

  return {
    async identify(token) {
      const issuer = issuerOf(token);
      const audience = trusted.filter((one) => one.issuer === issuer).map((one) => one.audience);
      if (issuer === undefined || audience.length === 0) throw refused('It is not of an issuer that this service trusts.');
      try {
        const options = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp'], currentDate: now() };
        const { payload } = await jwtVerify(token, await keysOf(issuer), options);
        return identified(payload);
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

function identified(payload: JWTPayload) {
  const identity = identityOf(payload);
  if (identity === undefined) throw refused('It names nobody, or an e-mail address that its issuer has not verified.');
  return { identity, exp: payload.exp ?? 0 };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function explained(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RemoteFailure || error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return unreachable();
  if (error instanceof errors.JWTExpired) return refused('It has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refused(error.claim === 'aud' ? 'It is made for another audience.' : 'One of its claims is not as it must be.');
  }
  const unsigned = error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JWSSignatureVerificationFailed;
  if (unsigned || error instanceof errors.JWKSNoMatchingKey) return refused('Its signature is not one of its issuer.');
  if (error instanceof errors.JOSEError && error.code !== errors.JOSEError.code)
    return refused('It is not a signed token of the expected form.');
  // What is left of jose's errors: the keys could be asked for, and the answer was none.
  return unreachable();
}

function refused(why: string): Refusal {
  return new Refusal('TOKEN_REFUSED', `The token is not accepted. ${why} Sign in again at the authoring system, or at /login.`);
}

function unreachable(): Refusal {
  const sentence = 'The keys that this token was signed with cannot be read at the moment. Try again in a minute.';
  return new Refusal('IDENTITY_PROVIDER_UNREACHABLE', sentence, { retryAfter: 60 });
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
