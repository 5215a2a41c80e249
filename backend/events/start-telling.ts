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
  /** Sends a message once, whatever its channel, within `LIMITS.deliveryTime` or `LIMITS.mailTime`. Never rejects for what the receiver does. */
  send(subscription: StoredSubscription, message: Message, signal: AbortSignal): Promise<Sent>;
  now(): Date;
  /** An error that nobody foresaw, and what met it. */
  failed(what: string, error: unknown): void;
}

export interface Message {
  /** The same at each attempt. */
  readonly id: string;
  readonly org: string;
  /** None of a message that only tries the subscription. */
  readonly events: readonly OrgEvent[];
}

export interface Telling {
  /** There is something to be sent. */
  wake(): void;
  /** What is under way is given back, and sent by whoever is next. */
  close(): Promise<void>;
}

/**
 * Sends the messages that wait (docs/contract.md 9.3), each under a lease: a program that is killed leaves it to the next one. Organizations take turns, and each
 * has a share of what is sent at once: however long receivers of some hang, another one is next. Looks for what ends soon as well.
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
  // An embedded store is this program's alone: whoever held a lease on it is gone.
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

  /** Until there is no room or nothing left: whoever has the fewest under way is next, and among these whoever's turn it is. */
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

  /** Of organizations in the order of their turns. */
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

  /** What rejects here keeps its lease, and is sent again when that has ended: by this node or another one. */
  async function deliver(delivery: StoredDelivery): Promise<void> {
    const { id, org } = delivery;
    const subscription = (await store.reads.subscriptions(org)).find((one) => one.id === delivery.subscription);
    // Its deliveries went with it, or go soon.
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
      // What was begun arrives and is noted where the receiver answers soon, so that it is not sent again.
      const patience = setTimeout(() => late.abort(new Error('The service stops.')), PATIENCE);
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(patience);
    },
  };
}

/** Whoever reads this administers the organization. */
function withheld({ channel }: StoredSubscription): string {
  const to = channel.type === 'email' ? channel.to : 'The receiver';
  return `Not sent: ${to} can no longer configure the organization. Remove this subscription, or give them a role that can, and send the message again.`;
}

function before(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
}

/** What is told of things that end: so many days before. */
const SOON_DAYS = 14;
const FORGOTTEN: Sent = { status: undefined, problem: 'The events in it are no longer kept.' };
const ORGS_AT_ONCE = 100;
const ASK_EVERY = 1000;
const LOOK_EVERY = 10 * 60_000;
const PATIENCE = 2000;
/** Longer than any attempt takes, whatever its channel, what is read before and stored afterwards included. */
const LEASE = 2 * Math.max(LIMITS.deliveryTime, LIMITS.mailTime);
const FAR_FUTURE = '9999-12-31';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between two attempts; about a day in all. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];

/** When a message is tried again that failed so many times; undefined where it is given up. */
function nextAttempt(attempts: number, now: Date): Date | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause);
}
