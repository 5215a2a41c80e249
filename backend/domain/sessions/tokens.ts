import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { SessionToken } from '#contract/session.ts';
import type { User } from '../caller.ts';
import type { Store } from '../ports.ts';
import { namesOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { createRevocations } from './revocations.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface TokenSettings {
  readonly keys: SigningKeys;
  /** The public address of the service: issuer and audience of its tokens. */
  readonly issuer: string;
  /** Seconds. */
  readonly lifetime: number;
  readonly store: Pick<Store, 'shortLived'>;
  now(): Date;
}

/** What a valid token says. Times are seconds since 1970. */
export interface TokenClaims {
  readonly identity: Identity;
  readonly tokenId: string;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}

export interface Tokens {
  /** A new token; it ends after the lifetime, or at `notAfter` (seconds since 1970) where that is sooner. */
  issue(identity: Identity, limit?: { notAfter?: number }): Promise<SessionToken>;
  /** Undefined for every token that is not good now: broken, foreign, expired, revoked. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** `read` as a caller. */
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
  const remembered = new Map<string, TokenClaims>();

  async function check(token: string): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, verification, {
        issuer,
        audience: issuer,
        algorithms: [SIGNING_ALGORITHM],
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: now(),
      });
      return printed(Payload.parse(payload));
    } catch {
      return undefined;
    }
  }

  async function read(token: string): Promise<TokenClaims | undefined> {
    const claims = remembered.get(token) ?? (await check(token));
    if (claims === undefined) return undefined;
    if (claims.exp * 1000 <= now().getTime() || (await revocations.isRevoked(claims.tokenId))) {
      remembered.delete(token);
      return undefined;
    }
    if (!remembered.has(token)) remember(remembered, token, claims);
    return claims;
  }

  return {
    read,
    keySet: () => published,
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
    async verify(token) {
      const claims = await read(token);
      return claims && userOf(claims);
    },
    async revoke(token) {
      const claims = await read(token);
      if (claims === undefined) return;
      await revocations.revoke(claims.tokenId, claims.exp);
      remembered.delete(token);
    },
  };
}

const Payload = z.object({
  email: z.string().min(1),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  jti: z.string().min(1),
  iss: z.string(),
  iat: z.number(),
  exp: z.number(),
});

function printed({ jti, iss, iat, exp, ...claims }: z.infer<typeof Payload>): TokenClaims {
  const identity: Identity = {
    email: claims.email,
    ...(claims.name !== undefined && { name: claims.name }),
    ...(claims.preferred_username !== undefined && { preferredUsername: claims.preferred_username }),
    ...(claims.user_id !== undefined && { userId: claims.user_id }),
  };
  return { identity, tokenId: jti, iss, iat, exp };
}

function userOf({ identity, tokenId }: TokenClaims): User {
  return {
    kind: 'user',
    email: identity.email,
    ...(identity.name !== undefined && { name: identity.name }),
    names: namesOf(identity),
    tokenId,
    credential: 'header',
  };
}

function remember(remembered: Map<string, TokenClaims>, token: string, claims: TokenClaims): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(token, claims);
}
