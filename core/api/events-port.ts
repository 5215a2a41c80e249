import { eventEndpoints } from '@repoless/contract/event.ts';
import type { EventsPort } from '../events/events-port.ts';
import type { Client } from './client.ts';
import { done, exceptDryRun, found } from './organization-answers.ts';

export function createEventsPort(client: Client): EventsPort {
  return {
    list: async (org) => {
      const page = async (query: { readonly open?: true; readonly before?: number }) =>
        found(await client.call(eventEndpoints.listEvents, { params: { org }, query: { limit: MOST, ...query } }));
      const newest = await page({});
      if (newest.state !== 'known') return newest;
      const events = [...newest.value.events];
      let { next } = newest.value.links;
      while (next !== undefined) {
        const before = events.at(-1)?.id;
        const older = await page({ open: true, ...(before === undefined ? {} : { before }) });
        if (older.state !== 'known') return older;
        events.push(...older.value.events);
        ({ next } = older.value.links);
      }
      return { state: 'known', value: { events, unread: newest.value.unread } };
    },
    read: async (org, upTo) => done(await client.call(eventEndpoints.readEvents, { params: { org }, body: { upTo } })),
    subscriptions: async (org) =>
      found(await client.call(eventEndpoints.listSubscriptions, { params: { org } }), ({ subscriptions }) => subscriptions),
    subscribe: async (org, body) => exceptDryRun(await client.call(eventEndpoints.createSubscription, { params: { org }, body })),
    unsubscribe: async (org, subscription) =>
      found(await client.call(eventEndpoints.deleteSubscription, { params: { org, subscription } })),
    sendTest: async (org, subscription) => done(await client.call(eventEndpoints.testSubscription, { params: { org, subscription } })),
    deliveries: async (org, subscription) =>
      found(await client.call(eventEndpoints.listMessages, { params: { org, subscription } }), ({ deliveries }) => deliveries),
    sendAgain: async (org, subscription, message) =>
      done(await client.call(eventEndpoints.sendMessageAgain, { params: { org, subscription, message } })),
  };
}

const MOST = 100;
