import { createHash, timingSafeEqual } from 'node:crypto';
import { createChangeAwareCache } from '../change-aware-cache.ts';
import type { Store } from '../ports.ts';
import type { SiteName } from '../sites/check-site.ts';

export interface SecretHashCache {
  /** Whether a value is that of a generated secret of the site, one of those named, that has not ended. */
  isOneOf(site: SiteName, names: readonly string[], value: string): Promise<boolean>;
}

/** The hashes of generated secrets by site. */
export function createSecretHashCache(settings: {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'onChangesMissed' | 'isHearing'>;
  now(): Date;
}): SecretHashCache {
  const { store, now } = settings;
  const kept = createChangeAwareCache({ store, now, read: (place) => readHashes(store.reads, place) });
  store.onSiteChange((org, site) => kept.forget(`${org}/${site}`));
  return {
    async isOneOf({ org, site }, names, value) {
      if (names.length === 0) return false;
      const secrets = await kept.get(`${org}/${site}`);
      const given = createHash('sha256').update(value).digest();
      const good = names.map((name) => isGood(secrets.get(name), now()) && isSame(secrets.get(name)?.hash, given));
      return good.includes(true);
    },
  };
}

interface HashedSecret {
  readonly hash: Buffer;
  readonly expires: Date | undefined;
}

/** In: `<org>/<site>`. Out: hashes by the names of the secrets. */
async function readHashes(reads: Store['reads'], place: string): Promise<ReadonlyMap<string, HashedSecret>> {
  const [org = '', site = ''] = place.split('/');
  const secrets = await reads.secrets(org, site);
  const hashed = secrets.filter(({ type }) => type === 'hashed');
  return new Map(hashed.map(({ name, sealed, expires }) => [name, { hash: Buffer.from(sealed, 'base64url'), expires }]));
}

function isGood(secret: HashedSecret | undefined, now: Date): boolean {
  return secret?.expires === undefined || secret.expires > now;
}

function isSame(hash: Buffer | undefined, given: Buffer): boolean {
  return hash?.length === given.length && timingSafeEqual(hash, given);
}
