import { SITE_TOKEN_PREFIX, SITE_TOKEN_SECONDS } from '@repoless/contract/credentials.ts';
import type { SessionToken } from '@repoless/contract/session.ts';
import { createLocalJWKSet, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { createChangeAwareCache } from '../domain/change-aware-cache.ts';
import type { Store, StoredApiKey } from '../domain/ports.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { SiteName } from '../sites/check-site.ts';
import {
  apiKeyUser,
  claimsOf,
  type Identity,
  type KeyClaims,
  type KeyGrant,
  personOf,
  type TokenClaims,
  type User,
  userOf,
} from './identity.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

interface TokenSettings {
  readonly keys: SigningKeys;
  /** The public address of the service: issuer and audience of its tokens. */
  readonly issuer: string;
  /** Seconds. */
  readonly lifetime: number;
  readonly store: Pick<Store, 'shortLived' | 'sessionEnds' | 'onTokenChange'>;
  /** Omitted: no API key is accepted. */
  readonly apiKeys?: Pick<ApiKeyCache, 'find'>;
  now(): Date;
}

/** The type of every token of the service; sign-ins and API keys are distinguished by their claims. */
const TYPE = 'JWT';
/** Verified tokens that are cached, so that a request needs no signature check. */
const REMEMBERED = 10_000;

export type Tokens = ReturnType<typeof createTokens>;

/** Tokens of the service (docs/contract.md 4.7): JWT, ES256, issued by this service for itself. */
export function createTokens({ keys, issuer, lifetime, store, apiKeys, now }: TokenSettings) {
  const published = { keys: [...keys.published] };
  const verification = createLocalJWKSet(published);
  const revocations = createChangeAwareCache<boolean>({
    now,
    read: async (tokenId) => (await store.shortLived.get('revoked-token', tokenId)) !== undefined,
  });
  const lastEnds = createChangeAwareCache<number>({ now, read: (person) => store.sessionEnds.last(person) });
  store.onTokenChange(revocations.invalidate);
  store.onTokenChange(lastEnds.invalidate);
  const verified = new LRUCache<string, TokenClaims | KeyClaims>({ max: REMEMBERED });

  async function check(token: string, audience: string): Promise<TokenClaims | KeyClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, verification, {
        issuer,
        audience,
        algorithms: [SIGNING_ALGORITHM],
        typ: TYPE,
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: now(),
      });
      return claimsOf(payload);
    } catch {
      return undefined;
    }
  }

  async function isEnded({ tokenId, person, issuedAfter }: TokenClaims): Promise<boolean> {
    const [revoked, ended] = await Promise.all([revocations.get(tokenId), lastEnds.get(person)]);
    return revoked || issuedAfter < ended;
  }

  async function current(token: string, audience = issuer): Promise<TokenClaims | KeyClaims | undefined> {
    const key = verifiedFor(token, audience);
    const claims = verified.get(key) ?? (await check(token, audience));
    if (claims === undefined) return undefined;
    const isExpired = claims.exp * 1000 <= now().getTime();
    if (isExpired || (claims.kind === 'user' && (await isEnded(claims)))) {
      verified.delete(key);
      return undefined;
    }
    if (!verified.has(key)) verified.set(key, claims);
    return claims;
  }

  async function grantOf(claims: KeyClaims): Promise<{ claims: KeyClaims; grant: KeyGrant } | undefined> {
    const grant = await apiKeys?.find(claims.tokenId);
    return grant && { claims, grant };
  }

  async function read(token: string): Promise<TokenClaims | undefined> {
    const claims = await current(token);
    return claims?.kind === 'user' ? claims : undefined;
  }

  function sign(payload: JWTPayload): Promise<string> {
    const header = { alg: SIGNING_ALGORITHM, kid: keys.kid, typ: TYPE };
    return new SignJWT({ iss: issuer, ...payload }).setProtectedHeader(header).sign(keys.signing);
  }

  function signFor(identity: Identity, issuedAfter: number, claims: JWTPayload): Promise<string> {
    return sign({
      ...claims,
      ...(issuedAfter > 0 && { issued_after: issuedAfter }),
      email: identity.email,
      name: identity.name,
      preferred_username: identity.preferredUsername,
      user_id: identity.userId,
      sub: identity.userId ?? identity.email,
    });
  }

  return {
    /** Of a new token, in seconds. */
    lifetime,
    /** Undefined for every token that is not valid now: malformed, foreign, expired, revoked. An API key is not a sign-in. */
    read,
    keySet: () => published,
    /** `read` for an API key. */
    async readKey(token: string): Promise<{ claims: KeyClaims; grant: KeyGrant } | undefined> {
      const claims = await current(token);
      return claims?.kind === 'key' ? await grantOf(claims) : undefined;
    },
    /** A new token; it expires after the lifetime, or at `notAfter` (seconds since 1970) if that is sooner. */
    async issue(identity: Identity, limit: { notAfter?: number } = {}): Promise<SessionToken> {
      const iat = inSeconds(now());
      const exp = Math.min(iat + lifetime, limit.notAfter ?? Infinity);
      const issuedAfter = await lastEnds.get(personOf(identity.email));
      const token = await signFor(identity, issuedAfter, { aud: issuer, jti: crypto.randomUUID(), iat, exp });
      return { token, exp };
    },
    /**
     * A site token of a session token's owner: it grants that person access to the guarded hosts of one site, while the person may read
     * them, and is not a credential for the service. It expires with the session, and after a day. Undefined if the session is invalid.
     */
    async issueForSite(token: string, site: SiteName): Promise<SessionToken | undefined> {
      const claims = await read(token);
      if (claims === undefined) return undefined;
      const { identity, tokenId: jti, issuedAfter } = claims;
      const iat = inSeconds(now());
      const exp = Math.min(iat + SITE_TOKEN_SECONDS, claims.exp);
      const value = await signFor(identity, issuedAfter, { aud: audienceOf(site), jti, iat, exp });
      return { token: `${SITE_TOKEN_PREFIX}${value}`, exp };
    },
    /** The owner of a site token from `issueForSite`; undefined if it is invalid, or belongs to another site. */
    async verifyForSite(token: string, site: SiteName): Promise<User | undefined> {
      if (!token.startsWith(SITE_TOKEN_PREFIX)) return undefined;
      const claims = await current(token.slice(SITE_TOKEN_PREFIX.length), audienceOf(site));
      return claims?.kind === 'user' ? userOf(claims) : undefined;
    },
    /** The value of an API key, which is valid while its row exists. */
    issueKey({ id, org, site, created, expires }: Omit<StoredApiKey, 'createdBy' | 'roles'>): Promise<string> {
      const times = { iat: inSeconds(created), exp: inSeconds(expires) };
      return sign({ api_key: true, aud: issuer, sub: `${org}/${site ?? '*'}`, jti: id, ...times });
    },
    /** The value of a stored site token, which is valid while it is stored: it is identified by its hash. */
    async issueSiteToken({ id, owner, created, expires }: NewSiteToken): Promise<string> {
      const times = { iat: inSeconds(created), exp: inSeconds(expires) };
      const value = await sign({ site_token: true, aud: audienceOf(owner), jti: id, ...times });
      return `${SITE_TOKEN_PREFIX}${value}`;
    },
    /** The caller of a token, or of an API key. */
    async verify(token: string): Promise<User | undefined> {
      const claims = await current(token);
      if (claims?.kind !== 'key') return claims && userOf(claims);
      const known = await grantOf(claims);
      return known && { ...apiKeyUser(known.grant), claims };
    },
    /** From now on the token is invalid on every node. */
    async revoke(token: string): Promise<void> {
      const claims = await read(token);
      if (claims === undefined) return;
      await store.shortLived.put('revoked-token', claims.tokenId, true, new Date(claims.exp * 1000));
      verified.delete(verifiedFor(token, issuer));
    },
    /** From now on all tokens issued to the person before are invalid, on every node; API keys stay valid. */
    endSessions: (email: string) => store.sessionEnds.end(personOf(email), now()),
    /** The last time that this was done, in milliseconds since 1970; 0: never. */
    lastEnd: (email: string) => lastEnds.get(personOf(email)),
  };
}

