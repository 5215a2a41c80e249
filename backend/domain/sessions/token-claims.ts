import { z } from 'zod';
import type { User } from '../caller.ts';
import { namesOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { personOf } from './session-ends.ts';

/** What a valid token says. Times are seconds since 1970. */
export interface TokenClaims {
  readonly kind: 'user';
  readonly identity: Identity;
  readonly tokenId: string;
  /** Whose it is, see `personOf`. */
  readonly person: string;
  /** The last end of all sessions of the person when it was issued, in milliseconds since 1970; 0: there was none. */
  readonly issuedAfter: number;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}

/** What a valid API key says; what it is good for is in its row alone. */
export interface KeyClaims {
  readonly kind: 'key';
  /** The identifier of the key. */
  readonly tokenId: string;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}

const registered = { jti: z.string().min(1), iss: z.string(), iat: z.number(), exp: z.number() };
const KeyPayload = z.object({ ...registered, api_key: z.literal(true) });
const UserPayload = z.object({
  ...registered,
  api_key: z.never().optional(),
  email: z.string().min(1),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  issued_after: z.number().int().optional(),
});
const Payload = z.union([KeyPayload, UserPayload]);

/** Reads the payload of a token whose signature is checked. Throws where it is of neither form. */
export function claimsOf(payload: unknown): TokenClaims | KeyClaims {
  const { jti: tokenId, iss, iat, exp, ...claims } = Payload.parse(payload);
  if (claims.api_key === true) return { kind: 'key', tokenId, iss, iat, exp };
  const identity: Identity = {
    email: claims.email,
    ...(claims.name !== undefined && { name: claims.name }),
    ...(claims.preferred_username !== undefined && { preferredUsername: claims.preferred_username }),
    ...(claims.user_id !== undefined && { userId: claims.user_id }),
  };
  const issuedAfter = claims.issued_after ?? 0;
  return { kind: 'user', identity, tokenId, person: personOf(identity.email), issuedAfter, iss, iat, exp };
}

export function userOf({ identity, tokenId }: TokenClaims): User {
  return {
    kind: 'user',
    email: identity.email,
    ...(identity.name !== undefined && { name: identity.name }),
    names: namesOf(identity),
    tokenId,
    credential: 'header',
  };
}
