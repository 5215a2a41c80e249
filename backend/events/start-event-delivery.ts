import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Store } from '../domain/ports.ts';
import { startQueue, type Task } from '../domain/queue.ts';
import type { StoredDelivery, StoredSubscription } from './rules/ports.ts';
import { isTestMessage, type MailRules, mayReceive } from './rules/subscription-operations.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { createHmac } from 'node:crypto';

export interface EventDeliveryOptions {
  readonly store: Pick<Store, 'events' | 'reads' | 'code' | 'sharedTime'>;
  readonly mail: Pick<MailRules, 'domains'>;
  /** Makes one attempt, within `LIMITS.deliveryTime` or `LIMITS.mailTime`. Never rejects because of the recipient. */
  send(subscription: StoredSubscription, message: Message, signal: AbortSignal): Promise<Sent>;
  now(): Date;
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
    workName: 'event delivery',
    store,
    atOnce: LIMITS.deliveriesAtOnce,
    lease: LEASE,
    every: ASK_EVERY,
    grace: GRACE,
    tasks: waiting,
    now,
    failed,
  });
  let tidied = Number.NEGATIVE_INFINITY;
  let behind = '';

  /** The organization with the fewest running messages is next; ties are broken in turn. */
  async function* waiting(): AsyncGenerator<Task> {
    const current = now();
    if (current.getTime() - tidied >= POLL_EVERY) {
      tidied = current.getTime();
      await events.tidy(current, before(current, -SOON_DAYS), before(current, LIMITS.eventDays));
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
    const sent = await events.eventsOf(id);
    const { status, problem } =
      sent.length === 0 && !isTestMessage(id) ? EMPTY_MESSAGE : await attempted(subscription, { id, org, events: sent }, ending);
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
      return { status: undefined, problem: codeSentence('messageUnexpected', { id: message.id }) };
    }
  }

  const wake = () => void queue.wake();
  wake();
  // Within the grace period, the results of recipients that respond soon are recorded, so that their messages are not sent again.
  return { wake, close: queue.close };
}

/** Shown to administrators of the organization. */
function withheld({ channel }: StoredSubscription): string {
  const to = channel.type === 'email' ? channel.to : 'The receiver';
  return codeSentence('messageWithheld', { _to: to });
}

function before(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
}

/** Days before an expiry at which it is reported. */
const SOON_DAYS = 14;
const EMPTY_MESSAGE: Sent = { status: undefined, problem: codeSentence('messageEmpty') };
const ORGS_AT_ONCE = 100;
const ASK_EVERY = 1000;
const POLL_EVERY = 10 * 60_000;
const GRACE = 2000;
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

/** One guarded request to a host that a tenant names; redirects are not followed. Rejects with an error whose message may be shown. */
export type Post = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeout: number;
  readonly sizeLimit: number;
  readonly signal: AbortSignal;
}) => Promise<{ readonly status: number }>;

interface Webhook {
  readonly url: string;
  readonly secret: SealedValue;
}

/** Sends a message according to Standard Webhooks (docs/contract.md 9.4): id, time and signature in headers, and the event as JSON. */
export async function sendWebhook(
  post: Post,
  { url, secret }: Webhook,
  { id, org, events }: Message,
  { now, signal, address }: { now: Date; signal: AbortSignal; address: string },
): Promise<Sent> {
  const [event] = events;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const link = `${address}/config/${org}/events.json`;
  const payload =
    event === undefined
      ? { type: 'test', timestamp: now.toISOString(), data: { org, link } }
      : { type: `${event.kind}.${event.phase}`, timestamp: event.time, data: { ...event, link } };
  const body = JSON.stringify(payload);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`,
  };
  try {
    const { status } = await post({
      url,
      headers,
      body,
      timeout: LIMITS.deliveryTime,
      sizeLimit: LIMITS.deliveryAnswer,
      signal,
    });
    return { status, problem: problemOf(status) };
  } catch (error) {
    return { status: undefined, problem: error instanceof Error ? error.message : codeSentence('messageFailed') };
  }
}

function problemOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return codeSentence('messageRedirected', { status });
  return codeSentence('messageStatus', { status });
}

function signatureOf(secret: SealedValue, signed: string): string {
  return secret.use((value) =>
    createHmac('sha256', Buffer.from(value.slice('whsec_'.length), 'base64'))
      .update(signed)
      .digest('base64'),
  );
}
