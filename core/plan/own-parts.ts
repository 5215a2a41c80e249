import { sameValue } from '@repoless/contract/same-value.ts';
import type { Site } from '@repoless/contract/site.ts';
import { at, isObject, keysOf } from '../history/json-place.ts';

/** A site as it is stored, and what holds for it: the same over the profile that it extends (docs/contract.md 3.12). */
export interface SiteConfigurations {
  /** What holds. Everything is judged, compared and verified by this. */
  readonly config: Site;
  /** What is stored, and all that is written. */
  readonly own: Site;
}

/**
 * What a site must store of a part so that `wanted` is effective: its own value if that is already so, and values keep coming from the profile;
 * else no more than differs. A list, and `code` and `content`, are the site's or the profile's as a whole. Takes the site's own part, the
 * effective one, and the wanted one. Returns undefined if the site needs nothing of its own.
 */
export function ownPart(part: string, own: unknown, held: unknown, wanted: unknown): unknown {
  return part === 'code' || part === 'content' ? (sameValue(held, wanted) ? own : wanted) : ownValue(own, held, wanted);
}

function ownValue(own: unknown, held: unknown, wanted: unknown): unknown {
  if (sameValue(held, wanted)) return own;
  if (!isObject(held) || !isObject(wanted) || (own !== undefined && !isObject(own))) return wanted;
  const entries = keysOf(own, wanted)
    .map((key) => [key, ownValue(at(own, key), at(held, key), at(wanted, key))] as const)
    .filter(([, value]) => value !== undefined);
  return own === undefined && entries.length === 0 ? undefined : Object.fromEntries(entries);
}
