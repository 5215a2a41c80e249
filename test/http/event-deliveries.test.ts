import { CreatedSubscription } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import type { StoredDelivery } from '@repoless/service/events/rules/ports.ts';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callsAs, OPERATOR, startTestBackend } from '../support/backend.ts';
import { org } from '../support/builders.ts';
import { endJob, externalOrigin } from '../support/code-world.ts';
import { startEventWorld, startWebhookReceiver, verified, type WebhookReceiver } from '../support/message-receivers.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
let receiver: WebhookReceiver;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
const log: string[] = [];

const world = startBeforeAll(() => startEventWorld({ now: () => new Date(Date.now() + ahead), logged: (line) => log.push(line) }));
const { call } = callsAs(world, OPERATOR);
afterEach(async () => {
  ahead = 0;
  for (const { id } of await world.backend.store.reads.subscriptions('wknd'))
    await world.backend.store.write((writes) => writes.deleteSubscription(id));
  await receiver.stop();
});

/** The newest message of a subscription; `rests` if its last attempt has ended and the next is pending. */
async function latest(subscription: string): Promise<(StoredDelivery & { readonly rests: boolean }) | undefined> {
  const [delivery] = await world.backend.store.events.deliveries(subscription, 1);
  return delivery && { ...delivery, rests: delivery.next.getTime() > Date.now() + ahead };
}

const until = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000, interval: 20 });

describe('a message that does not arrive', () => {
  it('is retried with the same id until it arrives, and can be sent again', async () => {
    receiver = await startWebhookReceiver();
    const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
    receiver.answer(500);
    await world.fail('retried');
    await until(async () =>
      expect(await latest(id)).toMatchObject({ state: 'waiting', rests: true, attempts: 1, status: 500, problem: 'It answered 500.' }),
    );
    ahead += 5000;
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'waiting', rests: true, attempts: 2, status: 500 }));
    expect(receiver.all).toHaveLength(2);
    receiver.answer(200);
    ahead += 60_000;
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'sent', attempts: 3, status: 200 }));
    ahead += 24 * 60 * 60_000;
    const ids = () => new Set(receiver.all.map(({ headers }) => headers['webhook-id']));
    const [message = ''] = ids();
    expect([receiver.all.length, ids().size]).toEqual([3, 1]);
    ahead = 0;
    const path = `/config/wknd/subscriptions/${id}/deliveries/${String(message)}.json`;
    const again = await call('POST', path);
    expect([again.status, again.json()]).toEqual([202, expect.objectContaining({ id: message, state: 'waiting', attempts: 0 })]);
    const all = await receiver.until(4);
    expect([ids().size, verified(all[3] ?? { headers: {}, body: '' }, secret).type]).toEqual([1, 'sync-failed.began']);
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'sent', attempts: 1 }));
  });

  it('does not prevent a test message, which reports no event', async () => {
    receiver = await startWebhookReceiver();
    const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
    receiver.answer(500);
    const send = () => call('POST', `/config/wknd/subscriptions/${id}/test.json`);
    expect((await send()).status).toBe(202);
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'waiting', rests: true, attempts: 1, status: 500 }));
    // The failed message waits for its next attempt, which does not prevent a test of the repaired receiver.
    receiver.answer(200);
    expect((await send()).status).toBe(202);
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'sent', status: 200 }));
    const [, arrived = { headers: {}, body: '' }] = receiver.all;
    const link = `${world.backend.address}/config/wknd/events.json`;
    expect(verified(arrived, secret)).toMatchObject({ type: 'test', data: { org: 'wknd', link } });
    const events = await call('GET', '/config/wknd/events.json?limit=1');
    expect(JSON.stringify(events.json())).not.toContain('"kind":"test"');
  });

  it('prevents a test message while its attempt is due', async () => {
    receiver = await startWebhookReceiver();
    let open = (): void => undefined;
    receiver.answer((response) => void (open = () => response.writeHead(200).end()));
    const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
    const send = (name: string) => call('POST', `/config/wknd/subscriptions/${name}/test.json`);
    expect((await send(id)).status).toBe(202);
    await receiver.until(1);
    const refused = await send(id);
    expect([refused.status, refused.json()]).toEqual([409, expect.objectContaining({ code: 'SUBSCRIPTION_REFUSED' })]);
    expect((await send('0')).status).toBe(404);
    open();
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'sent' }));
  });

  it('is tried 9 times within about a day, each time when the list says, and then shown as failed', async () => {
    receiver = await startWebhookReceiver();
    receiver.answer(503);
    const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
    await world.fail('given-up');
    for (let attempts = 1; attempts < 9; attempts += 1) {
      await until(async () => expect(await latest(id)).toMatchObject({ state: 'waiting', rests: true, attempts }));
      ahead = ((await latest(id))?.next.getTime() ?? 0) - Date.now();
    }
    await until(async () => expect(await latest(id)).toMatchObject({ state: 'failed', attempts: 9, status: 503 }));
    const hours = ahead / (60 * 60_000);
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
    expect([receiver.all.length, new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size]).toEqual([9, 1]);
  });

  it('is shown as failed at once if LIMITS.deliveriesWaiting others are waiting', { timeout: 60_000 }, async () => {
    receiver = await startWebhookReceiver();
    receiver.answer(() => undefined);
    const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
    const time = new Date();
    for (let n = 0; n <= LIMITS.deliveriesWaiting; n += 1) {
      const how = n % 2 === 0 ? { error: 'The repository does not respond.' } : {};
      await endJob(world.backend.store, externalOrigin('wknd'), how, time);
    }
    const [refused] = await world.deliveries(id);
    expect(refused).toMatchObject({ state: 'failed', attempts: 0, problem: expect.stringContaining('Not sent: 1,000 messages') });
    for (const path of [`deliveries/${refused?.id}.json`, 'test.json']) {
      const answer = await call('POST', `/config/wknd/subscriptions/${id}/${path}`);
      expect([answer.status, answer.json()]).toEqual([409, expect.objectContaining({ code: 'SUBSCRIPTION_REFUSED' })]);
    }
  });

  it.each([
    ['redirects', 'Redirects are not followed'],
    ['answers too much', 'is too large'],
  ])('is not delivered if the receiver %s', async (what, problem) => {
    receiver = await startWebhookReceiver();
    receiver.answer((response) => {
      if (what === 'redirects') response.writeHead(307, { location: receiver.url }).end();
      else response.writeHead(200).end('x'.repeat(LIMITS.deliveryAnswer + 1));
    });
    const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
    await world.fail(what.replaceAll(' ', '-'));
    await until(async () =>
      expect(await latest(id)).toMatchObject({ state: 'waiting', rests: true, attempts: 1, problem: expect.stringContaining(problem) }),
    );
    expect(receiver.all).toHaveLength(1);
  });
});

