/**
 * The id of a message that tells of no event, sent to try a subscription. Events have numbers from 1 on and digests the dates of their days, so
 * that 0 is nobody else's.
 */
export function testMessageId(subscription: string, unique: string): string {
  return `msg_${subscription}_0_${unique.replaceAll('-', '')}`;
}

export function isTestMessage(id: string): boolean {
  return /_0_[a-f0-9]+$/.test(id);
}
