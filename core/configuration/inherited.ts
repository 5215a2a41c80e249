import { sameValue } from '@repoless/contract/same-value.ts';
import { at, isObject, keysOf } from '../history/json-place.ts';

/**
 * What holds for a site and is not its own: it comes from the profile. In: a value of the site, and the same place of what holds for it.
 * Out: undefined where nothing does. Objects are laid over each other, and the headers of a path are united (docs/contract.md 3.12).
 */
export function inheritedOf(own: unknown, aggregate: unknown): unknown {
  if (own === undefined) return aggregate;
  if (isObject(own) && isObject(aggregate)) {
    const entries = keysOf(aggregate)
      .map((key) => [key, inheritedOf(at(own, key), at(aggregate, key))] as const)
      .filter(([, value]) => value !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  // Of two lists that are no union the site's own is all that holds.
  if (!Array.isArray(own) || !Array.isArray(aggregate) || aggregate.length <= own.length) return undefined;
  return aggregate.filter((entry) => !own.some((mine) => sameValue(mine, entry)));
}
