import type { Profile } from '@repoless/contract/session.ts';
import { apiKeyName } from '../access/api-key-user.ts';
import type { Caller, KeyGrant } from '../domain/caller.ts';
import type { KeyClaims, TokenClaims } from './identity.ts';

/** What the holder of a token is told of it. */
export function profileOf(claims: TokenClaims, now: Date): Profile {
  const { email, name, preferredUsername, userId } = claims.identity;
  return {
    email,
    ...(name !== undefined && { name }),
    ...(preferredUsername !== undefined && { preferred_username: preferredUsername }),
    ...(userId !== undefined && { user_id: userId }),
    ...timesOf(claims, now),
  };
}

/** The same of an API key, with what it is good for. */
export function keyProfileOf(claims: KeyClaims, { id, org, site, roles }: KeyGrant, now: Date): Profile {
  return { email: apiKeyName(id), ...timesOf(claims, now), apiKey: { id, subject: `${org}/${site ?? '*'}`, roles: [...roles] } };
}

/** Whoever makes a call, without the time that is left; undefined where nobody shows a token. */
export function callerProfile(caller: Caller, now: Date): Omit<Profile, 'ttl'> | undefined {
  if (caller.kind === 'anonymous' || caller.claims === undefined) return undefined;
  const { claims, key } = caller;
  const profile = claims.kind === 'user' ? profileOf(claims, now) : key && keyProfileOf(claims, key, now);
  if (profile === undefined) return undefined;
  const { ttl: _ttl, ...kept } = profile;
  return kept;
}

function timesOf({ iss, iat, exp }: TokenClaims | KeyClaims, now: Date) {
  return { iss, iat, exp, ttl: exp - Math.floor(now.getTime() / 1000) };
}
