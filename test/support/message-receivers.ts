import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Whoever waits until something that comes by itself is there. */
interface Inbox<T> {
  readonly all: readonly T[];
  /** Resolves once so many came. */
  until(count: number): Promise<readonly T[]>;
}

export interface WebhookReceiver extends Inbox<Received> {
  readonly url: string;
  /** Answers from now on: by a status, or by what is done with the response. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...inbox.shown,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (next) => void (how = next),
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const Payload = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });

/** What a library of Standard Webhooks takes a message for; throws where the signature is not good. */
export function verified({ headers, body }: Received, secret: string): z.infer<typeof Payload> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return Payload.parse(new Webhook(secret).verify(body, named));
}

export interface MailReceiver extends Inbox<string> {
  readonly url: string;
  /** Whom the server was told that the last one is for. */
  readonly recipients: readonly string[];
  /** The status of the answer to every message from now on; 250 takes it. */
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