it('a message whose outcome could not be stored is sent again by the same node when its lease has expired', async () => {
  receiver = await startWebhookReceiver();
  const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
  const other = new Database(join(world.backend.dataDir, 'repoless.sqlite'));
  const logged = log.length;
  receiver.answer((response) => {
    other.exec('begin immediate');
    response.writeHead(500).end();
  });
  const failed = world.fail('not-noted');
  await until(async () => expect(log.slice(logged).some((line) => line.includes(`msg_${id}_`))).toBe(true));
  other.exec('rollback');
  other.close();
  await failed;
  receiver.answer(200);
  expect(await latest(id)).toMatchObject({ state: 'waiting', attempts: 1, status: undefined });
  expect(receiver.all).toHaveLength(1);
  ahead += 60_000;
  await until(async () => expect(await latest(id)).toMatchObject({ state: 'sent', attempts: 2, status: 200 }));
  expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('a message in progress is not sent a second time by the same node, however long it takes', async () => {
  receiver = await startWebhookReceiver();
  let open = (): void => undefined;
  receiver.answer((response) => void (open = () => response.writeHead(200).end()));
  const { id } = await world.subscribe({ type: 'webhook', url: receiver.url });
  await world.fail('under-way');
  await receiver.until(1);
  ahead += 61_000;
  const second = await world.subscribe({ type: 'webhook', url: receiver.url });
  expect((await call('POST', `/config/wknd/subscriptions/${second.id}/test.json`)).status).toBe(202);
  const both = await receiver.until(2);
  expect(String(both[1]?.headers['webhook-id'])).toContain(second.id);
  open();
  await until(async () => expect(await latest(second.id)).toMatchObject({ state: 'sent' }));
  expect(await latest(id)).toMatchObject({ state: 'waiting', attempts: 1 });
});

it(
  'unresponsive receivers of an organization occupy at most LIMITS.deliveriesOfOrg slots, and free them in time',
  { timeout: 60_000 },
  async () => {
    receiver = await startWebhookReceiver();
    receiver.answer(() => undefined);
    const subscriptions = await Promise.all(
      Array.from({ length: LIMITS.deliveriesOfOrg + 1 }, () => world.subscribe({ type: 'webhook', url: receiver.url })),
    );
    expect(LIMITS.deliveriesAtOnce).toBeGreaterThan(LIMITS.deliveriesOfOrg);
    await world.fail('hanging');
    await receiver.until(LIMITS.deliveriesOfOrg);
    const attempts = async () => {
      const all = await Promise.all(subscriptions.map(({ id }) => latest(id)));
      return all.map((one) => one?.attempts ?? 0).toSorted((a, b) => a - b);
    };
    expect(await attempts()).toEqual([0, ...Array.from({ length: LIMITS.deliveriesOfOrg }, () => 1)]);
    receiver.answer(200);
    const started = performance.now();
    await receiver.until(LIMITS.deliveriesOfOrg + 1);
    expect(performance.now() - started).toBeLessThan(3 * LIMITS.deliveryTime);
    const problems = await Promise.all(subscriptions.map(({ id }) => latest(id)));
    expect(problems.some((one) => one?.problem?.includes('did not respond in time'))).toBe(true);
  },
);

describe('organizations whose receiver does not answer', () => {
  // Also with more organizations than slots: shares depend on the messages sent, not on how long messages have waited.
  it.each([
    [4, 2 * LIMITS.deliveriesOfOrg + 1],
    [LIMITS.deliveriesAtOnce + 1, LIMITS.deliveriesOfOrg + 1],
  ])('delay another one by at most one of their messages: %i of them', { timeout: 60_000 }, async (count, each) => {
    receiver = await startWebhookReceiver();
    receiver.answer(() => undefined);
    const { store } = world.backend;
    const silent = Array.from({ length: count }, (_, index) => `silent-${count}-${index}`);
    const other = `zenith-${count}`;
    const subscribe = async (name: string) => {
      const body = { channel: { type: 'webhook', url: receiver.url } };
      const created = await call('POST', `/config/${name}/subscriptions.json`, body);
      return CreatedSubscription.parse(created.json()).id;
    };
    const ids: string[] = [];
    for (const name of [...silent, other]) {
      await store.write((writes) => writes.putOrg(org(name, { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] })));
      for (let n = 0; n < (name === other ? 1 : each); n += 1) ids.push(await subscribe(name));
    }
    try {
      for (const name of silent) await endJob(store, externalOrigin(name), { error: 'The repository does not respond.' });
      await receiver.until(LIMITS.deliveriesAtOnce);
      await endJob(store, externalOrigin(other), { error: 'The repository does not respond.' });
      const [waiting = ''] = ids.slice(-1);
      const arrived = () => receiver.all.findIndex(({ headers }) => String(headers['webhook-id']).includes(waiting));
      // All slots become free at most once before it gets one.
      await vi.waitFor(() => expect(arrived()).toBeGreaterThan(0), { timeout: 40_000, interval: 20 });
      expect(arrived()).toBeLessThan(2 * LIMITS.deliveriesAtOnce);
    } finally {
      for (const id of ids) await store.write((writes) => writes.deleteSubscription(id));
    }
  });
});

it('nothing is sent to an internal address if the settings refuse it', async () => {
  receiver = await startWebhookReceiver();
  const guarded = await stopAfterTest(startTestBackend({ claim: false, settings: { INTERNAL_ADDRESSES: 'refuse' } }));
  await guarded.store.write((writes) => writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] })));
  const body = { channel: { type: 'webhook', url: receiver.url } };
  const created = await guarded.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body });
  const { id } = CreatedSubscription.parse(created.json());
  await endJob(guarded.store, externalOrigin('wknd'), { error: 'The repository does not respond.' });
  await until(async () => {
    const problem = expect.stringContaining('is an internal address') as string;
    expect(await guarded.store.events.deliveries(id, 1)).toMatchObject([{ attempts: 1, problem }]);
  });
  expect(receiver.all).toEqual([]);
});

it('the log contains no secret, signature or text of a message', () => {
  expect(log.some((line) => line.includes('/subscriptions'))).toBe(true);
  expect(log.join('\n')).not.toMatch(/whsec_|webhook-signature|branch not found/);
});
