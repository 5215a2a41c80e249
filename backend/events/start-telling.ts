import { randomUUID } from 'node:crypto';
import type { OrgEvent } from '#contract/event.ts';
import { LIMITS } from '#contract/limits.ts';
import type { StoredDelivery, StoredSubscription } from '#backend/domain/events/ports.ts';
import { mayReceive } from '#backend/domain/events/receiver.ts';
import type { MailRules } from '#backend/domain/events/receiver.ts';
import { isTestMessage } from '#backend/domain/events/test-message.ts';
import type { Store } from '#backend/domain/ports.ts';
import type { Sent } from './sent.ts';

export interface TellingOptions {
  readonly store: Pick<Store, 'events' | 'reads' | 'code' | 'sharedTime'>;
  readonly mail: Pick<MailRules, 'domains'>;
  /** Makes one attempt, within `LIMITS.deliveryTime` or `LIMITS.mailTime`. Never rejects because of the receiver. */
  send(subscription: StoredSubscription, message: Message, signal: AbortSignal): Promise<Sent>;
  now(): Date;
  /** An unexpected error, and what it occurred in. */
  failed(what: string, error: unknown): void;
}

export interface Message {
  /** The same at each attempt. */
  readonly id: string;
  readonly org: string;
  /** Empty for a test message. */
  readonly events: readonly OrgEvent[];
}

export interface Telling {
  /** Something is waiting to be sent. */
  wake(): void;
  /** Releases the leases of unfinished messages, so that another node sends them. */
  close(): Promise<void>;
}

/**
 * Sends the messages that wait (docs/contract.md 9.3), each under a lease, so another node continues if this one is killed. Organizations take turns and
 * share the slots, so that hanging receivers of one don't delay the others. Also finds keys and secrets that expire soon.
 */
export function startTelling({ store, mail, send, now, failed }: TellingOptions): Telling {
  const { events } = store;
  const sharedTime = () => store.sharedTime(now());
  const owner = randomUUID();
  const stopping = new AbortController();
  const late = new AbortController();
  const running = new Map<string, { readonly org: string; readonly done: Promise<void> }>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let looked = Number.NEGATIVE_INFINITY;
  /** The organization that had its turn last. */
  let behind = '';
  // Only one program uses an embedded store: a lease in it was left by an earlier process.
  let leased = store.code.shared ? undefined : new Date(FAR_FUTURE);

  function look(): void {
    lookAgain = looking !== undefined;
    looking ??= work()
      .catch((error: unknown) => failed('tell', error))
      .finally(() => {
        looking = undefined;
        if (lookAgain && !stopping.signal.aborted) look();
      });
  }

  async function work(): Promise<void> {
    const present = now();
    if (present.getTime() - looked >= LOOK_EVERY) {
      looked = present.getTime();
      await events.look(present, before(present, -SOON_DAYS), before(present, LIMITS.eventDays));
    }
    await claimWaiting();
    leased = undefined;
  }

  /** Until no slot is free or nothing waits. The organization with the fewest running messages is next; ties are broken in turn. */
  async function claimWaiting(): Promise<void> {
    for (let claimed = true; claimed && hasRoom();) {
      claimed = false;
      const due = await sharedTime();
      let orgs = await events.waitingOrgs(due, leased ?? due, { behind, limit: ORGS_AT_ONCE });
      for (let org = nextOf(orgs); org !== undefined && hasRoom(); org = nextOf(orgs)) {
        const [present, served] = [await sharedTime(), org];
        const lease = { owner, until: new Date(present.getTime() + LEASE), now: present, leased: leased ?? present };
        const delivery = await events.claim(served, { ...lease, running: runningOf(served) });
        const others = orgs.filter((other) => other !== served);
        orgs = delivery === undefined ? others : [...others, served];
        if (delivery === undefined) continue;
        [claimed, behind] = [true, served];
        begin(delivery);
      }
    }
  }

  /** `orgs` are in the order of their turns. */
  function nextOf(orgs: readonly string[]): string | undefined {
    return orgs.filter((org) => countOf(org) < LIMITS.deliveriesOfOrg).toSorted((a, b) => countOf(a) - countOf(b))[0];
  }

  const hasRoom = () => running.size < LIMITS.deliveriesAtOnce && !stopping.signal.aborted;
  const runningOf = (org: string) => [...running].filter(([, one]) => one.org === org).map(([id]) => id);
  const countOf = (org: string) => runningOf(org).length;

  function begin(delivery: StoredDelivery): void {
    const done = deliver(delivery)
      .catch((error: unknown) => failed(delivery.id, error))
      .finally(() => {
        running.delete(delivery.id);
        if (!stopping.signal.aborted) look();
      });
    running.set(delivery.id, { org: delivery.org, done });
  }

  /** If this rejects, the message keeps its lease and is sent again, by any node, once the lease expires. */
  async function deliver(delivery: StoredDelivery): Promise<void> {
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
      told.length === 0 && !isTestMessage(id) ? FORGOTTEN : await attempted(subscription, { id, org, events: told });
    const attempt = { id, owner, status, problem };
    if (problem === undefined) return await events.sent(attempt, now());
    if (late.signal.aborted) return await events.release(id, owner);
    await events.failed(attempt, now(), nextAttempt(delivery.attempts, await sharedTime()));
  }

  async function attempted(subscription: StoredSubscription, message: Message): Promise<Sent> {
    try {
      return await send(subscription, message, late.signal);
    } catch (error) {
      failed(message.id, error);
      return { status: undefined, problem: `Something unexpected happened. Report it with the id of the delivery, ${message.id}.` };
    }
  }

  look();
  const timer = setInterval(look, ASK_EVERY);
  timer.unref();
  return {
    wake: look,
    async close() {
      clearInterval(timer);
      stopping.abort(new Error('The service stops.'));
      await looking;
      // Wait for receivers that answer soon and record the outcome, so that their messages are not sent again.
      const patience = setTimeout(() => late.abort(new Error('The service stops.')), PATIENCE);
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(patience);
    },
  };
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
const FAR_FUTURE = '9999-12-31';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between attempts: about a day in total. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** When to retry after so many failures; undefined: never. */
function nextAttempt(attempts: number, now: Date): Date | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause);
}
