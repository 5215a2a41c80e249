import type { Subscription } from '@repoless/contract/event.ts';

/** Where the messages of a subscription go. */
export function recipientOf({ channel }: Pick<Subscription, 'channel'>): string {
  return channel.type === 'email' ? channel.to : channel.url;
}
