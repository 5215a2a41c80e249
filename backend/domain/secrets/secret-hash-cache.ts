import { createHash, timingSafeEqual } from 'node:crypto';
import { createChangeAwareCache } from '../change-aware-cache.ts';
import type { Store } from '../ports.ts';
import type { SiteName } from '../sites/check-site.ts';

export interface SecretHashCache {
  /** Whether a value is that of a generated secret of the site, one of those named. */
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
      const hashes = await kept.get(`${org}/${site}`);
      const given = createHash('sha256').update(value).digest();
      const same = names.map((name) => isSame(hashes.get(name), given));
      return same.includes(true);
    },
  };
}

/** In: `<org>/<site>`. Out: hashes by the names of the secrets. */
async function readHashes(reads: Store['reads'], place: string): Promise<ReadonlyMap<string, Buffer>> {
  const [org = '', site = ''] = place.split('/');
  const secrets = await reads.secrets(org, site);
  const hashed = secrets.filter(({ type }) => type === 'hashed');
  return new Map(hashed.map(({ name, sealed }) => [name, Buffer.from(sealed, 'base64url')]));
}

function isSame(hash: Buffer | undefined, given: Buffer): boolean {
  return hash?.length === given.length && timingSafeEqual(hash, given);
}
