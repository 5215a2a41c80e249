import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

let backend: TestBackend;
let server: Server;
let isStopped = false;
/** Tells the connection of each mail that is being sent. */
const mails = new EventEmitter<{ begun: [Socket] }>();

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.com\r\n');
    // Never silent, and never done.
    socket.once('data', () => {
      mails.emit('begun', socket);
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
  const made = await backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body });
  const { id } = CreatedSubscription.parse(made.json());
  const begun = once(mails, 'begun') as Promise<[Socket]>;
  const answer = await backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR });
  expect(answer.status).toBe(202);
  const [socket] = await begun;
  return { id, socket };
}

const delivery = async (id: string) => (await backend.store.events.deliveries(id, 1))[0];

it('an e-mail that takes longer than LIMITS.mailTime is given up, however little the mail server is silent', async () => {
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

it('an e-mail that is under way keeps nobody from stopping the service', async () => {
  const { socket } = await sent();
  const closed = once(socket, 'close');
  await backend.stop();
  isStopped = true;
  await closed;
});
