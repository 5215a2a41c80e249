import { createHash, timingSafeEqual } from 'node:crypto';
import type { Store } from '../ports.ts';
import type { SiteName } from '../sites/check-site.ts';

export interface KnownSecrets {
  /** Whether a value is that of a generated secret of the site, one of those named. */
  isOneOf(site: SiteName, names: readonly string[], value: string): Promise<boolean>;
}

/** After this time the store is asked again, in milliseconds; a change that is announced counts at once. */
const TRUST = 5_000;
const REMEMBERED = 10_000;

interface Known {
  readonly since: number;
  /** Hashes of the generated secrets by their names. */
  readonly hashes: Promise<ReadonlyMap<string, Buffer>>;
}

/** The hashes of generated secrets by site, so that a request costs no round trip. */
export function createKnownSecrets(settings: {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'onChangesMissed'>;
  now(): Date;
}): KnownSecrets {
  const { store, now } = settings;
  const known = new Map<string, Known>();
  store.onSiteChange((org, site) => known.delete(`${org}/${site}`));
  store.onChangesMissed(() => known.clear());

  async function hashesOf({ org, site }: SiteName): Promise<ReadonlyMap<string, Buffer>> {
    const key = `${org}/${site}`;
    const since = now().getTime();
    const remembered = known.get(key);
    if (remembered !== undefined && since - remembered.since < TRUST) return await remembered.hashes;
    const entry: Known = { since, hashes: readHashes(store.reads, { org, site }) };
    note(known, key, entry);
    try {
      return await entry.hashes;
    } catch (error) {
      if (known.get(key) === entry) known.delete(key);
      throw error;
    }
  }

  return {
    async isOneOf(site, names, value) {
      if (names.length === 0) return false;
      const hashes = await hashesOf(site);
      const given = createHash('sha256').update(value).digest();
      const same = names.map((name) => isSame(hashes.get(name), given));
      return same.includes(true);
    },
  };
}

async function readHashes(reads: Store['reads'], { org, site }: SiteName): Promise<ReadonlyMap<string, Buffer>> {
  const secrets = await reads.secrets(org, site);
  const hashed = secrets.filter(({ type }) => type === 'hashed');
  return new Map(hashed.map(({ name, sealed }) => [name, Buffer.from(sealed, 'base64url')]));
}

function isSame(hash: Buffer | undefined, given: Buffer): boolean {
  return hash?.length === given.length && timingSafeEqual(hash, given);
}

function note(known: Map<string, Known>, key: string, entry: Known): void {
  known.delete(key);
  const [oldest] = known.keys();
  if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest);
  known.set(key, entry);
}
