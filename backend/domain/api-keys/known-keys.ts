import type { KeyGrant } from '../caller.ts';
import type { Store } from '../ports.ts';

export interface KnownKeys {
  /** What a key is good for now; undefined where it is revoked, expired, or went with its site. */
  find(id: string): Promise<KeyGrant | undefined>;
  /** From now on the key is none here, and within seconds on every other node. */
  forget(id: string): void;
}

/** After this time the store is asked again: how long another node may still take a revoked key, in milliseconds. */
const TRUST = 5_000;
const REMEMBERED = 10_000;

interface Known {
  readonly grant: KeyGrant;
  readonly expires: number;
  readonly since: number;
}

/** Which API keys there are; asks the store once in five seconds for each key that is used, so that a request costs no round trip. */
export function createKnownKeys({ store, now }: { store: Pick<Store, 'reads' | 'onSiteChange'>; now(): Date }): KnownKeys {
  const known = new Map<string, Known>();
  const revokedHere = new Map<string, number>();
  const ofSites = new Map<string, Set<string>>();

  store.onSiteChange((org, site) => {
    for (const id of ofSites.get(place(org, site)) ?? []) known.delete(id);
    ofSites.delete(place(org, site));
  });

  async function read(id: string, since: number): Promise<Known | undefined> {
    const row = await store.reads.apiKey(id);
    if (row === undefined || revokedHere.has(id)) return undefined;
    const { org, site, roles, expires } = row;
    const grant: KeyGrant = { id, org, roles, ...(site !== undefined && { site }) };
    const entry = { grant, expires: expires.getTime(), since };
    note(known, id, entry);
    if (site !== undefined) ofSites.set(place(org, site), (ofSites.get(place(org, site)) ?? new Set()).add(id));
    return entry;
  }

  return {
    async find(id) {
      const asked = now().getTime();
      if (revokedHere.has(id)) return undefined;
      const remembered = known.get(id);
      const entry = remembered !== undefined && asked - remembered.since < TRUST ? remembered : await read(id, asked);
      return entry === undefined || entry.expires <= asked ? undefined : entry.grant;
    },
    forget(id) {
      const time = now().getTime();
      for (const [one, since] of revokedHere) if (time - since > 2 * TRUST) revokedHere.delete(one);
      revokedHere.set(id, time);
      known.delete(id);
    },
  };
}

function note(known: Map<string, Known>, id: string, entry: Known): void {
  known.delete(id);
  const [oldest] = known.keys();
  if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest);
  known.set(id, entry);
}

function place(org: string, site: string): string {
  return `${org}/${site}`;
}
