import { expect, it } from 'vitest';
import { z } from 'zod';
import type { SiteCheckInput } from '@repoless/contract/site-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR } from '../support/backend.ts';
import { startEventWorld } from '../support/event-world.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { DAY, look } from '../storage/event-world.ts';

const world = startBeforeAll(() => startEventWorld({ settings: { SITE_CHECK_INTERVAL: '0' } }));
const receiver = startBeforeAll(() => startWebhookReceiver());

async function found(verdict: 'fine' | 'wrong' | 'warning', drifts: SiteCheckInput['drifts'] = [], site = 'first'): Promise<void> {
  const findings = [{ check: 'project-type', verdict, data: { site } }];
  const { version } = z.object({ version: z.int() }).parse((await world.backend.call('GET', siteOf(site), { as: OPERATOR })).json());
  const body = { version, switched: true, drifts, findings };
  const answer = await world.backend.call('PUT', `/config/wknd/sites/${site}/checks.json`, { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(200);
}

const siteOf = (site: string) => `/config/wknd/sites/${site}.json`;
const told = async (site: string) =>
  (await world.events(`?site=${site}`)).events.map(({ kind, phase, open, about }) => [kind, phase, about, open]);

it('a check that fails and a drift are told once, and once more when they are mended; what the first look finds is not', async () => {
  const { id, secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url });
  const drift = { field: 'siteName', authoring: 'other', service: 'first' } as const;
  await found('wrong');
  await found('fine');
  await found('wrong');
  await found('wrong', [drift]);
  await found('warning', [drift]);
  await found('fine');
  const all = (await receiver.until(4)).map((message) => verified(message, secret));
  const about = { org: 'wknd', site: 'first' };
  const causes = all.map(({ type, data }) => [type, data['cause']].join(' ')).toSorted((a, b) => a.localeCompare(b));
  expect(causes).toEqual([
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
  await world.backend.call('DELETE', `/config/wknd/subscriptions/${id}.json`, { as: OPERATOR });
});

it('a check that goes on failing is told again when that is no longer kept, and then that it is mended', async () => {
  await world.register('lasting');
  await found('fine', [], 'lasting');
  await found('wrong', [], 'lasting');
  const later = new Date(Date.now() + (LIMITS.eventDays + 1) * DAY);
  await look(world.backend.store, later);
  await look(world.backend.store, later);
  await found('wrong', [], 'lasting');
  const again = ['check-failed', 'began', 'project-type', true];
  expect(await told('lasting')).toEqual([again]);
  expect((await world.events('?site=lasting')).events[0]?.time).toBe(later.toISOString());
  await found('fine', [], 'lasting');
  expect((await told('lasting'))[0]).toEqual(['check-failed', 'ended', 'project-type', false]);
});

it('what is wrong with a site that is removed ends with it: the next one of its name has failures of its own', async () => {
  await world.register('again');
  const drift = { field: 'siteName', authoring: 'other', service: 'again' } as const;
  await found('fine', [], 'again');
  await found('wrong', [drift], 'again');
  const key = { roles: ['author'], expiresIn: 3600 };
  expect((await world.backend.call('POST', '/config/wknd/sites/again/apiKeys.json', { as: OPERATOR, body: key })).status).toBe(201);
  const ends = new Date(Date.now() + DAY).toISOString();
  const secret = { value: 'token', expires: ends };
  const put = await world.backend.call('POST', '/config/wknd/sites/again/secrets/vendor.json', { as: OPERATOR, body: secret });
  expect(put.status, put.text).toBe(200);
  await look(world.backend.store, new Date());
  const open = async () => (await world.events('?site=again&open=true')).events.map(({ kind }) => kind).toSorted();
  expect(await open()).toEqual(['check-failed', 'drift', 'expires-soon', 'secret-ends']);
  expect((await world.backend.call('DELETE', siteOf('again'), { as: OPERATOR })).status).toBe(204);
  expect(await open()).toEqual([]);
  expect((await told('again')).slice(0, 4).map(([, phase]) => phase)).toEqual(['ended', 'ended', 'ended', 'ended']);
  await world.register('again');
  await found('fine', [], 'again');
  await found('wrong', [], 'again');
  expect((await told('again')).slice(0, 2)).toEqual([['check-failed', 'began', 'project-type', true], expect.arrayContaining(['ended'])]);
});
