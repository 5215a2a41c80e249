import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startEventWorld } from '../support/event-world.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startBeforeAll(() => startEventWorld());
const receiver = startBeforeAll(() => startWebhookReceiver());

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

describe('the list of events', () => {
  it('is told newest first, in pages, by what is open still and by site', async () => {
    for (const branch of ['a', 'b', 'c']) await world.fail(branch);
    await world.mend('b');
    const { events } = await world.events();
    expect(events.slice(0, 4).map(({ ref, phase, open }) => [ref, phase, open])).toEqual([
      ['b', 'ended', false],
      ['c', 'began', true],
      ['b', 'began', false],
      ['a', 'began', true],
    ]);
    expect((await world.events('?open=true')).events.map(({ ref }) => ref)).toEqual(['c', 'a']);
    expect((await world.events('?site=first')).events).toEqual(events);
    expect((await world.events('?site=second')).events).toEqual([]);
    const page = await world.events('?limit=2&open=true&site=first');
    expect([page.events.length, page.links.next]).toEqual([2, undefined]);
    const first = await world.events('?limit=3');
    const next = await world.events(new URL(first.links.next ?? '', world.backend.address).search);
    expect([...first.events, ...next.events]).toEqual(events);
  });

  it('counts what somebody has not read, for themselves', async () => {
    const { events, unread } = await world.events();
    expect(unread).toBe(events.length);
    const read = async (upTo: number) =>
      (await world.backend.call('POST', '/config/wknd/events/read.json', { as: OPERATOR, body: { upTo } })).json();
    expect(await read(events[1]?.id ?? 0)).toEqual({ unread: 1 });
    expect(await read(Number.MAX_SAFE_INTEGER)).toEqual({ unread: 0 });
    await world.fail('after-all');
    expect((await world.events()).unread).toBe(1);
    for (const body of [{}, { upTo: -1 }, { upTo: 'all' }]) {
      const answer = await world.backend.call('POST', '/config/wknd/events/read.json', { as: OPERATOR, body });
      expect(answer.headers['x-error-code']).toBe('BODY_INVALID');
    }
  });
});

describe('a code sync of a branch that is deleted', () => {
  it('fails no longer, whether the branch was ever served or not', async () => {
    await world.fail('deleted');
    await world.remove('other');
    const open = async () => (await world.events('?open=true')).events.map(({ ref }) => ref);
    expect(await open()).toContain('deleted');
    await world.remove('deleted');
    expect(await open()).not.toContain('deleted');
    expect((await world.events()).events.slice(0, 2)).toMatchObject([
      { kind: 'sync-failed', ref: 'deleted', phase: 'ended', open: false },
      { phase: 'began', open: false },
    ]);
  });
});
