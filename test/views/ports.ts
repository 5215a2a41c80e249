import type { EventDelivery, Subscription } from '@repoless/contract/event.ts';
import type { Rollout } from '@repoless/contract/rollout.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import type { Known } from '@repoless/core/situation/call.ts';

export const TIME = '2026-03-04T05:06:07.000Z';
/** The failure of a call that got no answer. */
export const UNREACHABLE = { state: 'failed', failure: { kind: 'unreachable' } } as const;
export const SUBSCRIPTION: Subscription = {
  id: 'subscription-1',
  channel: { type: 'email', to: 'ops@example.com', digest: 'each' },
  created: TIME,
  createdBy: 'ada.admin@example.com',
};
export const FAILED_MESSAGE: EventDelivery = {
  id: 'message-1',
  state: 'failed',
  attempts: 8,
  created: TIME,
  problem: 'The receiver answered 500.',
};

export const never = async (): Promise<never> => new Promise<never>(() => undefined);

/** Answers like a service with one recipient and no events; `answers` overrides this. */
export function eventsPort(answers: Partial<EventsPort> = {}): EventsPort {
  const done = async (): Promise<Known<unknown>> => ({ state: 'known', value: {} });
  return {
    list: async () => ({ state: 'known', value: { events: [], unread: 0 } }),
    read: done,
    subscriptions: async () => ({ state: 'known', value: [SUBSCRIPTION] }),
    subscribe: async () => ({ state: 'known', value: SUBSCRIPTION }),
    unsubscribe: done,
    sendTest: done,
    deliveries: async () => ({ state: 'known', value: [FAILED_MESSAGE] }),
    resend: done,
    ...answers,
  };
}

/** Never answers, except by `answers`. */
export function rolloutsPort(answers: Partial<RolloutsPort> = {}): RolloutsPort {
  return { list: never, preview: never, start: never, rollout: never, sites: never, previewUndo: never, order: never, ...answers };
}

/** A rollout in progress on two sites, in one wave. */
export function rollout(more: Partial<Rollout> = {}): Rollout {
  return {
    id: 'rollout-1',
    title: 'One',
    state: 'running',
    waves: [1],
    wave: 1,
    total: 2,
    sites: { changed: 1, waiting: 1 },
    worse: 0,
    started: TIME,
    startedBy: 'ada.admin@example.com',
    ...more,
  };
}
