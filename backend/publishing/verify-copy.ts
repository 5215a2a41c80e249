import type { CopyPlace, PublishStore, SiteName } from '#backend/domain/publishing/ports.ts';
import { objectKey, siteOfKey, TIERS } from './object-key.ts';
import { isSame, publishedObject } from './published-objects.ts';

export interface CopyDifference {
  readonly site: SiteName;
  readonly key: string;
  readonly what: 'is missing' | 'differs' | 'should not be there';
}

interface Compared {
  readonly queue: Pick<PublishStore, 'sites' | 'document' | 'unknown'>;
  readonly place: CopyPlace;
}

/** Compares the whole copy with what is stored, byte for byte, a page at a time. Out: how many sites were compared, and what differs. */
export async function* verifyCopy(compared: Compared): AsyncGenerator<{ readonly sites: number; readonly differences: CopyDifference[] }> {
  const { queue, place } = compared;
  for (let after: SiteName = { org: '', site: '' }; ;) {
    const sites = await queue.sites(after, PAGE);
    const differences = await Promise.all(sites.map((site) => differencesOf(compared, site)));
    yield { sites: sites.length, differences: differences.flat() };
    const last = sites.at(-1);
    if (last === undefined || sites.length < PAGE) break;
    after = last;
  }
  for (let after = ''; ;) {
    const { keys, hasMore } = await place.keys(after, KEYS);
    const unknown = new Set((await queue.unknown(keys.flatMap((key) => siteOfKey(key) ?? []))).map(({ org, site }) => `${org}/${site}`));
    const differences = keys.flatMap((key): CopyDifference[] => {
      const site = siteOfKey(key);
      return site !== undefined && unknown.has(`${site.org}/${site.site}`) ? [{ site, key, what: 'should not be there' }] : [];
    });
    yield { sites: 0, differences };
    const last = keys.at(-1);
    if (last === undefined || !hasMore) return;
    after = last;
  }
}

async function differencesOf({ queue, place }: Compared, site: SiteName): Promise<CopyDifference[]> {
  const keys = TIERS.map((tier) => ({ tier, key: objectKey(tier, site) }));
  const present = await Promise.all(keys.map(({ key }) => place.read(key)));
  const found = await queue.document(site);
  return keys.flatMap(({ tier, key }, index): CopyDifference[] => {
    const [object, there] = [publishedObject(found, site, tier), present[index]];
    if (object === undefined) return there === undefined ? [] : [{ site, key, what: 'should not be there' }];
    if (there === undefined) return [{ site, key, what: 'is missing' }];
    return isSame(object, there) ? [] : [{ site, key, what: 'differs' }];
  });
}

const PAGE = 16;
const KEYS = 1000;
