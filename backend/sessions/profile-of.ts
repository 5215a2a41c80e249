import { hostReaders } from '@repoless/contract/access.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import type { Profile, SessionToken } from '@repoless/contract/session.ts';
import { apiKeyName } from '../access/api-key-cache.ts';
import { mayReadHost } from '../access/permit.ts';
import type { Caller } from '../domain/context.ts';
import type { Reads } from '../domain/ports.ts';
import type { SiteName } from '../sites/check-site.ts';
import type { KeyClaims, KeyGrant, TokenClaims } from './identity.ts';
import type { Tokens } from './tokens.ts';

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

/** The same for an API key, with what it grants. */
export function keyProfileOf(claims: KeyClaims, { id, org, site, roles }: KeyGrant, now: Date): Profile {
  return { email: apiKeyName(id), ...timesOf(claims, now), apiKey: { id, subject: `${org}/${site ?? '*'}`, roles: [...roles] } };
}

export function callerProfile(caller: Caller, now: Date): Omit<Profile, 'ttl'> | undefined {
  if (caller.kind === 'anonymous' || caller.claims === undefined) return undefined;
  const { claims, key } = caller;
  const profile = claims.kind === 'user' ? profileOf(claims, now) : key && keyProfileOf(claims, key, now);
  if (profile === undefined) return undefined;
  const { ttl: _ttl, ...rest } = profile;
  return rest;
}

function timesOf({ iss, iat, exp }: TokenClaims | KeyClaims, now: Date) {
  return { iss, iat, exp, ttl: exp - Math.floor(now.getTime() / 1000) };
}

/**
 * The site token that a signed-in person gets with the session: for the guarded hosts of a site. Takes the session token. Undefined if no
 * host of the site is guarded, if the person may read none of them, or if the session has ended.
 */
export async function siteTokenOf(
  tokens: Pick<Tokens, 'verify' | 'issueForSite'>,
  reads: Pick<Reads, 'orgAndSite'>,
  { session, org: name, site: siteName }: SiteName & { readonly session: string },
): Promise<SessionToken | undefined> {
  const user = await tokens.verify(session);
  const { org, site } = await reads.orgAndSite(name, siteName);
  if (user === undefined || site === undefined) return undefined;
  const mayRead = TIERS.some((tier) => {
    const readers = hostReaders(site.aggregate.access, tier);
    return readers !== undefined && mayReadHost(user, readers, { name, groups: org?.config.groups }, site.aggregate);
  });
  return mayRead ? await tokens.issueForSite(session, { org: name, site: siteName }) : undefined;
}

const TIERS: readonly Tier[] = ['preview', 'live'];
