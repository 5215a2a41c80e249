import { expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import { end, EXTERNAL, NOW, subscription } from './event-world.ts';

/** Enough that their numbers have one digit, then two. */
const EVENTS = 12;

eachStore((engine) => {
  it('lists and sends messages that were made within one millisecond in the order of their events', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putSubscription(subscription('0a', {})));
    for (let n = 0; n < EVENTS; n += 1) await end(store, EXTERNAL, n % 2 === 0 ? { error: 'no' } : {});
    const events = await store.events.events('acme', { limit: EVENTS });
    expect(events).toHaveLength(EVENTS);
    const newestFirst = events.map(({ id }) => `msg_0a_${id}`);
    expect((await store.events.deliveries('0a', EVENTS)).map(({ id }) => id)).toEqual(newestFirst);
    expect((await store.events.deliveries('0a', 3)).map(({ id }) => id)).toEqual(newestFirst.slice(0, 3));
    const sent: (string | undefined)[] = [];
    for (const _ of newestFirst) {
      const lease = { owner: 'me', until: new Date(NOW.getTime() + 60_000), now: NOW, leased: NOW, running: [] };
      sent.push((await store.events.claim('acme', lease))?.id);
    }
    expect(sent).toEqual(newestFirst.toReversed());
  });
});
