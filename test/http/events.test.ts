import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventWorld } from '../support/event-world.ts';
import type { EventWorld } from '../support/event-world.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import type { WebhookReceiver } from '../support/message-receivers.ts';

let world: EventWorld;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await startEventWorld();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

describe('a code sync that fails', () => {
  it('is told once by a signed webhook, and once more when it is mended', async () => {
    const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
    await world.fail('told');
    await receiver.until(1);
    await world.fail('told');
    await world.mend('told');
    const [began, ended, ...more] = await receiver.until(2);
    expect(more).toEqual([]);
    const about = { org: 'wknd', kind: 'sync-failed', repository: 'github:wknd/wknd', ref: 'told' };
    if (began === undefined || ended === undefined) throw new Error('Nothing came.');
    expect(verified(began, secret)).toMatchObject({
      type: 'sync-failed.began',
      data: { ...about, phase: 'began', detail: 'branch not found', link: `${world.backend.address}/config/wknd/events.json` },
    });
    expect(verified(ended, secret)).toMatchObject({ type: 'sync-failed.ended', data: { ...about, phase: 'ended', open: false } });
    expect(began.headers['webhook-id']).not.toBe(ended.headers['webhook-id']);
    expect((await world.deliveries(id)).map(({ state, attempts, status }) => [state, attempts, status])).toEqual([
      ['sent', 1, 204],
      ['sent', 1, 204],
    ]);
  });
});
