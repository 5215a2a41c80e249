import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SiteCheckInput } from '#contract/checked-site.ts';
import { OPERATOR } from '../support/backend.ts';
import { startEventWorld } from '../support/event-world.ts';
import type { EventWorld } from '../support/event-world.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import type { WebhookReceiver } from '../support/message-receivers.ts';

let world: EventWorld;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await startEventWorld({ settings: { SITE_CHECK_INTERVAL: '0' } });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

async function found(verdict: 'fine' | 'wrong' | 'warning', drifts: SiteCheckInput['drifts'] = []): Promise<void> {
  const findings = [{ check: 'project-type', verdict, data: { site: 'first' } }];
  const body = { version: 1, switched: true, drifts, findings };
  const answer = await world.backend.call('PUT', '/config/wknd/sites/first/checks.json', { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(200);
}

it('a check that fails and a drift are told once, and once more when they are mended; what the first look finds is not', async () => {
  const { secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
  const drift = { field: 'siteName', authoring: 'other', service: 'first' } as const;
  await found('wrong');
  await found('fine');
  await found('wrong');
  await found('wrong', [drift]);
  await found('warning', [drift]);
  await found('fine');
  const all = (await receiver.until(4)).map((message) => verified(message, secret));
  const about = { org: 'wknd', site: 'first' };
  const told = all.map(({ type, data }) => [type, data['cause']].join(' ')).toSorted((a, b) => a.localeCompare(b));
  expect(told).toEqual([
    'check-failed.began check:first/project-type',
    'check-failed.ended check:first/project-type',
    'drift.began drift:first',
    'drift.ended drift:first',
  ]);
  for (const { data } of all) expect(data).toMatchObject(about);
  expect((await world.events('?site=first')).events.map(({ kind, phase, about: what }) => [kind, phase, what])).toEqual([
    ['drift', 'ended', 'siteName'],
    ['check-failed', 'ended', 'project-type'],
    ['drift', 'began', 'siteName'],
    ['check-failed', 'began', 'project-type'],
  ]);
  expect((await world.events('?site=first&open=true')).events).toEqual([]);
});
