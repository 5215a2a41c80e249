import type { Area, Change } from './change.ts';
import { below, fieldChanges, listChanges, otherChanges } from './describe-parts.ts';
import type { Pair } from './describe-parts.ts';
import { keysOf } from './json-place.ts';

const PARTS = ['secrets', 'apiKeys', 'tokens', 'features', 'limits', 'editor'] as const;
export const OPAQUE_PARTS: readonly string[] = [...PARTS, 'events', 'registry'];

/** Credentials that a document names, and what it has beside what acts here: which came and went, and what of those that stay is another. */
export function describeOpaqueParts(pair: Pair): Change[] {
  return [
    ...PARTS.flatMap((part) => {
      const members = below(pair, part);
      const [old, next] = [keysOf(members.before).toSorted(), keysOf(members.after).toSorted()];
      const area: Area = part === 'apiKeys' || part === 'secrets' || part === 'tokens' ? 'access' : 'other';
      const stay = old.filter((name) => next.includes(name));
      return [
        ...listChanges({ area, pointer: `/${part}`, list: part }, old, next),
        ...stay.flatMap((name) => otherChanges(area, [part, name], below(members, name))),
      ];
    }),
    ...fieldChanges({ area: 'other', pointer: '/events/github/target', field: 'eventTarget' }, below(pair, 'events', 'github', 'target')),
    ...fieldChanges({ area: 'other', pointer: '/registry', field: 'registry' }, below(pair, 'registry')),
  ];
}
