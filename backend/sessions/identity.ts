import type { RoleName } from '@repoless/contract/access.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { memoizePerDocument } from '../domain/documents.ts';

export const Identity = z.object({
  /** E-mail address, or the identifier of a technical account. */
  email: z.string().min(1),
  name: z.string().optional(),
  preferredUsername: z.string().optional(),
  userId: z.string().optional(),
});
export type Identity = z.infer<typeof Identity>;

/** What access lists are matched against: e-mail address, user id and preferred name, in lower case and without duplicates. */
export function namesOf(identity: Identity): readonly string[] {
  const names = [identity.email, identity.userId ?? '', identity.preferredUsername ?? ''].filter((name) => name !== '');
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** People are identified by their e-mail address, as in access lists; what is stored and announced about them is not an address. */
export function personOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}

const Claims = z.looseObject({
  sub: z.string().min(1).optional(),
  email: z.string().min(1).optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  preferred_username: z.string().min(1).optional(),
});

/** Undefined if the claims identify no one, or say that the e-mail address, which access lists are matched against, is not verified. */
export function identityOf(payload: unknown): Identity | undefined {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) return undefined;
  const { sub, email, email_verified: verified, name, preferred_username: preferred } = parsed.data;
  const address = email ?? preferred ?? sub;
  if (address === undefined || (email !== undefined && verified === false)) return undefined;
  return {
    email: address,
    ...(name !== undefined && { name }),
    ...(preferred !== undefined && { preferredUsername: preferred }),
    ...(sub !== undefined && { userId: sub }),
  };
}

/**
 * What an issuer may say about a person if it is limited to certain domains (in lower case): access lists have no issuers, so one could
 * name a person of another. Returns the identity with only the names in these domains, or undefined if the e-mail address is not.
 */
export function withinDomains({ email, name, ...others }: Identity, domains: readonly string[]): Identity | undefined {
  const isWithin = (one: string | undefined) => one !== undefined && domains.some((domain) => one.toLowerCase().endsWith(`@${domain}`));
  if (!isWithin(email)) return undefined;
  const { preferredUsername, userId } = others;
  return {
    email,
    ...(name !== undefined && { name }),
    ...(isWithin(preferredUsername) && { preferredUsername }),
    ...(isWithin(userId) && { userId }),
  };
}

/** The claims of a valid token. Times are seconds since 1970. */
export interface TokenClaims {
  readonly kind: 'user';
  readonly identity: Identity;
  readonly tokenId: string;
  /** Its owner, see `personOf`. */
  readonly person: string;
  /** The last time when all sessions of the person were ended before it was issued, in milliseconds since 1970; 0: never. */
  readonly issuedAfter: number;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a valid API key; only its row says what it grants. */
export interface KeyClaims {
  readonly kind: 'key';
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

/** The caller. An invalid, expired or revoked token counts as none. */
export type Caller = { readonly kind: 'anonymous' } | User;

export interface User {
  readonly kind: 'user';
  /** E-mail address from the identity provider, identifier of a technical account, or `api-key:<id>`. */
  readonly email: string;
  readonly name?: string;
  /** E-mail address in lower case, user id and preferred name: what access lists are matched against. An API key has none. */
  readonly names: readonly string[];
  /** `jti` of the token, for revocation. */
  readonly tokenId: string;
  /** How the caller authenticated; a browser's cookie is valid only for reads from the same origin. */
  readonly credential: 'header' | 'cookie';
  /** The caller is an API key: it has these roles for this owner, and nothing that lists or wildcards grant. */
  readonly key?: KeyGrant;
  /** The claims of its token. Absent if there is none, as for a rollout that continues on someone's behalf. */
  readonly claims?: TokenClaims | KeyClaims;
}

export interface KeyGrant {
  readonly id: string;
  readonly org: string;
  /** A site, or a profile (see `ownerKey`): the sites that extend it. Absent: valid for the organization and all of its sites. */
  readonly site?: string;
  readonly roles: readonly RoleName[];
}

/** Once for a token whose claims are cached. */
export const userOf = memoizePerDocument((claims: TokenClaims): User => {
  const { identity, tokenId } = claims;
  return {
    kind: 'user',
    email: identity.email,
    ...(identity.name !== undefined && { name: identity.name }),
    names: namesOf(identity),
    tokenId,
    credential: 'header',
    claims,
  };
});

export function requireUser(caller: Caller): User {
  if (caller.kind === 'user') return caller;
  throw notAuthenticated();
}

export function notAuthenticated(): Refusal {
  return new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'Sign in at /login, or send a valid token in the header "x-auth-token".',
  });
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/**
 * The share of concurrent work that a call uses: the caller's own. All API keys of an organization, which can create any number, share one.
 */
export function shareOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  return caller.key === undefined ? caller.email.toLowerCase() : `keys ${caller.key.org}`;
}

/** An API key as a caller. The audit trail and the list of versions name it by this e-mail address; no access list does. */
export function apiKeyUser(key: KeyGrant): User {
  return { kind: 'user', email: apiKeyName(key.id), names: [], tokenId: key.id, credential: 'header', key };
}

export function apiKeyName(id: string): string {
  return `api-key:${id}`;
}