interface NewSiteToken {
  readonly id: string;
  readonly owner: StoredOwner;
  readonly created: Date;
  readonly expires: Date;
}

function inSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** The audience of a site token; never an address of the service, whose own tokens have that. */
function audienceOf({ org, site }: SiteName): string {
  return `${site}--${org}`;
}

/** A token verified for one audience is not valid for another. */
function verifiedFor(token: string, audience: string): string {
  return `${audience} ${token}`;
}

export interface ApiKeyCache {
  /** What a key currently grants; undefined if it is revoked, expired, or was removed with its site. */
  find(id: string): Promise<KeyGrant | undefined>;
}

interface CachedKey {
  readonly grant: KeyGrant;
  readonly expires: number;
}

export function createApiKeyCache({
  store,
  now,
}: {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'onTokenChange'>;
  now(): Date;
}): ApiKeyCache {
  const cache = createChangeAwareCache<CachedKey | undefined>({
    now,
    read: (id) => readKey(store.reads, id),
    groupOf: (key) => (key?.grant.site === undefined ? undefined : `${key.grant.org}/${key.grant.site}`),
  });
  store.onTokenChange(cache.invalidate);
  store.onSiteChange((org, site) => cache.invalidateGroup(`${org}/${site}`));
  return {
    async find(id) {
      const key = await cache.get(id);
      return key === undefined || key.expires <= now().getTime() ? undefined : key.grant;
    },
  };
}

async function readKey(reads: Store['reads'], id: string): Promise<CachedKey | undefined> {
  const row = await reads.apiKey(id);
  if (row === undefined) return undefined;
  const { org, site, roles, expires } = row;
  return { grant: { id, org, roles, ...(site !== undefined && { site }) }, expires: expires.getTime() };
}
