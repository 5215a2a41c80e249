import { readSharedContext } from './shared-context.ts';
import type { SharedValues } from './shared-context.ts';

/**
 * The host sends context changes only to the hidden frame, which forwards them to the visible frames of the same host
 * over a channel of our own origin.
 */
export function sendContext(context: Readonly<Record<string, unknown>>): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ host: hostOrigin(), context });
  channel.close();
}

export function onContext(listener: (values: SharedValues) => void): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = event.data;
    if (!isRecord(message) || message['host'] !== hostOrigin() || !isRecord(message['context'])) return;
    const context = message['context'];
    listener(readSharedContext((key) => context[key]));
  });
}

const CHANNEL = 'repoless-context';

function hostOrigin(): string {
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
