import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { externalOrigin, githubOrigin } from '../support/code-world.ts';
import { eachStore } from '../support/each-store.ts';
import { DAY, end, EXTERNAL, tidyEvents, NOW, putOn, subscription } from './event-world.ts';

const GITHUB = githubOrigin('Acme', 'website');

eachStore((engine) => {
  it('reports a failed sync, and its recovery, once to each organization with a site on the repository', async () => {
    const store = await engine.open();
    for (const [org, site] of [
      ['acme', 'one'],
      ['acme', 'two'],
      ['zenith', 'one'],
    ] as const)
      await putOn(store, org, site, 'github:acme/Website');
    await end(store, GITHUB, { error: 'The host does not respond.' });
    await end(store, GITHUB, { error: 'The host does still not respond.' });
    for (const org of ['acme', 'zenith']) {
      expect(await store.events.events(org, { limit: 10 })).toEqual([
        expect.objectContaining({
          org,
          kind: 'sync-failed',
          phase: 'began',
          open: true,
          repository: 'github:acme/website',
          ref: 'main',
          detail: 'The host does not respond.',
        }),
      ]);
    }
    await end(store, GITHUB, {});
    await end(store, GITHUB, {});
    for (const org of ['acme', 'zenith'])
      expect((await store.events.events(org, { limit: 10 })).map(({ phase, open }) => [phase, open])).toEqual([
        ['ended', false],
        ['began', false],
      ]);
    expect(await store.events.events('acme', { limit: 10, open: true })).toEqual([]);
    expect(await store.events.events('acme', { limit: 10, site: 'two' })).toHaveLength(2);
    expect(await store.events.events('acme', { limit: 10, site: 'three' })).toEqual([]);
  });

  it('reports a failed sync of an external repository to its organization', async () => {
    const store = await engine.open();
    await end(store, EXTERNAL, { error: 'no' });
    expect(await store.events.events('acme', { limit: 10 })).toEqual([
      expect.objectContaining({ repository: 'byogit:100/200', cause: `${EXTERNAL.key}#main` }),
    ]);
  });

  it('reports nothing about a stopped sync', async () => {
    const store = await engine.open();
    await end(store, EXTERNAL, { error: 'stopped', cancelled: true });
    expect(await store.events.events('acme', { limit: 10 })).toEqual([]);
  });

  it.each(['NUL \0 and half a \ud800 pair', '\u0000'.repeat(3), '"\\u0000"', 'x'.repeat(5000)])(
    'ends a failed sync, whatever its error: %#',
    async (error) => {
      const store = await engine.open();
      await end(store, EXTERNAL, { error });
      const [event] = await store.events.events('acme', { limit: 10 });
      expect([event?.phase, (event?.detail ?? '').length <= 1000]).toEqual(['began', true]);
    },
  );

  it('creates a message for each subscription that matches kind and site, and none for others', async () => {
    const store = await engine.open();
    await putOn(store, 'acme', 'one', 'github:acme/website');
    await putOn(store, 'acme', 'other', 'github:acme/else');
    const wanted = [
      subscription('0a', {}),
      subscription('0b', { kinds: ['sync-failed', 'drift'] }),
      subscription('0c', { sites: ['one'] }),
    ];
    const others = [
      subscription('0d', { kinds: ['drift'] }),
      subscription('0e', { sites: ['other', 'on', 'one-more'] }),
      subscription('0f', { org: 'zenith' }),
    ];
    await store.write(async (writes) => {
      for (const one of [...wanted, ...others]) await writes.putSubscription(one);
    });
    await end(store, GITHUB, { error: 'no' });
    const [event] = await store.events.events('acme', { limit: 1 });
    for (const { id } of wanted) {
      const messages = await store.events.deliveries(id, 10);
      expect(messages.map((one) => [one.id, one.state, one.attempts])).toEqual([[`msg_${id}_${event?.id}`, 'waiting', 0]]);
      expect(await store.events.eventsOf(messages[0]?.id ?? '')).toEqual([event]);
    }
    for (const { id } of others) expect(await store.events.deliveries(id, 10)).toEqual([]);
  });

  it('collects daily messages by day, due the next morning', async () => {
    const store = await engine.open();
    const daily = subscription('0a', { channel: { type: 'email', to: 'ada@example.com', digest: 'daily' } });
    await store.write((writes) => writes.putSubscription(daily));
    await end(store, EXTERNAL, { error: 'no' });
    await end(store, EXTERNAL, {}, new Date('2026-03-01T23:59:59.999Z'));
    await end(store, EXTERNAL, { error: 'no' }, new Date('2026-03-31T00:00:00.000Z'));
    const messages = await store.events.deliveries('0a', 10);
    expect(messages.map(({ id, next }) => [id, next.toISOString()])).toEqual([
      ['msg_0a_2026-03-31', '2026-04-01T06:00:00.000Z'],
      ['msg_0a_2026-03-01', '2026-03-02T06:00:00.000Z'],
    ]);
    expect((await store.events.eventsOf('msg_0a_2026-03-01')).map(({ phase }) => phase)).toEqual(['began', 'ended']);
  });

  it('gives each message to one of several nodes, and to another when its lease has ended', async () => {
    const database = await engine.newDatabase();
    const nodes =
      engine.name === 'SQLite' ? [await database.open()] : [await database.open(), await database.open(), await database.open()];
    const [store] = nodes;
    if (store === undefined) throw new Error('There is no node.');
    await store.write((writes) => writes.putSubscription(subscription('0a', {})));
    await end(store, EXTERNAL, { error: 'no' });
    expect(await store.events.waitingOrgs(NOW, NOW, { behind: '', limit: 10 })).toEqual(['acme']);
    const lease = (owner: string, now: Date) => ({ owner, until: new Date(now.getTime() + 60_000), now, leased: now, running: [] });
    const claims = [...nodes, ...nodes, ...nodes].map((node, index) => node.events.claim('acme', lease(`owner-${index}`, NOW)));
    const claimed = (await Promise.all(claims)).filter((one) => one !== undefined);
    expect(claimed).toHaveLength(1);
    const later = new Date(NOW.getTime() + 60_000);
    const [id = ''] = claimed.map((one) => one.id);
    expect(await store.events.claim('acme', lease('late', later))).toMatchObject({ id, attempts: 2 });
    // A node that lost the message can no longer record its outcome.
    for (const owner of ['owner-0', 'owner-1', 'owner-2']) await store.events.sent({ id, owner, status: 200, problem: undefined }, later);
    expect(await store.events.deliveries('0a', 1)).toMatchObject([{ state: 'waiting' }]);
    await store.events.sent({ id, owner: 'late', status: 200, problem: undefined }, later);
    expect(await store.events.deliveries('0a', 1)).toMatchObject([{ state: 'sent', status: 200 }]);
    expect(await store.events.waiting(later)).toEqual({ count: 0, oldest: undefined });
  });

  it('gives a message whose lease has ended back to its node too, unless the node is still sending it', async () => {
    const store = await engine.open();
    for (const id of ['0a', '0b']) await store.write((writes) => writes.putSubscription(subscription(id, {})));
    await end(store, EXTERNAL, { error: 'no' });
    const claim = async (now: Date, running: readonly string[] = []) => {
      const lease = { owner: 'me', until: new Date(now.getTime() + 60_000), now, leased: now, running };
      return (await store.events.claim('acme', lease))?.id;
    };
    const [first = '', second = ''] = [await claim(NOW), await claim(NOW)];
    expect([new Set([first, second]).size, await claim(NOW)]).toEqual([2, undefined]);
    const later = new Date(NOW.getTime() + 60_000);
    expect(await claim(later, [first, second])).toBeUndefined();
    expect(await claim(later, [first])).toBe(second);
    expect(await claim(later)).toBe(first);
    expect(await store.events.deliveries('0a', 1)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
  });

  it('lists the organizations with due messages, starting after the one served last', async () => {
    const store = await engine.open();
    const named = ['acme', 'globex', 'umbrella', 'zenith'];
    for (const [index, org] of named.entries()) {
      await store.write((writes) => writes.putSubscription(subscription(`${index}a`, { org })));
      await end(store, externalOrigin(org), { error: 'no' });
    }
    const next = (behind: string, limit: number) => store.events.waitingOrgs(NOW, NOW, { behind, limit });
    expect(await next('', 10)).toEqual(named);
    expect(await next('globex', 3)).toEqual(['umbrella', 'zenith', 'acme']);
    expect(await next('nobody', 2)).toEqual(['umbrella', 'zenith']);
    expect(await next('zenith', 1)).toEqual(['acme']);
  });

  it('reports once that an API key expires soon, and that it was removed', async () => {
    const store = await engine.open();
    await store.write(async (writes) => {
      for (const [id, days] of [
        ['soon', 13],
        ['late', 15],
        ['over', -1],
      ] as const)
        await writes.putApiKey({
          id,
          org: 'acme',
          roles: ['author'],
          created: NOW,
          createdBy: 'ada@example.com',
          expires: new Date(NOW.getTime() + days * DAY),
        });
    });
    await tidyEvents(store, NOW);
    await tidyEvents(store, NOW);
    const detail = new Date(NOW.getTime() + 13 * DAY).toISOString();
    const about = { kind: 'expires-soon', cause: 'api-key:soon', about: 'soon' };
    expect(await store.events.events('acme', { limit: 10 })).toEqual([expect.objectContaining({ ...about, phase: 'began', detail })]);
    await store.write((writes) => writes.deleteApiKey('soon'));
    await tidyEvents(store, new Date(NOW.getTime() + 1000));
    expect(await store.events.events('acme', { limit: 1 })).toEqual([expect.objectContaining({ ...about, phase: 'ended', open: false })]);
  });

  it('reports once that an API key expires soon, however long it exists afterwards', async () => {
    const store = await engine.open();
    const key = { org: 'acme', roles: ['author'], created: NOW, createdBy: 'ada@example.com' } as const;
    await store.write(async (writes) => {
      await writes.putSubscription(subscription('0a', {}));
      await writes.putApiKey({ ...key, id: 'soon', expires: new Date(NOW.getTime() + 13 * DAY) });
    });
    await tidyEvents(store, NOW);
    const lease = { owner: 'me', until: NOW, now: NOW, leased: NOW, running: [] };
    const claimed = await store.events.claim('acme', lease);
    expect(claimed).toBeDefined();
    await store.events.sent({ id: claimed?.id ?? '', owner: 'me', status: 200, problem: undefined }, NOW);
    for (let day = 0; day < 4 * LIMITS.eventDays; day += 10) await tidyEvents(store, new Date(NOW.getTime() + day * DAY));
    const later = new Date(NOW.getTime() + 4 * LIMITS.eventDays * DAY);
    await store.write((writes) => writes.deleteApiKey('soon'));
    await tidyEvents(store, later);
    expect(await store.events.events('acme', { limit: 10 })).toEqual([]);
    expect(await store.events.deliveries('0a', 10)).toEqual([]);
  });

  it('reports a secret again when it expires, and every seven days until it is replaced', async () => {
    const store = await engine.open();
    await putOn(store, 'acme', 'one', 'github:acme/website');
    const secret = { org: 'acme', site: 'one', name: 'vendor', type: 'key', sealed: 'sealed', created: NOW, lastModified: NOW } as const;
    await store.write((writes) => writes.putSecret({ ...secret, expires: new Date(NOW.getTime() + 13.5 * DAY) }));
    const reported: number[] = [];
    for (let day = 0; day < 30; day += 1) {
      const before = (await store.events.events('acme', { limit: 20 })).length;
      // However often the check runs.
      for (let turn = 0; turn < 2; turn += 1) await tidyEvents(store, new Date(NOW.getTime() + day * DAY + turn));
      if ((await store.events.events('acme', { limit: 20 })).length > before) reported.push(day);
    }
    expect(reported).toEqual([0, 14, 21, 28]);
    await store.write((writes) => writes.putSecret({ ...secret, lastModified: new Date(NOW.getTime() + 30 * DAY) }));
    await tidyEvents(store, new Date(NOW.getTime() + 30 * DAY));
    const events = await store.events.events('acme', { limit: 20 });
    expect(events.map(({ phase, open }) => `${phase} ${open}`)).toEqual(['ended false', ...reported.map(() => 'began false')]);
  });

  it('reports a problem of any kind again when it outlives its event, once for all nodes', async () => {
    const database = await engine.newDatabase();
    const nodes = engine.name === 'SQLite' ? [await database.open()] : [await database.open(), await database.open()];
    const [store] = nodes;
    if (store === undefined) throw new Error('There is no node.');
    await putOn(store, 'acme', 'one', 'github:acme/website');
    await store.write((writes) => writes.putSubscription(subscription('0a', {})));
    await end(store, GITHUB, { error: 'no' });
    const causes = [
      { kind: 'rollout-stopped', cause: 'rollout:1', about: 'Robots' },
      { kind: 'check-failed', cause: 'check:one/config-live', site: 'one', about: 'config-live' },
      { kind: 'drift', cause: 'drift:one', site: 'one', about: 'siteName', detail: 'kept' },
    ] as const;
    const time = NOW.toISOString();
    const set = (isOpen: boolean, at: string) =>
      store.write(async (writes) => {
        for (const cause of causes) await writes.setCause({ ...cause, org: 'acme', isOpen, time: at });
      });
    await set(true, time);
    const over = { kind: 'drift', cause: 'drift:over', site: 'one', about: 'title', org: 'acme', time } as const;
    await store.write((writes) => writes.setCause({ ...over, isOpen: true }));
    await store.write((writes) => writes.setCause({ ...over, isOpen: false }));
    for (let n = 0; n < 6; n += 1) {
      const lease = { owner: 'me', until: NOW, now: NOW, leased: NOW, running: [] };
      const claimed = await store.events.claim('acme', lease);
      await store.events.sent({ id: claimed?.id ?? '', owner: 'me', status: 200, problem: undefined }, NOW);
    }
    const all = () => store.events.events('acme', { limit: 100 });
    const stillValid = new Date(NOW.getTime() + (LIMITS.eventDays - 1) * DAY);
    await tidyEvents(store, stillValid);
    expect(await all()).toHaveLength(6);
    const later = new Date(NOW.getTime() + (LIMITS.eventDays + 1) * DAY);
    await Promise.all([...nodes, ...nodes].map((node) => tidyEvents(node, later)));
    const reported = (await all()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(reported.map(({ kind, phase, open, time: at, about }) => [kind, phase, open, at, about])).toEqual([
      ['check-failed', 'began', true, later.toISOString(), 'config-live'],
      ['drift', 'began', true, later.toISOString(), 'siteName'],
      ['rollout-stopped', 'began', true, later.toISOString(), 'Robots'],
      ['sync-failed', 'began', true, later.toISOString(), expect.any(String)],
    ]);
    expect(reported.map(({ detail }) => detail)).toEqual([undefined, 'kept', undefined, 'no']);
    expect((await store.events.deliveries('0a', 10)).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    await set(false, later.toISOString());
    await end(store, GITHUB, {}, later);
    expect((await all()).slice(0, 4).map(({ phase, open }) => [phase, open])).toEqual(Array.from({ length: 4 }, () => ['ended', false]));
  });

  it('ends the event of a failed sync when no site uses the repository any more', async () => {
    const store = await engine.open();
    await putOn(store, 'acme', 'one', 'github:acme/website');
    await end(store, GITHUB, { error: 'no' });
    await tidyEvents(store, NOW);
    expect(await store.events.events('acme', { limit: 10 })).toHaveLength(1);
    await store.write((writes) => writes.deleteSite('acme', 'one', new Date()));
    await tidyEvents(store, NOW);
    expect((await store.events.events('acme', { limit: 10 })).map(({ phase }) => phase)).toEqual(['ended', 'began']);
  });

  it('counts a person’s unread events, and never makes a read event unread', async () => {
    const store = await engine.open();
    await end(store, EXTERNAL, { error: 'no' });
    await end(store, EXTERNAL, {});
    const [newest] = await store.events.events('acme', { limit: 1 });
    expect([await store.events.unread('acme', 'ada'), await store.events.unread('zenith', 'ada')]).toEqual([2, 0]);
    await store.events.markRead('acme', 'ada', newest?.id ?? 0);
    await store.events.markRead('acme', 'ada', 0);
    expect([await store.events.unread('acme', 'ada'), await store.events.unread('acme', 'bob')]).toEqual([0, 2]);
  });

  it('removes the messages of a subscription with it', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putSubscription(subscription('0a', {})));
    await end(store, EXTERNAL, { error: 'no' });
    const [message] = await store.events.deliveries('0a', 1);
    await store.write((writes) => writes.deleteSubscription('0a'));
    expect(await store.events.deliveries('0a', 1)).toEqual([]);
    expect(await store.events.eventsOf(message?.id ?? '')).toEqual([]);
    expect(await store.events.waiting(NOW)).toEqual({ count: 0, oldest: undefined });
  });
});
