import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventDelivery } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR } from '../support/backend.ts';
import { endJob, externalOrigin } from '../support/end-job.ts';
import { startEventWorld } from '../support/event-world.ts';
import type { EventWorld } from '../support/event-world.ts';
import { startMailReceiver } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
let world: EventWorld;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

afterEach(() => {
  ahead = 0;
});
const mail = startBeforeAll(() => startMailReceiver());
beforeAll(async () => {
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'service@repoless.example' };
  world = await startEventWorld({ settings, now: () => new Date(Date.now() + ahead) });
});
afterAll(async () => {
  await world.stop();
});

describe('e-mail, by a real mail server', () => {
  it('tells once of a sync that fails, and once more that it is mended, whatever the server thinks of it first', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR });
    mail.answer(451);
    await world.fail('mailed');
    const state = async () => (await world.backend.store.events.deliveries(id, 1))[0];
    await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'waiting', attempts: 1, status: 451 }), WAIT);
    mail.answer(250);
    ahead += 5000;
    await mail.until(1);
    ahead = 0;
    await world.mend('mailed');
    const [began = '', ended = '', ...more] = await mail.until(2);
    expect(more).toEqual([]);
    expect(mail.recipients).toEqual([OPERATOR]);
    expect(header(began, 'subject')).toBe('wknd: the code sync of github:wknd/wknd, branch mailed failed');
    expect(header(ended, 'subject')).toBe('wknd: the code sync of github:wknd/wknd, branch mailed works again');
    expect(header(began, 'from')).toBe('service@repoless.example');
    expect(header(began, 'message-id')).toMatch(new RegExp(`^<msg_${id}_\\d+@repoless\\.example>$`));
    expect(began).toContain('branch not found');
    expect(unfolded(began)).toContain(`All events: ${world.backend.address}/config/wknd/events.json`);
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('is tried at once by a test message, also where a day is gathered', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    await world.backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
    const letter = (await mail.until(before + 1)).at(-1) ?? '';
    expect(header(letter, 'subject')).toBe('wknd: test message');
    expect(unfolded(letter)).toContain('This is a test message: nothing is wrong.');
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('says where the events of a day are more than a mail holds', { timeout: 60_000 }, async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    for (let n = 0; n <= LIMITS.deliveryEvents; n += 1)
      await endJob(world.backend.store, externalOrigin('wknd'), n % 2 === 0 ? { error: 'The repository does not respond.' } : {});
    ahead = 31 * 60 * 60_000;
    const digest = unfolded((await mail.until(before + 1)).at(-1) ?? '');
    expect(header(digest, 'subject')).toMatch(/^wknd: 1000 events/);
    expect(digest).toContain('This message holds the first 1,000 events of the day. There may be more.');
    ahead = 0;
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('gathers a day into one mail, where that is asked for', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    await world.fail('one');
    await world.fail('two');
    await world.mend('one');
    ahead = 31 * 60 * 60_000;
    const digest = (await mail.until(before + 1)).at(-1) ?? '';
    expect(header(digest, 'subject')).toMatch(/^wknd: 3 events, 1 still open$/);
    expect(unfolded(digest).match(/branch (?:one|two) (?:failed|works again)/g)).toEqual([
      'branch one failed',
      'branch two failed',
      'branch one works again',
    ]);
    await vi.waitFor(async () => expect(await world.backend.store.events.deliveries(id, 2)).toMatchObject([{ state: 'sent' }]), WAIT);
    ahead = 0;
    expect(mail.all).toHaveLength(before + 1);
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('waits for the morning after, whoever sends the message of a day again before: what happens later that day is told with it', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    await world.fail('early');
    const [made] = await world.deliveries(id);
    const again = await world.backend.call('POST', `/config/wknd/subscriptions/${id}/deliveries/${made?.id}.json`, { as: OPERATOR });
    expect([again.status, EventDelivery.parse(again.json())]).toEqual([202, made]);
    await world.backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
    const [test = ''] = (await mail.until(before + 1)).slice(before);
    expect(header(test, 'subject')).toBe('wknd: test message');
    await world.fail('late');
    ahead = 31 * 60 * 60_000;
    const [, digest = ''] = (await mail.until(before + 2)).slice(before);
    expect(unfolded(digest).match(/branch (?:early|late) failed/g)).toEqual(['branch early failed', 'branch late failed']);
    const { events } = world.backend.store;
    await vi.waitFor(async () => expect((await events.deliveries(id, 2))[1]).toMatchObject({ state: 'sent' }), WAIT);
    // Its day is over by now.
    expect(await events.again(id, made?.id ?? '', new Date(Date.now() + ahead))).toMatchObject({ state: 'waiting' });
    expect((await mail.until(before + 3)).slice(before)[2]).toContain('early');
    ahead = 0;
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('has no header and no line but its own, whatever others wrote', async () => {
    await world.subscribe({ type: 'email', to: OPERATOR });
    const before = mail.all.length;
    const error = 'Broken.\r\nBcc: sam@example.com\r\n\r\n.\r\nMAIL FROM:<evil@example.com>\u2028Subject: Hello';
    await endJob(world.backend.store, externalOrigin('wknd'), { error }, new Date(), 'main\r\nBcc: sam@example.com');
    const sent = (await mail.until(before + 1)).at(-1) ?? '';
    const [head = '', body = ''] = sent.split(/\r?\n\r?\n/, 2);
    expect([header(sent, 'bcc'), header(sent, 'cc'), mail.recipients]).toEqual([undefined, undefined, [OPERATOR]]);
    expect(head.match(/^subject:/gim)).toHaveLength(1);
    expect(body).not.toMatch(/^(?:Bcc|MAIL FROM|Subject|\.)/m);
  });
});

const WAIT = { timeout: 20_000, interval: 20 };

/** A header's value, its folded lines as one. */
function header(mail: string, name: string): string | undefined {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return lines
    .find((line) => line.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();
}

/** A text as it was before it was cut into lines for the way. */
function unfolded(mail: string): string {
  return mail.replaceAll(/=\r?\n/g, '');
}
