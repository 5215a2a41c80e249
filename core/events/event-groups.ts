import type { OrgEvent } from '@repoless/contract/event.ts';

/** Problems with one cause: the repository, the check, the differing settings. */
export interface EventGroup {
  readonly key: string;
  /** One per problem, newest first; at least one. */
  readonly events: readonly [OrgEvent, ...OrgEvent[]];
}

/** Open and resolved problems by cause. Takes events in any order; for each problem the newest counts, for an open one its beginning. */
export function groupEvents(events: readonly OrgEvent[]): Readonly<Record<'open' | 'resolved', readonly EventGroup[]>> {
  const newest = events.toSorted((one, other) => other.id - one.id);
  return {
    open: grouped(newest.filter(({ open, phase }) => open && phase === 'began')),
    resolved: grouped(newest.filter(({ open }) => !open)),
  };
}

function grouped(newest: readonly OrgEvent[]): EventGroup[] {
  const known = new Set<string>();
  const groups = new Map<string, [OrgEvent, ...OrgEvent[]]>();
  for (const event of newest) {
    const problem = `${event.kind} ${event.cause}`;
    if (known.has(problem)) continue;
    known.add(problem);
    const key = keyOf(event);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups].map(([key, ofOne]) => ({ key, events: ofOne }));
}

/** What sites can have in common; a key, a rollout and a failed sync are each a separate problem. */
function keyOf({ kind, cause, about = '' }: OrgEvent): string {
  switch (kind) {
    case 'check-failed':
    case 'drift':
    case 'secret-ends':
    case 'certificate-ends':
      return `${kind} ${about}`;
    case 'sync-failed':
    case 'sync-silent':
    case 'expires-soon':
    case 'rollout-stopped':
      return `${kind} ${cause}`;
    default:
      return kind satisfies never;
  }
}
