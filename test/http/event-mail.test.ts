import { CreatedSubscription, EventDelivery, EventDeliveryList, Subscription, SubscriptionList } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { endJob, externalOrigin } from '../support/code-world.ts';
import { startEventWorld, startMailReceiver } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

afterEach(() => {
  ahead = 0;
});
const mail = startBeforeAll(() => startMailReceiver());
const world = startBeforeAll(() => {
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'service@repoless.example' };
  return startEventWorld({ settings, now: () => new Date(Date.now() + ahead) });
});

describe('e-mail', () => {
  it('reports a failing sync once and its success once, even if the server first answers 451', async () => {
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

  it('sends a test message at once, even with a daily digest', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    await world.backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
    const letter = (await mail.until(before + 1)).at(-1) ?? '';
    expect(header(letter, 'subject')).toBe('wknd: test message');
    expect(unfolded(letter)).toContain('This is a test message: nothing is wrong.');
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('says that a digest has only the first LIMITS.deliveryEvents events of a day', { timeout: 60_000 }, async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    for (let n = 0; n <= LIMITS.deliveryEvents; n += 1)
      await endJob(world.backend.store, externalOrigin('wknd'), n % 2 === 0 ? { error: 'The repository does not respond.' } : {});
    ahead = 31 * 60 * 60_000;
    const digest = unfolded((await mail.until(before + 1)).at(-1) ?? '');
    expect(header(digest, 'subject')).toMatch(/^wknd: 1000 events/);
    expect(digest).toContain('This message contains the first 1,000 events of the day. There may be more.');
    ahead = 0;
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('collects the events of a day in one message on request', async () => {
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

  it('sends a daily digest only when its day has ended, with later events, even if it is requested earlier', async () => {
    const { id } = await world.subscribe({ type: 'email', to: OPERATOR, digest: 'daily' });
    const before = mail.all.length;
    await world.fail('early');
    const [waiting] = await world.deliveries(id);
    const again = await world.backend.call('POST', `/config/wknd/subscriptions/${id}/deliveries/${waiting?.id}.json`, { as: OPERATOR });
    expect([again.status, EventDelivery.parse(again.json())]).toEqual([202, waiting]);
    await world.backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
    const [test = ''] = (await mail.until(before + 1)).slice(before);
    expect(header(test, 'subject')).toBe('wknd: test message');
    await world.fail('late');
    ahead = 31 * 60 * 60_000;
    const [, digest = ''] = (await mail.until(before + 2)).slice(before);
    expect(unfolded(digest).match(/branch (?:early|late) failed/g)).toEqual(['branch early failed', 'branch late failed']);
    const { events } = world.backend.store;
    await vi.waitFor(async () => expect((await events.deliveries(id, 2))[1]).toMatchObject({ state: 'sent' }), WAIT);
    // Its day has ended by now.
    expect(await events.resend(id, waiting?.id ?? '', new Date(Date.now() + ahead))).toMatchObject({ state: 'waiting' });
    expect((await mail.until(before + 3)).slice(before)[2]).toContain('early');
    ahead = 0;
    await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
  });

  it('has only its own headers and lines, whatever an event contains', async () => {
    await world.subscribe({ type: 'email', to: OPERATOR });
    const before = mail.all.length;
    const error = 'Broken\u202E.\r\nBcc: sam@example.com\r\n\r\n.\r\nMAIL FROM:<evil@example.com>\u2028Subject: Hello';
    await endJob(world.backend.store, externalOrigin('wknd'), { error }, new Date(), 'main\u202E\r\nBcc: sam@example.com');
    const sent = (await mail.until(before + 1)).at(-1) ?? '';
    const [head = '', body = ''] = sent.split(/\r?\n\r?\n/, 2);
    expect([header(sent, 'bcc'), header(sent, 'cc'), mail.recipients]).toEqual([undefined, undefined, [OPERATOR]]);
    expect(head.match(/^subject:/gim)).toHaveLength(1);
    expect(body).not.toMatch(/^(?:Bcc|MAIL FROM|Subject|\.)/m);
    // No character reverses the direction of our own text after it.
    expect(header(sent, 'subject')).toBe('wknd: the code sync of byogit:100/200, branch main Bcc: sam@example.com failed');
    expect(unfolded(body)).not.toContain('=E2=80=AE');
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

/** A text before it was folded for transport. */
function unfolded(mail: string): string {
  return mail.replaceAll(/=\r?\n/g, '');
}

describe('e-mail to a recipient', () => {
  const ALL = '/config/wknd/subscriptions.json';
  const LEAVER = 'leaver@example.org';
  const DAY = 24 * 60 * 60_000;
  /** Milliseconds by which the service's clock is ahead. */
  let ahead = 0;

  const mail = startBeforeAll(() => startMailReceiver());
  const backend = startBeforeAll(() => {
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'service@repoless.example', MAIL_DOMAINS: 'teams.example.com' };
    return startTestBackend({ orgs: ['wknd'], settings, dryRun: false, now: () => new Date(Date.now() + ahead) });
  });
  afterEach(() => {
    ahead = 0;
  });

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const who = 'x-auth-token' in headers ? {} : { as: OPERATOR };
    const answer = await backend.call(method, path, { ...who, headers, ...(body !== undefined && { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  }

  const admit = async (email: string, role = 'admin') =>
    z.object({ id: z.string() }).parse((await call('POST', '/config/wknd/users.json', { email, roles: [role] })).json()).id;
  const removeUser = (user: string) => call('DELETE', `/config/wknd/users/${user}.json`);
  const tokenOf = async (who: Parameters<TestBackend['token']>[0]) => ({ 'x-auth-token': await backend.token(who) });
  const subscribe = async (channel: object, headers?: Record<string, string>) =>
    CreatedSubscription.parse((await call('POST', ALL, { channel: { type: 'email', ...channel } }, headers)).json()).id;
  const one = (id: string) => `/config/wknd/subscriptions/${id}.json`;
  const listed = async (id: string) =>
    SubscriptionList.parse((await call('GET', ALL)).json()).subscriptions.find((subscription) => subscription.id === id);
  const raiseProblem = () =>
    backend.store.write((writes) =>
      writes.setCause({
        kind: 'drift',
        cause: crypto.randomUUID(),
        org: 'wknd',
        about: 'title',
        isOpen: true,
        time: new Date().toISOString(),
      }),
    );

  /** The outcome of the newest message of a subscription, once it no longer waits. */
  async function outcome(id: string): Promise<EventDelivery> {
    return await vi.waitFor(async () => {
      const answer = await call('GET', `/config/wknd/subscriptions/${id}/deliveries.json`);
      const [newest] = EventDeliveryList.parse(answer.json()).deliveries;
      if (newest === undefined || newest.state === 'waiting') throw new Error('It waits.');
      return newest;
    }, WAIT);
  }

  it('fails with a reason if the recipient no longer administers the organization, and arrives when they do again', async () => {
    const user = await admit(LEAVER);
    const id = await subscribe({ to: 'Leaver@example.org' }, await tokenOf(LEAVER));
    await raiseProblem();
    expect(await outcome(id)).toMatchObject({ state: 'sent' });
    expect(await listed(id)).not.toHaveProperty('withheld');
    const before = mail.all.length;

    await removeUser(user);
    await raiseProblem();
    const given = await outcome(id);
    expect(given).toMatchObject({
      state: 'failed',
      attempts: 1,
      problem:
        'Not sent: Leaver@example.org can no longer configure the organization. Remove this subscription, or give them a role that can, and send the message again.',
    });
    expect(mail.all).toHaveLength(before);
    expect(await listed(id)).toMatchObject({ withheld: true });
    const read = await call('GET', one(id));
    expect(Subscription.parse(read.json())).toMatchObject({ withheld: true });

    // An author may not read the organization.
    await removeUser(await admit(LEAVER, 'author'));
    await admit(LEAVER, 'config_admin');
    expect(await listed(id)).not.toHaveProperty('withheld');
    expect((await backend.call('DELETE', one(id), { as: OPERATOR, headers: { 'if-match': String(read.headers['etag']) } })).status).toBe(
      412,
    );
    await call('POST', `/config/wknd/subscriptions/${id}/deliveries/${given.id}.json`);
    expect(await outcome(id)).toMatchObject({ state: 'sent', id: given.id });
    expect(mail.recipients).toEqual(['Leaver@example.org']);
    const { etag } = (await call('GET', one(id))).headers;
    await call('DELETE', one(id), undefined, { ...(await tokenOf(OPERATOR)), 'if-match': String(etag) });
  });

  it('who no longer administers the organization fails as a digest and as a test message, too', async () => {
    const user = await admit('daily@example.org');
    const id = await subscribe({ to: 'daily@example.org', digest: 'daily' }, await tokenOf('daily@example.org'));
    await raiseProblem();
    await removeUser(user);
    const before = mail.all.length;
    await call('POST', `/config/wknd/subscriptions/${id}/test.json`);
    expect(await outcome(id)).toMatchObject({ state: 'failed' });
    ahead = 2 * DAY;
    const ended = async () => (await backend.store.events.deliveries(id, 5)).filter(({ state }) => state !== 'waiting');
    await vi.waitFor(async () => expect(await ended()).toMatchObject([{ state: 'failed' }, { state: 'failed' }]), WAIT);
    ahead = 0;
    expect(mail.all).toHaveLength(before);
    await call('DELETE', one(id));
  });

  it('reaches administrators by user id or by group, and domains that the operator allows', async () => {
    const identity = { email: 'named@example.org', userId: 'named-id@techacct.example.com' };
    const user = await admit('named-id@techacct.example.com');
    const byName = await subscribe({ to: 'named@example.org' }, await tokenOf(identity));
    const group = { members: [{ email: 'grouped@example.org' }] };
    await call('POST', '/config/wknd/groups/admins.json', group);
    await admit('groups/admins');
    const byGroup = await subscribe({ to: 'grouped@example.org' }, await tokenOf('grouped@example.org'));
    const team = await subscribe({ to: 'web@teams.example.com' });
    await raiseProblem();
    for (const id of [byName, byGroup, team]) expect(await outcome(id)).toMatchObject({ state: 'sent' });
    await removeUser(user);
    await call('POST', '/config/wknd/groups/admins.json', { members: [] });
    await raiseProblem();
    for (const id of [byName, byGroup]) expect(await outcome(id)).toMatchObject({ state: 'failed' });
    expect(await outcome(team)).toMatchObject({ state: 'sent' });
    expect((await call('GET', ALL)).text).not.toContain('named-id@techacct.example.com');
  });
});

it('no password is sent to a mail server that offers no encryption', async () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.com\r\n');
    socket.on('data', (data) => {
      received.push(String(data));
      const isHello = String(data).startsWith('EHLO');
      socket.write(isHello ? '250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n' : '502 Not known\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const SMTP_URL = `smtp://user:password@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const backend = await startTestBackend({ dryRun: false, settings: { SMTP_URL, MAIL_FROM: 'service@repoless.example' } });
  const body = { channel: { type: 'email', to: OPERATOR } };
  const created = await backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body });
  const { id } = CreatedSubscription.parse(created.json());
  await backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
  const problem = async () => (await backend.store.events.deliveries(id, 1))[0]?.problem;
  await expect.poll(problem).toBe('The connection to the mail server could not be encrypted, so it was not sent.');
  expect(received).toEqual([expect.stringMatching(/^EHLO/), 'STARTTLS\r\n']);
  await backend.stop();
  await new Promise((resolve) => server.close(resolve));
});

describe('an e-mail to a slow mail server', () => {
  let backend: TestBackend;
  let server: Server;
  let isStopped = false;
  /** Emits the connection of each mail being sent. */
  const mails = new EventEmitter<{ started: [Socket] }>();

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 mail.example.com\r\n');
      // Sends without end.
      socket.once('data', () => {
        mails.emit('started', socket);
        const more = setInterval(() => socket.write('250-more\r\n'), 50);
        socket.on('close', () => clearInterval(more));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const settings = { SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, MAIL_FROM: 'service@repoless.example' };
    backend = await startTestBackend({ dryRun: false, settings });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    if (!isStopped) await backend.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  async function sent(): Promise<{ readonly id: string; readonly socket: Socket }> {
    const body = { channel: { type: 'email', to: OPERATOR } };
    const created = await backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body });
    const { id } = CreatedSubscription.parse(created.json());
    const started = once(mails, 'started') as Promise<[Socket]>;
    expect((await backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR })).status).toBe(202);
    const [socket] = await started;
    return { id, socket };
  }

  const delivery = async (id: string) => (await backend.store.events.deliveries(id, 1))[0];

  it('fails after LIMITS.mailTime, even if the mail server keeps answering', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { id, socket } = await sent();
    vi.advanceTimersByTime(LIMITS.mailTime - 1);
    expect([socket.destroyed, (await delivery(id))?.problem]).toEqual([false, undefined]);
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(1);
    await closed;
    vi.useRealTimers();
    const problem = 'The mail server did not accept it within 30 seconds.';
    await vi.waitFor(async () => expect(await delivery(id)).toMatchObject({ state: 'waiting', attempts: 1, problem }), 10_000);
  });

  it('does not delay the stop of the service', async () => {
    const { socket } = await sent();
    const closed = once(socket, 'close');
    await backend.stop();
    isStopped = true;
    await closed;
  });
});
