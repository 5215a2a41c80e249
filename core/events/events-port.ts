import type { CreatedSubscription, EventDelivery, EventList, OrgEvent, Subscription, SubscriptionInput } from '@repoless/contract/event.ts';
import { anyOf, failureUnlessMissing } from '../run/failures.ts';
import type { Failure, Known } from '../situation/situation.ts';

/** Problems of an organization's sites, and who is notified. Nothing throws: failures are in the answer. */
export interface EventsPort {
  /** The newest events, and all open problems. Missing: the service records none, or there is no such organization. */
  list(org: string): Promise<Known<Pick<EventList, 'events' | 'unread'>>>;
  /** Marks the events up to this one as read by the caller. */
  read(org: string, upTo: OrgEvent['id']): Promise<Known<unknown>>;
  subscriptions(org: string): Promise<Known<readonly Subscription[]>>;
  subscribe(org: string, subscription: SubscriptionInput): Promise<Known<CreatedSubscription>>;
  unsubscribe(org: string, id: string): Promise<Known<unknown>>;
  /** Sends a message without events. */
  sendTest(org: string, id: string): Promise<Known<unknown>>;
  /** The messages to a subscription, and their state; newest first. */
  deliveries(org: string, id: string): Promise<Known<readonly EventDelivery[]>>;
  sendAgain(org: string, id: string, message: string): Promise<Known<unknown>>;
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
