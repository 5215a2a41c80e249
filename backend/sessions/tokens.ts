import { SITE_TOKEN_PREFIX, SITE_TOKEN_SECONDS } from '@repoless/contract/credentials.ts';
import type { SessionToken } from '@repoless/contract/session.ts';
import { createLocalJWKSet, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type ApiKeyCache, apiKeyUser } from '../access/api-key-cache.ts';
import { createChangeAwareCache } from '../domain/change-aware-cache.ts';
import type { KeyGrant, User } from '../domain/context.ts';
import type { Store, StoredApiKey } from '../domain/ports.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { SiteName } from '../sites/check-site.ts';
import { claimsOf, type Identity, type KeyClaims, personOf, type TokenClaims, userOf } from './identity.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

export interface TokenSettings {
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

export interface Tokens {
  /** Lifetime of a new token in seconds. */
  readonly lifetime: number;
  /** A new token; it expires after the lifetime, or at `notAfter` (seconds since 1970) if that is sooner. */
  issue(identity: Identity, limit?: { notAfter?: number }): Promise<SessionToken>;
  /** The value of an API key, which is valid while its row exists. */
  issueKey(key: Pick<StoredApiKey, 'id' | 'org' | 'site' | 'created' | 'expires'>): Promise<string>;
  /** The value of a stored site token, which is valid while it is stored: it is identified by its hash. */
  issueSiteToken(token: {
    readonly id: string;
    readonly owner: StoredOwner;
    readonly created: Date;
    readonly expires: Date;
  }): Promise<string>;
  /** Undefined for every token that is not valid now: malformed, foreign, expired, revoked. An API key is not a sign-in. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** The same for an API key. */
  readKey(token: string): Promise<{ claims: KeyClaims; grant: KeyGrant } | undefined>;
  /** Either of them as a caller. */
  verify(token: string): Promise<User | undefined>;
  /**
   * A site token of a session token's owner: it grants that person access to the guarded hosts of one site, while the person may read them,
   * and is not a credential for the service. It expires with the session (including sign-outs), and after a day. Undefined if the session
   * token is invalid.
   */
  issueForSite(token: string, site: SiteName): Promise<SessionToken | undefined>;
  /** The owner of a site token from `issueForSite`; undefined if it is invalid, or belongs to another site. */
  verifyForSite(token: string, site: SiteName): Promise<User | undefined>;
  /** From now on the token is invalid on every node. */
  revoke(token: string): Promise<void>;
  /** From now on all tokens issued to the person before are invalid, on every node; API keys stay valid. */
  endSessions(email: string): Promise<void>;
  /** The last time that this was done, in milliseconds since 1970; 0: never. */
  lastEnd(email: string): Promise<number>;
  keySet(): { keys: JWK[] };
}

/** The type of every token of the service; sign-ins and API keys are distinguished by their claims. */
const TYPE = 'JWT';
/** Verified tokens that are cached, so that a request needs no signature check. */
const REMEMBERED = 10_000;

/** Tokens of the service (docs/contract.md 4.7): JWT, ES256, issued by this service for itself. */
export function createTokens(settings: TokenSettings): Tokens {
  const { issuer, now, keys } = settings;
  const published = { keys: [...keys.published] };
  const verification = createLocalJWKSet(published);
  const revocations = createRevocations(settings);
  const ends = createSessionEnds(settings);
  const remembered = new LRUCache<string, TokenClaims | KeyClaims>({ max: REMEMBERED });

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
    const [revoked, ended] = await Promise.all([revocations.isRevoked(tokenId), ends.last(person)]);
    return revoked || issuedAfter < ended;
  }

