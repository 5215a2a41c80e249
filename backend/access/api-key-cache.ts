import { createChangeAwareCache } from '../domain/change-aware-cache.ts';
import type { Store } from '../domain/ports.ts';
import type { KeyGrant, User } from '../sessions/identity.ts';

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
  store.onTokenChange(cache.forget);
  store.onSiteChange((org, site) => cache.forgetGroup(`${org}/${site}`));
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

/** An API key as a caller. The audit trail and the list of versions name it by this e-mail address; no access list does. */
export function apiKeyUser(key: KeyGrant): User {
  return { kind: 'user', email: apiKeyName(key.id), names: [], tokenId: key.id, credential: 'header', key };
}

export function apiKeyName(id: string): string {
  return `api-key:${id}`;
}
