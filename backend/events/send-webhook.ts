import type { SealedValue } from '@repoless/contract/secret.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createHmac } from 'node:crypto';
import type { Message, Sent } from './start-event-delivery.ts';

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
  const told =
    event === undefined
      ? { type: 'test', timestamp: now.toISOString(), data: { org, link } }
      : { type: `${event.kind}.${event.phase}`, timestamp: event.time, data: { ...event, link } };
  const body = JSON.stringify(told);
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
    return { status: undefined, problem: error instanceof Error ? error.message : 'The request failed.' };
  }
}

function problemOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `It returned ${status}. Redirects are not followed: subscribe with the target address.`;
  return `It answered ${status}.`;
}

function signatureOf(secret: SealedValue, signed: string): string {
  return secret.use((value) =>
    createHmac('sha256', Buffer.from(value.slice('whsec_'.length), 'base64'))
      .update(signed)
      .digest('base64'),
  );
}
