import { Delivery, WebhookAnswer } from '@repoless/contract/build-management.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { forwardTo, startReceiver } from '../support/receiver.ts';
import { GITHUB, type Sent } from './payloads.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const EVENTS = 60;
/** The organization whose vendor accepts requests but does not answer. */
let holding = '';
let requests = 0;
const held = new Set<ServerResponse>();

const world = startBeforeAll(() => startBuildWorld({}, ['busy', 'other']));
const vendor = startBeforeAll(() =>
  startReceiver((incoming, response) => {
    const [, org = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    requests += 1;
    if (org === holding) {
      held.add(response);
      return void response.once('close', () => held.delete(response));
    }
    forwardTo(world.vendor.address)(incoming, response, path);
  }),
);
afterEach(release);

function release(): void {
  holding = '';
  for (const response of held) response.writeHead(404).end();
}

interface Hooked {
  readonly path: string;
  send(event: Sent): Promise<TestAnswer>;
  push(): Promise<TestAnswer>;
  deliveries(): Promise<Delivery[]>;
}

/** A READY repository of an organization, with its webhook. */
async function hooked(org: string): Promise<Hooked> {
  const cloneUrl = `${vendor.address}/${org}/northwind/storefront.git`;
  const { onboard, settled, webhook, deliveries } = world.of(org);
  const { repositoryId } = await onboard({ cloneUrl });
  await settled(repositoryId, 'READY');
  const { address, secret } = await webhook(repositoryId);
  const { pathname, search } = new URL(address);
  const send = ({ body: bytes, headers }: Sent) =>
    world.call('POST', `${pathname}${search}`, { as: null, ...GITHUB.sign({ body: bytes, headers }, secret) });
  return {
    path: `/organizations/${org}/repositories/${repositoryId}`,
    send,
    push: () => send(GITHUB.push('main', randomUUID())),
    deliveries: () => deliveries(repositoryId),
  };
}

const ended = (repository: Hooked) =>
  until(async () => {
    const all = await repository.deliveries();
    return all.some(({ outcome }) => outcome === 'accepted') ? undefined : all;
  });

let busy: Hooked;
let other: Hooked;

it('one transfer serves all waiting events of a repository', async () => {
  [busy, other] = await Promise.all([hooked('busy'), hooked('other')]);
  let before = requests;
  expect((await busy.push()).status).toBe(202);
  await ended(busy);
  const ofOne = requests - before;
  holding = 'busy';
  expect((await busy.push()).status).toBe(202);
  await expect.poll(() => held.size, { timeout: 20_000 }).toBeGreaterThan(0);
  for (let count = 0; count < EVENTS; count += 1) expect((await busy.push()).status).toBe(202);
  before = requests;
  release();
  const all = await ended(busy);
  expect(all).toHaveLength(EVENTS + 2);
  expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['ignored']));
  expect(all.filter(({ attempts }) => attempts === 1).length).toBeGreaterThanOrEqual(EVENTS);
  expect(requests - before).toBeLessThanOrEqual(4 * ofOne);
}, 120_000);

it('LIMITS.eventsWaiting events of an organization wait, even across a restart; one more is refused, and accepted later', async () => {
  holding = 'busy';
  const answers: WebhookAnswer[] = [];
  for (let count = 0; count < LIMITS.eventsWaiting; count += 1) {
    const answer = await busy.push();
    expect(answer.status, answer.text).toBe(202);
    answers.push(WebhookAnswer.parse(answer.json()));
  }
  const event = GITHUB.push('main', randomUUID());
  const refused = async () => {
    const { status, headers } = await busy.send(event);
    expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'OVERLOADED', '60']);
    expect(headers['x-error']).toMatch(/^Too many events of this organization are waiting, .* This event was not stored\. Send it again/);
  };
  await refused();
  expect(world.output.some((line) => line.includes('"code":"OVERLOADED"') && line.includes('/webhooks/'))).toBe(true);
  expect((await busy.send(GITHUB.tag(randomUUID()))).status).toBe(200);
  expect((await other.push()).status).toBe(202);
  await ended(other);

  // Interrupted events are queued again.
  for (const response of held) response.destroy();
  await world.restart();
  await refused();

  release();
  await ended(busy);
  // The very first ran too, although it has dropped off the list.
  const [first] = answers;
  const again = await world.call('POST', `${busy.path}/deliveries/${first?.delivery ?? ''}/resend`);
  expect(again.status, again.text).toBe(202);
  expect(Delivery.parse(again.json()).attempts).toBeGreaterThanOrEqual(2);
  const accepted = await busy.send(event);
  expect([accepted.status, WebhookAnswer.parse(accepted.json()).repeated]).toEqual([202, false]);
  await ended(busy);
}, 240_000);
