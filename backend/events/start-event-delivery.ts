import type { OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Store } from '../domain/ports.ts';
import { startQueue, type Task } from '../domain/queue.ts';
import type { StoredDelivery, StoredSubscription } from './rules/ports.ts';
import { isTestMessage, type MailRules, mayReceive } from './rules/receiver.ts';

export interface EventDeliveryOptions {
  readonly store: Pick<Store, 'events' | 'reads' | 'code' | 'sharedTime'>;
  readonly mail: Pick<MailRules, 'domains'>;
  /** Makes one attempt, within `LIMITS.deliveryTime` or `LIMITS.mailTime`. Never rejects because of the recipient. */
  send(subscription: StoredSubscription, message: Message, signal: AbortSignal): Promise<Sent>;
  now(): Date;
  /** An unexpected error, and what it occurred in. */
  failed(what: string, error: unknown): void;
}

export interface Message {
  /** The same for each attempt. */
  readonly id: string;
  readonly org: string;
  /** Empty for a test message. */
  readonly events: readonly OrgEvent[];
}

export interface EventSender {
  /** Something is waiting to be sent. */
  wake(): void;
  /** Releases the leases of unfinished messages, so that another node sends them. */
  close(): Promise<void>;
}

/**
 * Sends the messages that wait (docs/contract.md 9.3). Organizations take turns and share the slots, so that hanging recipients of one
 * don't delay the others. Also finds keys and secrets that expire soon.
 */
export function startEventDelivery({ store, mail, send, now, failed }: EventDeliveryOptions): EventSender {
  const { events } = store;
  const queue = startQueue({
    called: 'tell',
    store,
    atOnce: LIMITS.deliveriesAtOnce,
    lease: LEASE,
    every: ASK_EVERY,
    patience: PATIENCE,
    tasks: waiting,
    now,
    failed,
  });
  let looked = Number.NEGATIVE_INFINITY;
  /** The organization that had its turn last. */
  let behind = '';

  /** The organization with the fewest running messages is next; ties are broken in turn. */
  async function* waiting(): AsyncGenerator<Task> {
    const present = now();
    if (present.getTime() - looked >= LOOK_EVERY) {
      looked = present.getTime();
      await events.look(present, before(present, -SOON_DAYS), before(present, LIMITS.eventDays));
    }
    for (let claimed = true; claimed;) {
      claimed = false;
      const { now: due, leased } = await queue.lease();
      let orgs = await events.waitingOrgs(due, leased, { behind, limit: ORGS_AT_ONCE });
      for (let org = nextOf(orgs); org !== undefined; org = nextOf(orgs)) {
        const served = org;
        const delivery = await events.claim(served, { ...(await queue.lease()), running: queue.running(served) });
        const others = orgs.filter((other) => other !== served);
        orgs = delivery === undefined ? others : [...others, served];
        if (delivery === undefined) continue;
        [claimed, behind] = [true, served];
        yield { name: delivery.id, share: served, run: (ending) => deliver(delivery, ending) };
      }
    }
  }

  /** `orgs` are in the order of their turns. */
  function nextOf(orgs: readonly string[]): string | undefined {
    const shares = queue.shares();
    const countOf = (org: string) => shares.get(org) ?? 0;
    return orgs.filter((org) => countOf(org) < LIMITS.deliveriesOfOrg).toSorted((a, b) => countOf(a) - countOf(b))[0];
  }

  /** If this rejects, the message keeps its lease and is sent again, by any node, once the lease expires. */
  async function deliver(delivery: StoredDelivery, ending: AbortSignal): Promise<void> {
    const { owner } = queue;
    const { id, org } = delivery;
    const subscription = (await store.reads.subscriptions(org)).find((one) => one.id === delivery.subscription);
    // Its messages are removed with it.
    if (subscription === undefined) return;
    if (!mayReceive(subscription, mail, (await store.reads.org(org))?.config)) {
      const refused = { id, owner, status: undefined, problem: withheld(subscription) };
      return await events.failed(refused, now(), undefined);
    }
    const told = await events.eventsOf(id);
    const { status, problem } =
      told.length === 0 && !isTestMessage(id) ? FORGOTTEN : await attempted(subscription, { id, org, events: told }, ending);
    const attempt = { id, owner, status, problem };
    if (problem === undefined) return await events.sent(attempt, now());
    if (ending.aborted) return await events.release(id, owner);
    await events.failed(attempt, now(), nextAttempt(delivery.attempts, (await queue.lease()).now));
  }

  async function attempted(subscription: StoredSubscription, message: Message, ending: AbortSignal): Promise<Sent> {
    try {
      return await send(subscription, message, ending);
    } catch (error) {
      failed(message.id, error);
      return { status: undefined, problem: `Something unexpected happened. Report it with the id of the delivery, ${message.id}.` };
    }
  }

  const wake = () => void queue.wake();
  wake();
  // The patience lets recipients that respond soon have their result recorded, so that their messages are not sent again.
  return { wake, close: queue.close };
}

/** Shown to administrators of the organization. */
function withheld({ channel }: StoredSubscription): string {
  const to = channel.type === 'email' ? channel.to : 'The receiver';
  return `Not sent: ${to} can no longer configure the organization. Remove this subscription, or give them a role that can, and send the message again.`;
}

function before(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
}

/** Days before an expiry at which it is reported. */
const SOON_DAYS = 14;
const FORGOTTEN: Sent = { status: undefined, problem: 'The events in it are no longer kept.' };
const ORGS_AT_ONCE = 100;
const ASK_EVERY = 1000;
const LOOK_EVERY = 10 * 60_000;
const PATIENCE = 2000;
/** Longer than any attempt, including the reads before it and the write after it. */
const LEASE = 2 * Math.max(LIMITS.deliveryTime, LIMITS.mailTime);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between attempts: about a day in total. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** When to retry after this many failures; undefined: never. */
function nextAttempt(attempts: number, now: Date): Date | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause);
}

/** The result of one attempt. Without a `problem` it arrived; a problem is a message for the subscriber. */
export interface Sent {
  readonly status: number | undefined;
  readonly problem: string | undefined;
}
