import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startWebhookReceiver } from '../support/message-receivers.ts';
import type { WebhookReceiver } from '../support/message-receivers.ts';
import { sqliteEngine } from '../support/each-store.ts';
import type { StorePlace } from '../support/each-store.ts';
import { copyIn, until, untilPublished } from '../support/published-copy.ts';

const SECRET = 'a-secret-that-no-log-may-hold';
let folder: string;
let receiver: WebhookReceiver;
let backend: TestBackend;
const logged: string[] = [];

afterEach(async () => {
  await backend.stop();
  await receiver.stop();
  await rm(folder, { recursive: true, force: true });
  expect(logged.splice(0).join('')).not.toContain(SECRET);
});

const engine = sqliteEngine();
let place: StorePlace;

async function start(settings: (url: string) => Record<string, string>, before?: 'goes on'): Promise<void> {
  if (before === undefined) {
    folder = await mkdtemp(join(tmpdir(), 'repoless-copy-'));
    receiver = await startWebhookReceiver();
    place = await engine.place();
  }
  backend = await startTestBackend({
    settings: { PUBLISH_TO: folder, ...settings(receiver.url) },
    claim: before === undefined,
    dryRun: false,
    open: () => place.open(),
    logged: (line) => logged.push(line),
  });
}
const toHook = (url: string) => ({ PURGE_HOOK: url, PURGE_HOOK_SECRET: SECRET });

async function put(site: string, more: object = {}): Promise<void> {
  const body = siteBody('wknd', site, { public: { ...publicPart(site), ...more } });
  expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBeLessThan(300);
}

const addresses = (site: string) =>
  ['preview', 'live'].map((tier) => `http://main--${site}--wknd.${tier}.localhost:${backend.port}/config.json`);
const Keys = z.object({ surrogateKeys: z.array(z.string()) });
const last = () => {
  const { headers = {}, body = '{}' } = receiver.all.at(-1) ?? {};
  return { headers, body: JSON.parse(body) as unknown };
};

it('tells a hook the keys and addresses of what changed, and only of that', async () => {
  await start(toHook);
  await put('hooked');
  await untilPublished(backend);
  expect(receiver.all).toHaveLength(1);
  expect(last()).toMatchObject({
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: { surrogateKeys: ['hooked--wknd'], urls: addresses('hooked') },
  });
  // Nobody sees a difference.
  const body = { ...siteBody('wknd', 'hooked', { public: publicPart('hooked') }), title: 'Another title' };
  expect((await backend.call('PUT', '/config/wknd/sites/hooked.json', { as: OPERATOR, body })).status).toBe(200);
  await untilPublished(backend);
  expect(receiver.all).toHaveLength(1);
  expect((await backend.call('DELETE', '/config/wknd/sites/hooked.json', { as: OPERATOR })).status).toBe(204);
  await untilPublished(backend);
  expect(receiver.all).toHaveLength(2);
});

const valueIn = async (site: string) => /"value": (\d+)/.exec((await copyIn(folder))[`live/wknd/${site}/config.json`] ?? '')?.[1];

it('tells a hook again until it takes it', async () => {
  await start(toHook);
  receiver.answer(500);
  await put('retold', { value: 1 });
  await receiver.until(2);
  expect(await valueIn('retold')).toBe('1');
  expect((await backend.store.publishing.waiting()).count).toBe(1);
  receiver.answer(200);
  await untilPublished(backend);
  expect(last().body).toMatchObject({ surrogateKeys: ['retold--wknd'] });
  expect(logged.join('')).toContain('did not accept the purge: it returned 500');
});

it('keeps no copy waiting for a hook that does not answer, not even of the site that it is told of', async () => {
  await start(toHook);
  const held: ServerResponse[] = [];
  receiver.answer((response) => held.push(response));
  await put('told', { value: 1 });
  await receiver.until(1);
  await put('told', { value: 2 });
  await put('other', { value: 3 });
  await until(async () => expect([await valueIn('told'), await valueIn('other')]).toEqual(['2', '3']));
  // Nobody gave up the first one by then.
  expect([receiver.all.length, held[0]?.destroyed]).toEqual([1, false]);
  receiver.answer(200);
  held[0]?.writeHead(200).end();
  await untilPublished(backend);
  const keys = receiver.all.slice(1).flatMap(({ body }) => Keys.parse(JSON.parse(body)).surrogateKeys);
  expect(new Set(keys)).toEqual(new Set(['told--wknd', 'other--wknd']));
});

