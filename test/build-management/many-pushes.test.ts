import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { ask } from '../support/ask.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startBeforeAll(() => startBuildWorld({}, ['wknd', 'other']));

it('none of 300 concurrent signed pushes is lost, and another caller is answered meanwhile', async () => {
  const { repositoryId } = await world.ready();
  const { address, secret } = await world.webhook(repositoryId);
  const { origin, pathname, search } = new URL(address);
  const push = (number: number) => {
    const body = JSON.stringify({ ref: 'refs/heads/main', after: 'a'.repeat(40), number });
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': `push ${number}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return ask(origin, `${pathname}${search}`, { method: 'POST', body, headers });
  };
  await push(-1);
  let [received, read] = [0, 0];
  const standstill = await longestStandstill(async () => {
    const pushes = Array.from({ length: 300 }, async (_, number) => {
      const { status } = await push(number);
      received += 1;
      return status;
    });
    // One call after the other, because a single call could wait behind all pushes in the database's queue.
    while (received < pushes.length) {
      expect((await world.call('GET', `/organizations/wknd/repositories/${repositoryId}`)).status).toBe(200);
      read += 1;
    }
    // LIMITS.eventsWaiting may be queued; the vendor retries the others.
    expect((await Promise.all(pushes)).filter((status) => status !== 202 && status !== 503)).toEqual([]);
  });
  expect(standstill).toBeLessThan(200);
  expect(read).toBeGreaterThan(10);
});

it('events that wait to be received are no bound that an organization meets before LIMITS.eventsWaiting', async () => {
  const { webhooksAtOnce, webhookEventsWaiting, allEventsWaiting } = LIMITS;
  expect(webhookEventsWaiting).toBeGreaterThan(LIMITS.eventsWaiting);
  expect(allEventsWaiting).toBeGreaterThanOrEqual(webhooksAtOnce * webhookEventsWaiting);
});
