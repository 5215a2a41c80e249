import type { CreatedSubscription, EventDelivery, EventList, OrgEvent, Subscription, SubscriptionInput } from '@repoless/contract/event.ts';
import { anyOf, type Failure, failureUnlessMissing, type Known } from '../situation/call.ts';

/** Problems of an organization's sites, and who is notified. Nothing throws: failures are in the answer. */
export interface EventsPort {
  /** The newest events, and all open problems. Missing: the service records none, or there is no such organization. */
  list(org: string): Promise<Known<Pick<EventList, 'events' | 'unread'>>>;
  /** Marks the events up to this one as read by the caller. */
  read(org: string, upTo: OrgEvent['id']): Promise<Known<unknown>>;
  subscriptions(org: string): Promise<Known<readonly Subscription[]>>;
  subscribe(org: string, subscription: SubscriptionInput): Promise<Known<CreatedSubscription>>;
  unsubscribe(org: string, id: string): Promise<Known<unknown>>;
  sendTest(org: string, id: string): Promise<Known<unknown>>;
  /** The messages to a subscription, and their state; newest first. */
  deliveries(org: string, id: string): Promise<Known<readonly EventDelivery[]>>;
  resend(org: string, id: string, message: string): Promise<Known<unknown>>;
}

/** Removes a recipient. Returns why it failed; undefined if it no longer exists. After a lost answer, the list decides. */
export async function unsubscribe(
  port: Pick<EventsPort, 'unsubscribe' | 'subscriptions'>,
  org: string,
  id: string,
): Promise<Failure | undefined> {
  const answer = await port.unsubscribe(org, id);
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  return failureUnlessMissing(failure, async () => anyOf(await port.subscriptions(org), (one) => one.id === id));
}

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
