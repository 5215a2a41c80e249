import { decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { Refusal } from '../domain/errors.ts';
import { identityOf, withinDomains } from '../sessions/identity.ts';
import type { TrustedIssuers } from '../sessions/ports.ts';
import { createIssuerKeys, IssuerKeysUnreachable } from './issuer-keys.ts';
import { RemoteFailure } from './remote.ts';
import type { Remote } from './remote.ts';

/** An issuer of the settings. Its tokens count only where they are made for this audience. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Lower-cased. Absent: it speaks for everybody. */
  readonly domains?: readonly string[] | undefined;
}

/** Public keys alone: a symmetric algorithm would take a published key for a secret. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];
/** Seconds by which an issuer's clock may be ahead of ours. Nothing is added to the end of a token. */
const SKEW = 60;

/** Checks tokens by the keys that their issuer publishes; each issuer is asked when its first token comes. */
export function createTrustedIssuers(remote: Remote, trusted: readonly TrustedIssuer[], now: () => Date): TrustedIssuers {
  const keys = new Map<string, JWTVerifyGetKey>();
  const keysOf = (issuer: string): JWTVerifyGetKey => {
    const found = keys.get(issuer) ?? createIssuerKeys(remote, issuer, now);
    keys.set(issuer, found);
    return found;
  };

  return {
    async identify(token) {
      const issuer = issuerOf(token);
      const entries = trusted.filter((one) => one.issuer === issuer);
      const audience = entries.map((one) => one.audience);
      if (issuer === undefined || audience.length === 0) throw refused('This service does not trust its issuer.');
      try {
        const expected = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp'] };
        const { payload } = await jwtVerify(token, keysOf(issuer), { ...expected, currentDate: now(), clockTolerance: SKEW });
        return identified(payload, now(), entries);
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

function identified(payload: JWTPayload, now: Date, entries: readonly TrustedIssuer[]) {
  const { exp = 0 } = payload;
  if (exp * 1000 <= now.getTime()) throw refused('It has expired.');
  const identity = identityOf(payload);
  if (identity === undefined) throw refused('It has no e-mail address, or one that its issuer has not verified.');
  const audiences = [payload.aud].flat();
  const { domains } = entries.find(({ audience }) => audiences.includes(audience)) ?? {};
  const known = domains === undefined ? identity : withinDomains(identity, domains);
  if (known === undefined) throw refused('Its issuer is not trusted for this e-mail domain.');
  return { identity: known, exp };
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
  if (error instanceof RemoteFailure) return unreachable(error);
  if (error instanceof IssuerKeysUnreachable || error instanceof errors.JWKSInvalid) return unreachable();
  if (error instanceof errors.JWTExpired) return refused('It has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return refused('It is not valid yet: the clocks differ, or it was issued for later.');
    return refused(error.claim === 'aud' ? 'It was issued for another audience.' : 'One of its claims is not valid.');
  }
  const unsigned = error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JWSSignatureVerificationFailed;
  if (unsigned || error instanceof errors.JWKSNoMatchingKey) return refused('Its signature is not from its issuer.');
  if (error instanceof errors.JOSEError) return refused('It is not a signed token of the expected form.');
  // What is left is no fault of the token: a key that its issuer publishes cannot be used.
  return unreachable();
}

function refused(why: string): Refusal {
  return new Refusal('TOKEN_REFUSED', `The token is not accepted. ${why} Sign in again at the authoring system, or at /login.`);
}

/** In: why, which the log alone learns. */
function unreachable(cause?: RemoteFailure): Refusal {
  const sentence = 'The keys that this token was signed with cannot be read at the moment. Try again in a minute.';
  return new Refusal('IDENTITY_PROVIDER_UNREACHABLE', sentence, { retryAfter: 60, cause });
}