it('keeps no copy waiting for a hook that refuses each purge, and tells it all of them in the end, after a restart, too', async () => {
  await start(toHook);
  receiver.answer(500);
  const sites = Array.from({ length: 9 }, (_, index) => `site-${index}`);
  const began = Date.now();
  for (const site of sites) {
    await put(site, { value: 1 });
    await until(async () => expect(await valueIn(site)).toBe('1'));
  }
  // The pauses between so many purges take more than half a minute together.
  expect(Date.now() - began).toBeLessThan(15_000);
  expect((await backend.store.publishing.waiting()).count).toBe(9);
  await backend.stop();
  receiver.answer(200);
  const before = receiver.all.length;
  await start(toHook, 'goes on');
  await untilPublished(backend);
  const keys = receiver.all.slice(before).flatMap(({ body }) => Keys.parse(JSON.parse(body)).surrogateKeys);
  expect(keys.toSorted()).toEqual(sites.map((site) => `${site}--wknd`));
});

it('publishes all sites at first although no CDN takes a purge', { timeout: 120_000 }, async () => {
  await start(() => ({ PUBLISH_TO: '' }));
  const sites = Array.from({ length: 620 }, (_, index) => `site-${index}`);
  await Promise.all(sites.map((site) => put(site)));
  await backend.stop();
  receiver.answer(500);
  await start(toHook, 'goes on');
  await until(async () => expect(Object.keys(await copyIn(folder))).toHaveLength(1240));
  expect((await backend.store.publishing.waiting()).count).toBe(620);
});

it('tells Fastly the keys', async () => {
  await start((url) => ({ FASTLY_API: new URL(url).origin, FASTLY_SERVICE: 'SU1Z0isxPaozGVKXdv0eY', FASTLY_TOKEN: SECRET }));
  let path: string | undefined = '';
  receiver.answer((response) => {
    path = response.req.url;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"fastly--wknd":"108-1391560174-974124"}');
  });
  await put('fastly');
  await untilPublished(backend);
  expect(path).toBe('/service/SU1Z0isxPaozGVKXdv0eY/purge');
  expect(last()).toMatchObject({ headers: { 'fastly-key': SECRET }, body: { surrogate_keys: ['fastly--wknd'] } });
});

it.each([
  ['addresses', 'urls', (): object => ({ files: addresses('flare') })],
  ['tags', 'tags', (): object => ({ tags: ['flare--wknd'] })],
])('tells Cloudflare the %s, and again where it says that it failed', async (_, by, expected) => {
  await start((url) => ({
    CLOUDFLARE_API: `${new URL(url).origin}/client/v4`,
    CLOUDFLARE_ZONE: '023e105f4ecef8ad9ca31a8372d0c353',
    CLOUDFLARE_TOKEN: SECRET,
    CLOUDFLARE_PURGE: by,
  }));
  let path: string | undefined = '';
  const answer = (success: boolean) =>
    receiver.answer((response) => {
      path = response.req.url;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success, errors: [], messages: [], result: null }));
    });
  answer(false);
  await put('flare', { by });
  await receiver.until(1);
  answer(true);
  await untilPublished(backend);
  expect(path).toBe('/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache');
  expect(receiver.all.length).toBeGreaterThan(1);
  expect(last()).toMatchObject({ headers: { authorization: `Bearer ${SECRET}` }, body: expected() });
});

it('follows no redirect with the secret', async () => {
  await start(toHook);
  const elsewhere = await startWebhookReceiver();
  receiver.answer((response) => response.writeHead(307, { location: elsewhere.url }).end());
  await put('led');
  await receiver.until(2);
  expect(elsewhere.all).toEqual([]);
  await elsewhere.stop();
});
