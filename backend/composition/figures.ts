import type { Delivery } from '#backend/delivery/deliver.ts';
import type { Store } from '#backend/domain/ports.ts';
import type { Looked } from '#backend/metrics/metrics.ts';

interface Sources {
  readonly store: Pick<Store, 'isHearing' | 'ping' | 'code' | 'events'>;
  readonly delivery: Pick<Delivery, 'answered'>;
  isOverloaded(): boolean;
  now(): Date;
}

/** What an operator of the service watches beside its requests and its process (docs/operations.md). */
export function serviceFigures({ store, delivery, isOverloaded, now }: Sources): Readonly<Record<string, Looked>> {
  return {
    repoless_host_requests_total: {
      help: 'Requests to preview and live hosts: answered from memory at once, or by looking into storage, code or content.',
      kind: 'total',
      label: 'from',
      read: () => delivery.answered(),
    },
    repoless_changes_heard: {
      help: '1 while this node hears of changes and so may answer from memory, else 0.',
      kind: 'now',
      read: () => Number(store.isHearing()),
    },
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
    repoless_oldest_waiting_sync_seconds: {
      help: 'How long the oldest code sync waits that nobody works on; 0 where none waits, absent while the storage does not respond.',
      kind: 'now',
      read: () => oldestWait(store, now()),
    },
    repoless_waiting_messages: {
      help: 'Messages of events that are due and not sent yet; absent while the storage does not respond.',
      kind: 'now',
      read: () => waitingMessages(store, now()).then((waiting) => waiting?.count),
    },
    repoless_oldest_waiting_message_seconds: {
      help: 'How long the oldest message is due that is not sent yet; 0 where none waits, absent while the storage does not respond.',
      kind: 'now',
      read: () => waitingMessages(store, now()).then((waiting) => waiting?.seconds),
    },
  };
}

async function oldestWait({ code }: Pick<Store, 'code'>, now: Date): Promise<number | undefined> {
  try {
    const [oldest] = await code.idleJobs(now, 1);
    return oldest === undefined ? 0 : Math.max(0, (now.getTime() - Date.parse(oldest.record.createTime)) / 1000);
  } catch {
    return undefined;
  }
}

async function waitingMessages({ events }: Pick<Store, 'events'>, now: Date): Promise<{ count: number; seconds: number } | undefined> {
  try {
    const { count, oldest } = await events.waiting(now);
    return { count, seconds: oldest === undefined ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000) };
  } catch {
    return undefined;
  }
}
