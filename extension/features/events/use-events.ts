import { useCallback } from 'react';
import type { EventList } from '@repoless/contract/event.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import { useReading } from '../../ui/use-reading.ts';
import type { Reading } from '../../ui/use-reading.ts';

/** Milliseconds between readings of the notifications. */
const STEP = 30_000;

const missing = async () => ({ state: 'missing' }) as const;

/** A service that records no events. */
export const NO_EVENTS: EventsPort = {
  list: missing,
  read: missing,
  subscriptions: missing,
  subscribe: missing,
  unsubscribe: missing,
  deliveries: missing,
  sendTest: missing,
  sendAgain: missing,
};

export interface EventsReading {
  readonly reading: Reading<Pick<EventList, 'events' | 'unread'>>;
  reload(): void;
}

export function useEvents(port: EventsPort, organization: string): EventsReading {
  const read = useCallback(() => port.list(organization), [port, organization]);
  const [reading, reload] = useReading(read, () => STEP);
  return { reading, reload };
}
