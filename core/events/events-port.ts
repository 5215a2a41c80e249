import type { CreatedSubscription, EventDelivery, EventList, OrgEvent, Subscription, SubscriptionInput } from '@repoless/contract/event.ts';
import { anyOf, failureUnlessMissing } from '../run/failures.ts';
import type { Failure, Known } from '../situation/situation.ts';

/** What goes wrong in an organization's sites, and who is told. Nothing throws: what went wrong is in the answer. */
export interface EventsPort {
  /** The newest events, and all of what is still wrong. Missing: the service records none, or there is no such organization. */
  list(org: string): Promise<Known<Pick<EventList, 'events' | 'unread'>>>;
  /** Marks the events up to one as read, for the caller. */
  read(org: string, upTo: OrgEvent['id']): Promise<Known<unknown>>;
  subscriptions(org: string): Promise<Known<readonly Subscription[]>>;
  subscribe(org: string, subscription: SubscriptionInput): Promise<Known<CreatedSubscription>>;
  unsubscribe(org: string, id: string): Promise<Known<unknown>>;
  /** Sends a message that tells of nothing. */
  sendTest(org: string, id: string): Promise<Known<unknown>>;
  /** What was sent to a subscription, and what became of it; newest first. */
  deliveries(org: string, id: string): Promise<Known<readonly EventDelivery[]>>;
  sendAgain(org: string, id: string, message: string): Promise<Known<unknown>>;
}

/** Removes a recipient. Out: why not, undefined where it is not there any more: an answer that was lost is looked for. */
export async function unsubscribe(
  port: Pick<EventsPort, 'unsubscribe' | 'subscriptions'>,
  org: string,
  id: string,
): Promise<Failure | undefined> {
  const answer = await port.unsubscribe(org, id);
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  return failureUnlessMissing(failure, async () => anyOf(await port.subscriptions(org), (one) => one.id === id));
}
