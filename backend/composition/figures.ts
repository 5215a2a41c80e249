import type { Delivery } from '../delivery/deliver.ts';
import type { Store } from '../domain/ports.ts';
import type { MetricsOnDemand } from '../metrics/metrics.ts';

interface ProgramSources {
  readonly store: Pick<Store, 'ping'>;
  isOverloaded(): boolean;
}

interface Sources extends ProgramSources {
  readonly store: Pick<Store, 'ping' | 'code' | 'events' | 'sharedTime'>;
  readonly delivery: Pick<Delivery, 'answered'>;
  now(): Date;
}

export function programFigures({ store, isOverloaded }: ProgramSources): MetricsOnDemand {
  return {
    repoless_storage_up: {
      help: '1 while the storage responds, else 0.',
      kind: 'now',
      read: () =>
        store.ping().then(
          () => 1,
          () => 0,
        ),
    },
    repoless_overloaded: {
      help: '1 while this node refuses requests because they wait too long, else 0.',
      kind: 'now',
      read: () => Number(isOverloaded()),
    },
  };
}

/** Metrics of the service in addition to requests and process (docs/operations.md). */
export function serviceFigures({ store, delivery, isOverloaded, now }: Sources): MetricsOnDemand {
  return {
    ...programFigures({ store, isOverloaded }),
    repoless_host_requests_total: {
      help: 'Requests to preview and live hosts: answered from memory directly, or after reading storage, code or content.',
      kind: 'total',
      label: 'from',
      read: () => delivery.answered(),
    },
    repoless_oldest_waiting_sync_seconds: {
      help: 'How long the oldest code sync without a worker has been waiting; 0 if none is waiting, absent while the storage does not respond.',
      kind: 'now',
      read: () => oldestWait(store, now()).catch(() => undefined),
    },
    repoless_waiting_messages: {
      help: 'Messages of events that are due and not sent yet; absent while the storage does not respond.',
      kind: 'now',
      read: () =>
        waitingMessages(store, now())
          .then(({ count }) => count)
          .catch(() => undefined),
    },
    repoless_oldest_waiting_message_seconds: {
      help: 'How long the oldest unsent message has been due; 0 if none is waiting, absent while the storage does not respond.',
      kind: 'now',
      read: () =>
        waitingMessages(store, now())
          .then(({ seconds }) => seconds)
          .catch(() => undefined),
    },
    repoless_displaced_problems: {
      help: 'Problems displaced by newer ones, because their organization has reached the limit of open ones; absent while the storage does not respond.',
      kind: 'now',
      read: () => store.events.displaced().catch(() => undefined),
    },
  };
}

async function oldestWait({ code, sharedTime }: Pick<Store, 'code' | 'sharedTime'>, now: Date): Promise<number> {
  const [oldest] = await code.idleJobs(await sharedTime(now), 1);
  return oldest === undefined ? 0 : secondsSince(Date.parse(oldest.record.createTime), now);
}

async function waitingMessages({ events }: Pick<Store, 'events'>, now: Date) {
  const { count, oldest } = await events.waiting(now);
  return { count, seconds: oldest === undefined ? 0 : secondsSince(oldest.getTime(), now) };
}

function secondsSince(time: number, now: Date): number {
  return Math.max(0, (now.getTime() - time) / 1000);
}
