import { CreatedSubscription } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { putSite } from '../storage/put-site.ts';
import { ask } from '../support/ask.ts';
import { tokenOf } from '../support/token-of.ts';
import { OPERATOR } from '../support/backend.ts';
import { org, siteWrite } from '../support/builders.ts';
import { buildBackend, type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { endJob, externalOrigin } from '../support/code-world.ts';
import { diskFolder } from '../support/memory-folder.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { stopAfterTest } from '../support/start-before-all.ts';

beforeAll(() => buildBackend(), 120_000);

it('a message arrives once, even if the service is killed between the commit and the delivery', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(diskFolder(), 'repoless-telling-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const hanging = await stopAfterTest(startWebhookReceiver());
  const receiver = await stopAfterTest(startWebhookReceiver());
  const held: ServerResponse[] = [];
  hanging.answer((response) => void held.push(response));

  const prepared = await openStore({ dataDir: folder });
  await prepared.write((writes) => writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] })));
  await putSite(prepared, { ...siteWrite('first', {}, 1, 'wknd'), repository: 'byogit:100/200' });
  await prepared.close();
  const PORT = String((await freePorts()).backend);
  const start = () => startChildBackend(folder, { PORT, INTERNAL_ADDRESSES: 'allow', RATE_LIMIT: '0' });
  let child = await start();
  onTestFinished(() => killed(child));
  const token = await tokenOf(folder, child.address);
  const subscribe = async (url: string, kinds?: readonly string[]) => {
    const body = { channel: { type: 'webhook', url }, ...(kinds !== undefined && { kinds }) };
    const answer = await ask(child.address, '/config/wknd/subscriptions.json', {
      method: 'POST',
      headers: { 'x-auth-token': token },
      body,
    });
    return CreatedSubscription.parse(answer.json());
  };
  // Receivers that do not answer use all of the organization's concurrent deliveries.
  for (let n = 0; n < LIMITS.deliveriesOfOrg; n += 1) await subscribe(hanging.url);
  const store = await stopAfterTest(openStore({ dataDir: folder }));
  await endJob(store, externalOrigin('wknd'), { error: 'The first.' }, new Date(), 'first');
  await hanging.until(LIMITS.deliveriesOfOrg);
  const { id, secret = '' } = await subscribe(receiver.url);
  await endJob(store, externalOrigin('wknd'), { error: 'The second.' }, new Date(), 'second');
  expect(await store.events.deliveries(id, 10)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  await killed(child);
  expect(receiver.all).toEqual([]);

  hanging.answer(200);
  child = await start();
  const [message] = await receiver.until(1);
  if (message === undefined) throw new Error('Nothing came.');
  expect(verified(message, secret)).toMatchObject({ type: 'sync-failed.began', data: { ref: 'second', detail: 'The second.' } });
  await vi.waitFor(async () => expect(await store.events.waiting(new Date(Date.now() + 60_000))).toEqual({ count: 0, oldest: undefined }), {
    timeout: 30_000,
    interval: 50,
  });
  expect(receiver.all).toHaveLength(1);
  // Messages in progress at the kill were sent again, with the same ID.
  const ids = hanging.all.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([3 * LIMITS.deliveriesOfOrg, 2 * LIMITS.deliveriesOfOrg]);
});

async function killed({ child }: ChildBackend): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
