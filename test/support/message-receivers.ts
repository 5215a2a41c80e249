import { CreatedSubscription, type EventDelivery, EventDeliveryList, EventList } from '@repoless/contract/event.ts';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { OPERATOR, type TestBackendOptions } from './backend.ts';
import { type CodeWorld, startCodeWorld } from './code-world.ts';
import { listen } from './listen.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Collects what arrives, and lets tests wait for it. */
interface Inbox<T> {
  readonly all: readonly T[];
  /** Resolves when this many have arrived. */
  until(count: number): Promise<readonly T[]>;
}

export interface WebhookReceiver extends Inbox<Received> {
  readonly url: string;
  /** Sets how it answers: a status, or a function that gets the response. */
  answer(how: number | ((response: ServerResponse) => void)): void;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const inbox = createInbox<Received>();
  let how: number | ((response: ServerResponse) => void) = 204;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (typeof how === 'number') response.writeHead(how).end();
    else how(response);
    inbox.add({ headers: request.headers, body });
  });
  const { address, stop } = await listen(server);
  return {
    ...inbox.shown,
    url: `${address}/hook`,
    answer: (next) => void (how = next),
    stop,
  };
}

const Payload = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });

/** The payload as a Standard Webhooks library verifies it; throws if the signature is invalid. */
export function verified({ headers, body }: Received, secret: string): z.infer<typeof Payload> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return Payload.parse(new Webhook(secret).verify(body, named));
}

export interface MailReceiver extends Inbox<string> {
  readonly url: string;
  /** The envelope recipients of the last message. */
  readonly recipients: readonly string[];
  /** Sets the status with which every message is answered; 250 accepts it. */
  answer(status: number): void;
  stop(): Promise<void>;
}

/** A real SMTP server. */
export async function startMailReceiver(): Promise<MailReceiver> {
  const inbox = createInbox<string>();
  const recipients: string[] = [];
  let status = 250;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    async onData(stream, session, done) {
      const mail = await text(stream);
      if (status !== 250) return done(Object.assign(new Error('Not now'), { responseCode: status }));
      recipients.splice(0, recipients.length, ...session.envelope.rcptTo.map(({ address }) => address));
      done();
      inbox.add(mail);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...inbox.shown,
    recipients,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    answer: (next) => void (status = next),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function createInbox<T>(): { add(one: T): void; readonly shown: Inbox<T> } {
  const all: T[] = [];
  const waiting = new Set<{ count: number; resolve(): void }>();
  return {
    add(one) {
      all.push(one);
      for (const one of waiting) {
        if (all.length < one.count) continue;
        waiting.delete(one);
        one.resolve();
      }
    },
    shown: {
      all,
      async until(count) {
        if (all.length < count) await new Promise<void>((resolve) => waiting.add({ count, resolve }));
        return all;
      },
    },
  };
}

/** A service with a site on a repository, whose syncs a test lets fail and succeed. */
export interface EventWorld extends CodeWorld {
  /** Syncs a branch that does not exist. Resolves when the sync has ended. */
  fail(branch: string): Promise<void>;
  /** Pushes the branch and syncs it. */
  mend(branch: string): Promise<void>;
  /** Reports the deletion of a branch that does not exist. */
  remove(branch: string): Promise<void>;
  subscribe(channel: Readonly<Record<string, unknown>>, more?: Readonly<Record<string, unknown>>): Promise<CreatedSubscription>;
  events(query?: string): Promise<EventList>;
  deliveries(subscription: string): Promise<EventDelivery[]>;
}

const WEBHOOK_SECRET = 'the-secret-of-the-webhook';

export async function startEventWorld(options: TestBackendOptions = {}): Promise<EventWorld> {
  const world = await startCodeWorld({ ...options, settings: { GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET, ...options.settings } });
  await world.register('first');
  let pushes = 0;
  const push = async (branch: string, more: object = {}) => {
    pushes += 1;
    const event = { ref: `refs/heads/${branch}`, repository: { name: 'wknd', owner: { login: 'wknd' }, pushes }, ...more };
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
    };
    return await world.backend.call('POST', '/webhook/github', { body, headers });
  };
  const sync = async (branch: string) => {
    const { status, text } = await push(branch);
    if (status !== 202) throw new Error(`The sync of ${branch} did not start: ${status} ${text}`);
    return await world.ended('first', branch);
  };
  return {
    ...world,
    async fail(branch) {
      const { error } = await sync(branch);
      if (error === undefined) throw new Error(`The sync of ${branch} did not fail.`);
    },
    async mend(branch) {
      await world.clone.push({ [`${branch}.txt`]: branch }, branch);
      const { error } = await sync(branch);
      if (error !== undefined) throw new Error(`The sync of ${branch} failed: ${error}`);
    },
    async remove(branch) {
      const { status, text } = await push(branch, { deleted: true });
      if (status !== 200) throw new Error(`The branch ${branch} was not removed: ${status} ${text}`);
    },
    async subscribe(channel, more = {}) {
      const answer = await world.backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body: { channel, ...more } });
      if (answer.status !== 201) throw new Error(`The subscription was refused: ${answer.status} ${answer.text}`);
      return CreatedSubscription.parse(answer.json());
    },
    async events(query = '') {
      return EventList.parse((await world.backend.call('GET', `/config/wknd/events.json${query}`, { as: OPERATOR })).json());
    },
    async deliveries(subscription) {
      const path = `/config/wknd/subscriptions/${subscription}/deliveries.json`;
      return EventDeliveryList.parse((await world.backend.call('GET', path, { as: OPERATOR })).json()).deliveries;
    },
  };
}
