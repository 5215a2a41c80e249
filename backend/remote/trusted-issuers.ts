import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Refusal } from '@repoless/contract/refusal.ts';
import { readJson } from '../domain/documents.ts';
import { identityOf, withinDomains } from '../sessions/identity.ts';
import { type Remote, RemoteFailure } from './remote.ts';
import type { TrustedIssuers } from '../sessions/sign-in.ts';

/** A configured issuer. Its tokens count only if they are for this audience. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** In lower case. Absent: valid for everyone. */
  readonly domains?: readonly string[] | undefined;
}

/** Only public keys: a symmetric algorithm would use a published key as a secret. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];
/** Seconds by which an issuer's clock may be ahead of ours. Nothing is added to the expiry of a token. */
const SKEW = 60;

/** Verifies tokens with their issuer's published keys, which are read with its first token. */
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
  // Every other error is not the token's: a published key of its issuer is unusable.
  return unreachable();
}

function refused(why: string): Refusal {
  return new Refusal('TOKEN_REFUSED', `The token is not accepted. ${why} Sign in again at the authoring system, or at /login.`);
}

/** Takes the reason, which is for the log only. */
function unreachable(cause?: RemoteFailure): Refusal {
  const sentence = 'The keys that this token was signed with cannot be read at the moment. Try again in a minute.';
  return new Refusal('IDENTITY_PROVIDER_UNREACHABLE', sentence, { retryAfter: 60, cause });
}

/** Milliseconds between two requests to an issuer, whatever tokens arrive. */
const COOL_DOWN = 10_000;
/** Milliseconds after which the keys are read again even if all tokens match, because an issuer may have withdrawn one. */
const FRESH = 600_000;
/** Milliseconds for which known keys still count while their issuer is unreachable. */
const STILL_GOOD = 3_600_000;

const Discovered = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

class IssuerKeysUnreachable extends Error {
  override readonly name = 'IssuerKeysUnreachable';
}

/** An unknown key causes a new read, including the address of the key set: an issuer can rotate its keys. Throws IssuerKeysUnreachable. */
function createIssuerKeys(remote: Remote, issuer: string, now: () => Date): JWTVerifyGetKey {
  let known: { readonly find: JWTVerifyGetKey; readonly at: number } | undefined;
  let lastQuery = -Infinity;
  let pending: Promise<void> | undefined;

  const age = (since: number): number => now().getTime() - since;
  const read = async (): Promise<void> => {
    lastQuery = now().getTime();
    const keys = await readKeys(remote, issuer);
    known = { find: createLocalJWKSet(keys), at: now().getTime() };
  };
  /** One request at a time, shared by all that wait. */
  const refresh = (): Promise<void> => (pending ??= read().finally(() => (pending = undefined)));
  const mayQuery = (): boolean => pending !== undefined || age(lastQuery) >= COOL_DOWN;

  return async (header, token) => {
    if ((known === undefined || age(known.at) >= FRESH) && mayQuery()) {
      await refresh().catch((error: unknown) => {
        if (known === undefined || age(known.at) >= STILL_GOOD) throw error;
      });
    }
    if (known === undefined || age(known.at) >= STILL_GOOD) throw new IssuerKeysUnreachable();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayQuery()) throw error;
      await refresh();
      return await known.find(header, token);
    }
  };
}

async function readKeys(remote: Remote, issuer: string): Promise<JSONWebKeySet> {
  const configuration = Discovered.safeParse(await readDocument(remote, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  if (!configuration.success || configuration.data.issuer !== issuer) throw new IssuerKeysUnreachable();
  const { jwks_uri: address } = configuration.data;
  // Anyone on the network path could replace keys that are read without TLS, and then sign as everyone.
  if (new URL(issuer).protocol === 'https:' && new URL(address).protocol !== 'https:')
    throw new RemoteFailure('elsewhere', `The issuer ${issuer} names an address for its keys that is not HTTPS, so they are not read.`);
  const keys = KeySet.safeParse(await readDocument(remote, address));
  if (!keys.success) throw new IssuerKeysUnreachable();
  return keys.data;
}

async function readDocument(remote: Remote, url: string): Promise<unknown> {
  const answer = await remote.send({ url, method: 'GET', headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new IssuerKeysUnreachable();
  return readJson(answer.body);
}
