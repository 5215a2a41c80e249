import type { EventDelivery, eventEndpoints, EventList } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createHash } from 'node:crypto';
import { defined } from '@repoless/contract/json.ts';
import { type Context, linkTo, type Operation, pageOf } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { EventFilter, StoredDelivery } from './ports.ts';
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  getSubscription,
  listSubscriptions,
  putSubscription,
  type MailRules,
  testMessageId,
} from './subscription-operations.ts';
import { requireUser } from '../../sessions/identity.ts';

type Rows = typeof eventEndpoints;
export type EventOperations = { readonly [Id in keyof Rows]: Operation<Rows[Id]> };

/** Events, subscriptions and deliveries (docs/contract.md 9.1). `wake`: there is something to send. */
export function eventOperations({ mail, wake }: { readonly mail: MailRules; wake(): void }): EventOperations {
  return {
    listEvents,
    readEvents,
    listSubscriptions: listSubscriptions(mail),
    createSubscription: createSubscription(mail),
    getSubscription: getSubscription(mail),
    putSubscription: putSubscription(mail),
    deleteSubscription: deleteSubscription(mail),
    async testSubscription(context, { params: { org, subscription } }) {
      const { store, now, newId } = context;
      const { id } = await findSubscription(store.reads, org, subscription);
      const created = await store.events.test({ id: testMessageId(id, newId()), org, subscription: id }, now());
      if (created === undefined)
        throw new Refusal('SUBSCRIPTION_REFUSED', 'A message to this subscription is waiting to be sent. Wait for its result first.', {
          data: { reason: 'waiting' },
        });
      wake();
      return { result: 'accepted', body: shown(created) };
    },
    listMessages,
    async sendMessageAgain(context, { params: { org, subscription, message } }) {
      await findSubscription(context.store.reads, org, subscription);
      const { store, now } = context;
      const resent = await store.events.resend(subscription, message, await store.sharedTime(now()));
      if (resent === undefined) throw new Refusal('DELIVERY_NOT_FOUND', `The subscription has no delivery "${message}".`);
      if (resent === 'full')
        throw new Refusal(
          'SUBSCRIPTION_REFUSED',
          `${LIMITS.deliveriesWaiting.toLocaleString('en')} messages to this subscription are waiting. Send it again after they have been delivered.`,
          { data: { reason: 'backlog', limit: `${LIMITS.deliveriesWaiting}` } },
        );
      wake();
      return { result: 'accepted', body: shown(resent) };
    },
  };
}

const listEvents: Operation<Rows['listEvents']> = async (context, { params: { org }, query }) => {
  const { limit = SHOWN, ...filter } = query;
  const found = await context.store.events.events(org, { ...filter, limit: limit + 1 });
  const { shown: events, last } = pageOf(found, limit);
  const next = last && nextPage(org, { ...query, limit, before: last.id });
  const unread = await context.store.events.unread(org, person(context));
  const body: EventList = { events: [...events], unread, links: defined({ next }) };
  return { result: 'done', body, ...linkTo(next) };
};

const readEvents: Operation<Rows['readEvents']> = async (context, { params: { org }, body }) => {
  const { events } = context.store;
  // Later events have not been read yet, whatever number was sent.
  const [newest] = await events.events(org, { limit: 1 });
  await events.markRead(org, person(context), Math.min(body.upTo, newest?.id ?? 0));
  return { result: 'done', body: { unread: await events.unread(org, person(context)) } };
};

const listMessages: Operation<Rows['listMessages']> = async (context, { params: { org, subscription } }) => {
  await findSubscription(context.store.reads, org, subscription);
  const deliveries = await context.store.events.deliveries(subscription, LIMITS.storedDeliveries);
  return { result: 'done', body: { deliveries: deliveries.map(shown) } };
};

function shown({ id, state, created, next, attempts, status, problem, ended }: StoredDelivery): EventDelivery {
  return {
    id,
    state,
    created: created.toISOString(),
    attempts,
    ...(state === 'waiting' && { next: next.toISOString() }),
    ...defined({ ended: ended?.toISOString(), status, problem }),
  };
}

/** Identifies the reader without storing their address. */
function person({ caller }: Context): string {
  return createHash('sha256').update(requireUser(caller).email.toLowerCase()).digest('hex');
}

function nextPage(org: string, { site, open, limit, before }: EventFilter): string {
  const query = new URLSearchParams();
  if (site !== undefined) query.set('site', site);
  if (open !== undefined) query.set('open', String(open));
  query.set('limit', String(limit));
  query.set('before', String(before));
  return `/config/${org}/events.json?${query.toString()}`;
}

const SHOWN = 50;
