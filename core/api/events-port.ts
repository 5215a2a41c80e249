import { eventEndpoints } from '@repoless/contract/event.ts';
import type { EventsPort } from '../events/events-port.ts';
import type { Client } from './client.ts';
import { done, found } from './organization-answers.ts';

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
    subscriptions: async (org) => {
      const answer = found(await client.call(eventEndpoints.listSubscriptions, { params: { org } }));
      return answer.state === 'known' ? { state: 'known', value: answer.value.subscriptions } : answer;
    },
    subscribe: async (org, body) => {
      const answer = done(await client.call(eventEndpoints.createSubscription, { params: { org }, body }));
      if (answer.state !== 'known') return answer;
      return 'dryRun' in answer.value
        ? { state: 'failed', failure: { kind: 'unexpected', status: 200 } }
        : { state: 'known', value: answer.value };
    },
    unsubscribe: async (org, subscription) =>
      found(await client.call(eventEndpoints.deleteSubscription, { params: { org, subscription } })),
    sendTest: async (org, subscription) => done(await client.call(eventEndpoints.testSubscription, { params: { org, subscription } })),
    deliveries: async (org, subscription) => {
      const answer = found(await client.call(eventEndpoints.listMessages, { params: { org, subscription } }));
      return answer.state === 'known' ? { state: 'known', value: answer.value.deliveries } : answer;
    },
    sendAgain: async (org, subscription, message) =>
      done(await client.call(eventEndpoints.sendMessageAgain, { params: { org, subscription, message } })),
  };
}

/** Maximum number of events in one list of the service. */
const MOST = 100;
