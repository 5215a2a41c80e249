import { expect, it, vi } from 'vitest';
import { OrgChecks } from '@repoless/contract/site-check.ts';
import { OPERATOR } from '../support/backend.ts';
import { startEventWorld } from '../support/event-world.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const MINUTE = 60_000;
/** Milliseconds by which the service's clock is behind: receivers take no messages of the future. It only goes on. */
let behind = 32 * MINUTE;

const world = startBeforeAll(() => startEventWorld({ settings: { SITE_CHECK_INTERVAL: '0' }, now: () => new Date(Date.now() - behind) }));
const receiver = startBeforeAll(() => startWebhookReceiver());

/** Checks all sites, and waits until what is found of their code is stored as well: `until` holds. */
async function check(until: () => Promise<unknown>): Promise<void> {
  const { backend } = world;
  expect((await backend.call('POST', '/config/wknd/checks.json', { as: OPERATOR })).status).toBe(202);
  await vi.waitFor(
    async () => {
      const kept = OrgChecks.parse((await backend.call('GET', '/config/wknd/checks.json', { as: OPERATOR })).json());
      expect(kept.running).toBeUndefined();
      await until();
    },
    { timeout: 20_000, interval: 20 },
  );
}

const noted = async () => await world.backend.store.shortLived.list('unsynced', 'wknd ');
const told = async () => (await world.events()).events.map(({ kind, phase }) => `${kind} ${phase}`);

it('a push whose sync came meanwhile tells nothing', async () => {
  await world.sync('first');
  await world.clone.push({ 'told.txt': 'pushed' }, 'main');
  await check(async () => expect(await noted()).toHaveLength(1));
  await world.sync('first');
  behind = 16 * MINUTE;
  await check(async () => expect(await noted()).toEqual([]));
  expect(await told()).toEqual([]);
});

it('a push that no sync followed is told once after a while, and once more when it was synchronised', async () => {
  const { secret = '' } = await world.subscribe({ type: 'webhook', url: receiver.url }, { kinds: ['sync-silent'], sites: ['first'] });
  await check(async () => expect(await noted()).toEqual([]));

  await world.clone.push({ 'untold.txt': 'pushed' }, 'main');
  await check(async () => expect(await noted()).toHaveLength(1));
  behind = 2 * MINUTE;
  await check(async () => expect(await noted()).toHaveLength(1));
  expect(await told()).toEqual([]);

  behind = 0;
  await check(async () => expect(await told()).toEqual(['sync-silent began']));
  await check(async () => expect(await told()).toEqual(['sync-silent began']));
  const [began = { headers: {}, body: '' }] = await receiver.until(1);
  expect(verified(began, secret)).toMatchObject({
    type: 'sync-silent.began',
    data: { org: 'wknd', repository: 'github:wknd/wknd', ref: 'main' },
  });

  await world.sync('first');
  await check(async () => expect(await told()).toEqual(['sync-silent ended', 'sync-silent began']));
  expect(await noted()).toEqual([]);
  const all = await receiver.until(2);
  expect(all.map((message) => verified(message, secret).type)).toEqual(['sync-silent.began', 'sync-silent.ended']);
});