  async function current(token: string, audience = issuer): Promise<TokenClaims | KeyClaims | undefined> {
    const key = remembering(token, audience);
    const claims = remembered.get(key) ?? (await check(token, audience));
    if (claims === undefined) return undefined;
    const isOver = claims.exp * 1000 <= now().getTime();
    if (isOver || (claims.kind === 'user' && (await isEnded(claims)))) {
      remembered.delete(key);
      return undefined;
    }
    if (!remembered.has(key)) remembered.set(key, claims);
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

  function signed(identity: Identity, { jti, iat, exp, issuedAfter, audience }: Issue): Promise<string> {
    return new SignJWT({
      ...(issuedAfter > 0 && { issued_after: issuedAfter }),
      email: identity.email,
      name: identity.name,
      preferred_username: identity.preferredUsername,
      user_id: identity.userId,
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: TYPE })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(identity.userId ?? identity.email)
      .setJti(jti)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(keys.signing);
  }

  return {
    lifetime: settings.lifetime,
    read,
    keySet: () => published,
    async readKey(token) {
      const claims = await current(token);
      return claims?.kind === 'key' ? await grantOf(claims) : undefined;
    },
    async issue(identity, limit = {}) {
      const iat = Math.floor(now().getTime() / 1000);
      const exp = Math.min(iat + settings.lifetime, limit.notAfter ?? Infinity);
      const issuedAfter = await ends.last(personOf(identity.email));
      const token = await signed(identity, { jti: crypto.randomUUID(), iat, exp, issuedAfter, audience: issuer });
      return { token, exp };
    },
    async issueForSite(token, site) {
      const claims = await read(token);
      if (claims === undefined) return undefined;
      const { identity, tokenId: jti, issuedAfter } = claims;
      const iat = Math.floor(now().getTime() / 1000);
      const exp = Math.min(iat + SITE_TOKEN_SECONDS, claims.exp);
      const value = await signed(identity, { jti, iat, exp, issuedAfter, audience: audienceOf(site) });
      return { token: `${SITE_TOKEN_PREFIX}${value}`, exp };
    },
    async verifyForSite(token, site) {
      if (!token.startsWith(SITE_TOKEN_PREFIX)) return undefined;
      const claims = await current(token.slice(SITE_TOKEN_PREFIX.length), audienceOf(site));
      return claims?.kind === 'user' ? userOf(claims) : undefined;
    },
    issueKey: ({ id, org, site, created, expires }) =>
      new SignJWT({ api_key: true })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(`${org}/${site ?? '*'}`)
        .setJti(id)
        .setIssuedAt(Math.floor(created.getTime() / 1000))
        .setExpirationTime(Math.floor(expires.getTime() / 1000))
        .sign(keys.signing),
    async issueSiteToken({ id, owner, created, expires }) {
      const value = await new SignJWT({ site_token: true })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audienceOf(owner))
        .setJti(id)
        .setIssuedAt(Math.floor(created.getTime() / 1000))
        .setExpirationTime(Math.floor(expires.getTime() / 1000))
        .sign(keys.signing);
      return `${SITE_TOKEN_PREFIX}${value}`;
    },
    async verify(token) {
      const claims = await current(token);
      if (claims?.kind !== 'key') return claims && userOf(claims);
      const known = await grantOf(claims);
      return known && { ...apiKeyUser(known.grant), claims };
    },
    async revoke(token) {
      const claims = await read(token);
      if (claims === undefined) return;
      await revocations.revoke(claims.tokenId, claims.exp);
      remembered.delete(remembering(token, issuer));
    },
    endSessions: (email) => ends.end(personOf(email)),
    lastEnd: (email) => ends.last(personOf(email)),
  };
}

interface Issue {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly issuedAfter: number;
  readonly audience: string;
}

/** The audience of a site token; never an address of the service, whose own tokens have that. */
function audienceOf({ org, site }: SiteName): string {
  return `${site}--${org}`;
}

/** A token verified for one audience is not valid for another. */
function remembering(token: string, audience: string): string {
  return `${audience} ${token}`;
}

/** When all sessions of a person were ended. People are given by `personOf`. */
interface SessionEnds {
  /** The last time, in milliseconds since 1970; 0 if never. Tokens issued before it are invalid. */
  last(person: string): Promise<number>;
  end(person: string): Promise<void>;
}

function createSessionEnds({ store, now }: Pick<TokenSettings, 'store' | 'now'>): SessionEnds {
  const kept = createChangeAwareCache<number>({ now, read: (person) => store.sessionEnds.last(person) });
  store.onTokenChange(kept.forget);
  return {
    last: kept.get,
    end: (person) => store.sessionEnds.end(person, now()),
  };
}

interface Revocations {
  isRevoked(tokenId: string): Promise<boolean>;
  /** `exp`: when the token expires anyway, in seconds since 1970. */
  revoke(tokenId: string, exp: number): Promise<void>;
}

/** Which tokens are revoked. */
function createRevocations({ store, now }: Pick<TokenSettings, 'store' | 'now'>): Revocations {
  const read = async (tokenId: string) => (await store.shortLived.get('revoked-token', tokenId)) !== undefined;
  const kept = createChangeAwareCache<boolean>({ now, read });
  store.onTokenChange(kept.forget);
  return {
    isRevoked: kept.get,
    revoke: (tokenId, exp) => store.shortLived.put('revoked-token', tokenId, true, new Date(exp * 1000)),
  };
}
