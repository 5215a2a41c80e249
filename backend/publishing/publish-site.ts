import type { Tier } from '#contract/addresses.ts';
import type { CopyPlace, PublishStore, SiteName } from '#backend/domain/publishing/ports.ts';
import { objectKey, TIERS } from './object-key.ts';
import { isSame, publishedObject } from './published-objects.ts';

export interface Publishing {
  readonly store: Pick<PublishStore, 'document'>;
  readonly place: CopyPlace;
}

/** What became of the copy of a host. */
export type Published = 'written' | 'removed' | 'unchanged';

/**
 * Makes the copy of a site what is stored now. In: a signal that ends it in time. Where somebody else wrote meanwhile, what is stored is
 * read again: the newest wins, whoever writes it. What was begun counts as done, whatever is found afterwards: a call whose answer was lost
 * is repeated below, and its repetition meets what it did itself as something of others. Rejects where storage or place do not respond.
 */
export async function publishSite({ store, place }: Publishing, site: SiteName, signal: AbortSignal): Promise<Published[]> {
  const begun: Begun = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const published = await publishOnce({ store, place }, site, begun, signal);
    if (published !== undefined) return published;
  }
  throw new Error('Other nodes keep writing the same objects.');
}

type Begun = Map<Tier, 'written' | 'removed'>;

/** Undefined where somebody else wrote meanwhile. */
async function publishOnce(
  { store, place }: Publishing,
  site: SiteName,
  begun: Begun,
  signal: AbortSignal,
): Promise<Published[] | undefined> {
  const present = await Promise.all(TIERS.map((tier) => place.read(objectKey(tier, site), signal)));
  // Read behind the objects: what is written over one of them is newer than it.
  const found = await store.document(site);
  const ended = await Promise.all(
    TIERS.map(async (tier, index): Promise<Published | undefined> => {
      const [key, object, there] = [objectKey(tier, site), publishedObject(found, site, tier), present[index]];
      if (object === undefined) {
        if (there === undefined) return begun.get(tier) ?? 'unchanged';
        begun.set(tier, 'removed');
        return (await place.remove(key, there.tag, signal)) ? 'removed' : undefined;
      }
      if (there !== undefined && isSame(object, there)) return begun.get(tier) ?? 'unchanged';
      begun.set(tier, 'written');
      return (await place.write(key, object, there?.tag, signal)) ? 'written' : undefined;
    }),
  );
  const known = ended.filter((one) => one !== undefined);
  return known.length === ended.length ? known : undefined;
}

const ATTEMPTS = 5;
