import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { CauseChange } from '@repoless/service/events/rules/ports.ts';
import { eachStore } from '../support/each-store.ts';
import { DAY, end, EXTERNAL, tidyEvents, NOW, putOn, subscription } from './event-world.ts';

eachStore((engine) => {
  it('retains LIMITS.storedDeliveries messages of a subscription, and removes those older than LIMITS.eventDays', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putSubscription(subscription('0a', {})));
    const most = LIMITS.storedDeliveries + 2;
    for (let n = 0; n < most; n += 1) {
      await end(store, EXTERNAL, n % 2 === 0 ? { error: 'no' } : {});
      const lease = { owner: 'me', until: NOW, now: NOW, leased: NOW, running: [] };
      const claimed = await store.events.claim('acme', lease);
      await store.events.sent({ id: claimed?.id ?? '', owner: 'me', status: 200, problem: undefined }, NOW);
    }
    expect(await store.events.deliveries('0a', most)).toHaveLength(most);
    await tidyEvents(store, NOW);
    expect(await store.events.deliveries('0a', most)).toHaveLength(LIMITS.storedDeliveries);
    await tidyEvents(store, new Date(NOW.getTime() + (LIMITS.eventDays + 1) * DAY));
    expect([await store.events.deliveries('0a', most), await store.events.events('acme', { limit: 10 })]).toEqual([[], []]);
    await end(store, EXTERNAL, { error: 'again' }, new Date(NOW.getTime() + (LIMITS.eventDays + 1) * DAY));
    expect(await store.events.events('acme', { limit: 10 })).toHaveLength(1);
  });

  it('retains LIMITS.storedEvents events and LIMITS.openCauses open causes of an organization', async () => {
    const store = await engine.open();
    const time = (n: number) => new Date(NOW.getTime() + n);
    for (let n = 0; n <= LIMITS.openCauses; n += 1) await end(store, EXTERNAL, { error: 'no' }, time(n), `branch-${n}`);
    const all = { limit: 2 * LIMITS.storedEvents };
    const events = async () => (await store.events.events('acme', all)).map(({ ref, phase, open }) => [ref, phase, open]);
    // A failed sync is always reported, however many causes are open: the oldest is displaced, without a message.
    const most = LIMITS.openCauses;
    expect(await events()).toHaveLength(most + 1);
    expect(await events()).toContainEqual([`branch-${most}`, 'began', true]);
    expect(await events()).toContainEqual(['branch-0', 'began', false]);
    expect(await store.events.displaced()).toBe(1);
    // At the limit it is not reported again, but its end is.
    await end(store, EXTERNAL, { error: 'no' }, time(2 * most), 'branch-0');
    expect(await events()).toHaveLength(most + 1);
    await end(store, EXTERNAL, {}, time(2 * most), 'branch-0');
    expect((await events())[0]).toEqual(['branch-0', 'ended', false]);
    expect(await store.events.displaced()).toBe(0);
    expect(await events()).toHaveLength(most + 2);
    await store.events.tidy(NOW, NOW, new Date(0));
    expect(await store.events.events('acme', all)).toHaveLength(LIMITS.storedEvents);
  });

  it('reports a newly failed check beyond LIMITS.openCauses, and displaces the oldest cause with its event', async () => {
    const store = await engine.open();
    const cause = (n: number, more: Partial<CauseChange> = {}): CauseChange => {
      const time = new Date(NOW.getTime() + n).toISOString();
      return { kind: 'check-failed', cause: `check:${n}`, about: `${n}`, org: 'acme', site: 'one', isOpen: true, time, ...more };
    };
    const set = (...changes: CauseChange[]) =>
      store.write(async (writes) => {
        for (const change of changes) await writes.setCause(change);
      });
    for (const org of ['acme', 'other']) await putOn(store, org, 'one', `github:${org}/website`);
    await set(cause(0, { org: 'other' }), ...Array.from({ length: LIMITS.openCauses }, (_, n) => cause(n)));
    const most = LIMITS.openCauses;
    const certificate = cause(2 * most, { kind: 'certificate-ends', cause: 'certificate:www.example.com' });
    // Problems found by recurring checks are reported when there are fewer open causes.
    await set(certificate, cause(most), cause(most + 1));
    const newest = async (limit: number) =>
      (await store.events.events('acme', { limit })).map((event) => [event.cause, event.phase, event.open]);
    expect(await newest(3)).toEqual([
      [`check:${most + 1}`, 'began', true],
      [`check:${most}`, 'began', true],
      [`check:${most - 1}`, 'began', true],
    ]);
    await set(cause(most + 1), cause(2 * most + 1));
    const [last] = await newest(1);
    expect(last).toEqual([`check:${2 * most + 1}`, 'began', true]);
    await tidyEvents(store, NOW);
    expect(await store.events.events('acme', { open: true, limit: 2 * most })).toHaveLength(most);
    expect((await store.events.events('acme', { limit: 2 * most })).map(({ cause: one }) => one)).not.toContain('check:2');
    // The end of a displaced cause is reported once; ending another one frees a slot.
    const time = new Date(NOW.getTime() + 3 * most).toISOString();
    await set(cause(0, { isOpen: false, time }), cause(most, { isOpen: false, time }), certificate);
    await set(cause(0, { isOpen: false, time }));
    expect(await newest(4)).toEqual([
      ['certificate:www.example.com', 'began', true],
      [`check:${most}`, 'ended', false],
      ['check:0', 'ended', false],
      [`check:${2 * most + 1}`, 'began', true],
    ]);
    expect(await store.events.events('other', { open: true, limit: 10 })).toHaveLength(1);
  });

  it('queues LIMITS.deliveriesWaiting messages of a subscription, and marks further ones as not sent', async () => {
    const store = await engine.open();
    const drift = subscription('0b', { kinds: ['drift'] });
    await store.write(async (writes) => {
      await writes.putSubscription(subscription('0a', {}));
      await writes.putSubscription(drift);
    });
    const most = LIMITS.deliveriesWaiting + 2;
    const time = (n: number) => new Date(NOW.getTime() + n);
    for (let n = 1; n <= most; n += 1) await end(store, EXTERNAL, n % 2 === 1 ? { error: 'no' } : {}, time(n));
    const waiting = async () => (await store.events.deliveries('0a', 2 * most)).filter(({ state }) => state === 'waiting');
    expect([await waiting(), await store.events.waiting(time(most))]).toEqual([
      expect.objectContaining({ length: LIMITS.deliveriesWaiting }),
      { count: LIMITS.deliveriesWaiting, oldest: time(1) },
    ]);
    const [last, before, full] = await store.events.deliveries('0a', 3);
    const problem = 'Not sent: 1,000 messages to this recipient were waiting already. Send it again when they have arrived.';
    for (const one of [last, before]) expect(one).toMatchObject({ state: 'failed', attempts: 0, problem, ended: one?.created });
    expect(full).toMatchObject({ state: 'waiting', problem: undefined });
    expect(await store.events.eventsOf(last?.id ?? '')).toMatchObject([{ phase: 'ended' }]);
    // A waiting message may be sent earlier, but none is added.
    expect(await store.events.resend('0a', last?.id ?? '', time(most))).toBe('full');
    expect(await store.events.test({ id: 'msg_0a_0_1', org: 'acme', subscription: '0a' }, NOW)).toBeUndefined();
    expect(await store.events.resend('0a', full?.id ?? '', time(most))).toMatchObject({ id: full?.id, state: 'waiting' });
    expect(await store.events.resend('0a', 'msg_0a_never', NOW)).toBeUndefined();
    const lease = { owner: 'me', until: time(most), now: time(most), leased: time(most), running: [] };
    const claimed = await store.events.claim('acme', lease);
    await store.events.sent({ id: claimed?.id ?? '', owner: 'me', status: 200, problem: undefined }, time(most));
    await end(store, EXTERNAL, { error: 'no' }, time(most + 1));
    expect(await store.events.deliveries('0a', 1)).toMatchObject([{ state: 'waiting', problem: undefined }]);
    // The sent message is the oldest, and deleted. The check reports to a full subscription that the sync's repository has no site.
    await tidyEvents(store, time(most + 1));
    const states = (await store.events.deliveries('0a', 2 * most)).map(({ state }) => state);
    expect(['waiting', 'failed', 'sent'].map((state) => states.filter((one) => one === state).length)).toEqual([
      LIMITS.deliveriesWaiting,
      3,
      0,
    ]);
  });

  it('collects the first LIMITS.deliveryEvents events of a day in a message', async () => {
    const store = await engine.open();
    await store.write((writes) =>
      writes.putSubscription(subscription('0a', { channel: { type: 'email', to: 'ada@example.com', digest: 'daily' } })),
    );
    for (let n = 0; n <= LIMITS.deliveryEvents; n += 1) await end(store, EXTERNAL, n % 2 === 0 ? { error: 'no' } : {});
    const [message] = await store.events.deliveries('0a', 10);
    const events = await store.events.eventsOf(message?.id ?? '');
    expect([events.length, events[0]?.phase, events.at(-1)?.phase]).toEqual([LIMITS.deliveryEvents, 'began', 'ended']);
  });

  it('lists and sends messages created within one millisecond in the order of their events', async () => {
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

/** Enough that their numbers have one digit, then two. */
const EVENTS = 12;
