import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { JWK } from 'jose';
import type { SessionToken } from '#contract/session.ts';
import type { KnownKeys } from '../api-keys/known-keys.ts';
import { apiKeyUser } from '../api-keys/api-key-user.ts';
import type { KeyGrant, User } from '../caller.ts';
import type { Store, StoredApiKey } from '../ports.ts';
import type { Identity } from './identity.ts';
import { createRevocations } from './revocations.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';
import type { SigningKeys } from './signing-keys.ts';
import { claimsOf, userOf } from './token-claims.ts';
import type { KeyClaims, TokenClaims } from './token-claims.ts';

export interface TokenSettings {
  readonly keys: SigningKeys;
  /** The public address of the service: issuer and audience of its tokens. */
  readonly issuer: string;
  /** Seconds. */
  readonly lifetime: number;
  readonly store: Pick<Store, 'shortLived'>;
  /** Left out: no API key is taken. */
  readonly apiKeys?: Pick<KnownKeys, 'find'>;
  now(): Date;
}

export interface Tokens {
  /** A new token; it ends after the lifetime, or at `notAfter` (seconds since 1970) where that is sooner. */
  issue(identity: Identity, limit?: { notAfter?: number }): Promise<SessionToken>;
  /** The value of an API key, which is good while its row is there. */
  issueKey(key: Pick<StoredApiKey, 'id' | 'org' | 'site' | 'created' | 'expires'>): Promise<string>;
  /** Undefined for every token that is not good now: broken, foreign, expired, revoked. An API key is no sign-in. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** The same of an API key. */
  readKey(token: string): Promise<{ claims: KeyClaims; grant: KeyGrant } | undefined>;
  /** Either of them as a caller. */
  verify(token: string): Promise<User | undefined>;
  /** From now on the token is none here, and within seconds on every other node. */
  revoke(token: string): Promise<void>;
  keySet(): { keys: JWK[] };
}

/** How many verified tokens are remembered, so that a request costs no signature check. */
const REMEMBERED = 10_000;

/** Tokens of the service (service contract, section 3): JWT, ES256, for this service by this service. */
export function createTokens(settings: TokenSettings): Tokens {
  const { issuer, now, keys } = settings;
  const published = { keys: [...keys.published] };
  const verification = createLocalJWKSet(published);
  const revocations = createRevocations(settings);
  const remembered = new Map<string, TokenClaims | KeyClaims>();

  async function check(token: string): Promise<TokenClaims | KeyClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, verification, {
        issuer,
        audience: issuer,
        algorithms: [SIGNING_ALGORITHM],
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: now(),
      });
      return claimsOf(payload);
    } catch {
      return undefined;
    }
  }

  async function current(token: string): Promise<TokenClaims | KeyClaims | undefined> {
    const claims = remembered.get(token) ?? (await check(token));
    if (claims === undefined) return undefined;
    const isOver = claims.exp * 1000 <= now().getTime();
    if (isOver || (claims.kind === 'user' && (await revocations.isRevoked(claims.tokenId)))) {
      remembered.delete(token);
      return undefined;
    }
    if (!remembered.has(token)) remember(remembered, token, claims);
    return claims;
  }

  async function grantOf(claims: KeyClaims): Promise<{ claims: KeyClaims; grant: KeyGrant } | undefined> {
    const grant = await settings.apiKeys?.find(claims.tokenId);
    return grant && { claims, grant };
  }

  async function read(token: string): Promise<TokenClaims | undefined> {
    const claims = await current(token);
    return claims?.kind === 'user' ? claims : undefined;
  }

  return {
    read,
    keySet: () => published,
    async readKey(token) {
      const claims = await current(token);
      return claims?.kind === 'key' ? await grantOf(claims) : undefined;
    },
    async issue(identity, limit = {}) {
      const iat = Math.floor(now().getTime() / 1000);
      const exp = Math.min(iat + settings.lifetime, limit.notAfter ?? Infinity);
      const token = await new SignJWT({
        email: identity.email,
        name: identity.name,
        preferred_username: identity.preferredUsername,
        user_id: identity.userId,
      })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(identity.userId ?? identity.email)
        .setJti(crypto.randomUUID())
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .sign(keys.signing);
      return { token, exp };
    },
    issueKey: ({ id, org, site, created, expires }) =>
      new SignJWT({ api_key: true })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(`${org}/${site ?? '*'}`)
        .setJti(id)
        .setIssuedAt(Math.floor(created.getTime() / 1000))
        .setExpirationTime(Math.floor(expires.getTime() / 1000))
        .sign(keys.signing),
    async verify(token) {
      const claims = await current(token);
      if (claims?.kind !== 'key') return claims && userOf(claims);
      const known = await grantOf(claims);
      return known && apiKeyUser(known.grant);
    },
    async revoke(token) {
      const claims = await read(token);
      if (claims === undefined) return;
      await revocations.revoke(claims.tokenId, claims.exp);
      remembered.delete(token);
    },
  };
}

function remember(remembered: Map<string, TokenClaims | KeyClaims>, token: string, claims: TokenClaims | KeyClaims): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(token, claims);
}
