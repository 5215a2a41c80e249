import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startWebhookReceiver } from '../support/message-receivers.ts';
import type { WebhookReceiver } from '../support/message-receivers.ts';
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

async function start(settings: (url: string) => Record<string, string>): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'repoless-copy-'));
  receiver = await startWebhookReceiver();
  backend = await startTestBackend({
    settings: { PUBLISH_TO: folder, ...settings(receiver.url) },
    dryRun: false,
    logged: (line) => logged.push(line),
  });
}

async function put(site: string, more: object = {}): Promise<void> {
  const body = siteBody('wknd', site, { public: { ...publicPart(site), ...more } });
  expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBeLessThan(300);
}

const addresses = (site: string) =>
  ['preview', 'live'].map((tier) => `http://main--${site}--wknd.${tier}.localhost:${backend.port}/config.json`);
const last = () => {
  const { headers = {}, body = '{}' } = receiver.all.at(-1) ?? {};
  return { headers, body: JSON.parse(body) as unknown };
};

it('tells a hook the keys and addresses of what changed, and only of that', async () => {
  await start((url) => ({ PURGE_HOOK: url, PURGE_HOOK_SECRET: SECRET }));
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

it('tells a hook again until it takes it, and the copy does not wait for it', async () => {
  await start((url) => ({ PURGE_HOOK: url, PURGE_HOOK_SECRET: SECRET }));
  receiver.answer(500);
  await put('retold', { value: 1 });
  await until(async () => expect((await copyIn(folder))['live/wknd/retold/config.json']).toContain('"value": 1'));
  await receiver.until(2);
  expect((await backend.store.publishing.waiting()).count).toBe(1);
  receiver.answer(200);
  await untilPublished(backend);
  expect(last().body).toMatchObject({ surrogateKeys: ['retold--wknd'] });
  expect(logged.join('')).toContain('did not take the purge: it answered 500');
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
  await start((url) => ({ PURGE_HOOK: url, PURGE_HOOK_SECRET: SECRET }));
  const elsewhere = await startWebhookReceiver();
  receiver.answer((response) => response.writeHead(307, { location: elsewhere.url }).end());
  await put('led');
  await receiver.until(2);
  expect(elsewhere.all).toEqual([]);
  await elsewhere.stop();
});
