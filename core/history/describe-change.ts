import { hidePair } from './cdn-credentials.ts';
import type { Change } from './change.ts';
import { describeAccess } from './describe-access.ts';
import { describeDelivery } from './describe-delivery.ts';
import { below, fieldChanges, otherChanges } from './describe-parts.ts';
import type { Pair } from './describe-parts.ts';
import { describeOpaqueParts, OPAQUE_PARTS } from './describe-opaque-parts.ts';
import { describeSources } from './describe-sources.ts';
import type { StoredDocument } from './history-port.ts';
import { without } from './json-place.ts';
import { undescribedChanges } from './undescribed-changes.ts';

/** Set by the service itself at every write, or with messages of their own above. */
const SERVER_SET = ['version', 'created', 'lastModified', 'name'];
const DESCRIBED = ['access', 'users', 'groups', 'public', 'headers', 'folders', 'robots', 'query', 'sitemap', 'cdn', 'content', 'code'];
const SIMPLE = ['extends', 'title', 'description'];

/**
 * What differs between two configurations, the weightiest first. In: null is a removal; `before` undefined: there was
 * nothing before. Out: at least one change, without the value of a credential; `same` where only what the service sets by itself differs.
 */
export function describeChange(before: StoredDocument | null | undefined, after: StoredDocument | null): Change[] {
  if (after === null) return [whole(before === null ? 'same' : 'removed')];
  if (before === undefined || before === null) return [whole(before === null ? 'returned' : 'created'), ...told(hidePair({}, after))];
  const changes = told(hidePair(before, after));
  return changes.length === 0 ? [whole('same')] : changes;
}

function told(pair: Pair): Change[] {
  const described = describe(pair);
  return [...described, ...undescribedChanges(pair, described)];
}

function describe(pair: Pair): Change[] {
  const left = (value: unknown) => without(value, ...SERVER_SET, ...DESCRIBED, ...OPAQUE_PARTS, ...SIMPLE);
  return [
    ...describeAccess(pair),
    ...describeDelivery(pair),
    ...describeSources(pair),
    ...describeOpaqueParts(pair),
    ...fieldChanges({ area: 'other', pointer: '/extends/profile', field: 'profile' }, below(pair, 'extends', 'profile')),
    ...fieldChanges({ area: 'other', pointer: '/title', field: 'title' }, below(pair, 'title')),
    ...fieldChanges({ area: 'other', pointer: '/description', field: 'description' }, below(pair, 'description')),
    ...otherChanges('other', [], { before: left(pair.before), after: left(pair.after) }),
  ];
}

function whole(kind: 'created' | 'returned' | 'removed' | 'same'): Change {
  return { kind, area: 'whole', pointer: '' };
}
