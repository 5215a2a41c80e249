import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBucket } from '#backend/object-storage/bucket.ts';
import { bucketCopy } from '#backend/object-storage/bucket-copy.ts';
import { verifyCopy } from '#backend/publishing/verify-copy.ts';
import type { CopyDifference } from '#backend/publishing/verify-copy.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startBucket } from '../support/bucket.ts';
import type { TestBucket } from '../support/bucket.ts';
import { startWebhookReceiver } from '../support/message-receivers.ts';
import type { WebhookReceiver } from '../support/message-receivers.ts';
import { until, untilPublished } from '../support/published-copy.ts';

let bucket: TestBucket;
let hook: WebhookReceiver;
let backend: TestBackend;

beforeEach(async () => {
  [bucket, hook] = await Promise.all([startBucket(), startWebhookReceiver()]);
});
afterEach(async () => {
  await backend.stop();
  await Promise.all([bucket.stop(), hook.stop()]);
});

async function start(): Promise<void> {
  const settings = { ...bucket.settings, PURGE_HOOK: hook.url, PURGE_HOOK_SECRET: 'a-secret-that-no-log-may-hold' };
  backend = await startTestBackend({ settings, dryRun: false });
}

async function put(site: string, more: object = {}): Promise<void> {
  const body = siteBody('wknd', site, { public: publicPart(site), ...more });
  expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBeLessThan(300);
  await untilPublished(backend);
}

const textAt = (key: string) => bucket.objects.get(key)?.body.toString();
const keys = () => [...bucket.objects.keys()].toSorted();

// The SDK repeats what was not answered, and then meets what it did itself.
it('tells the CDN of a write whose answer was lost', async () => {
  await start();
  await put('one', { public: { ...publicPart('one'), value: 1 } });
  expect(hook.all).toHaveLength(1);
  for (const tier of ['live', 'preview']) {
    bucket.loseAnswers(`${tier}/`, 1);
    await put('one', { public: { ...publicPart('one'), value: tier } });
    expect(textAt(`${tier}/wknd/one/config.json`)).toContain(`"value": "${tier}"`);
  }
  expect(hook.all).toHaveLength(3);
  bucket.loseAnswers('', 2);
  await put('one', { public: { ...publicPart('one'), value: 'both' } });
  expect(hook.all).toHaveLength(4);
});

it('tells the CDN of a removal whose answer was lost: a host that is guarded', async () => {
  await start();
  await put('one');
  expect(hook.all).toHaveLength(1);
  bucket.loseAnswers('', 2);
  await put('one', { access: { site: { requireAuth: true } } });
  expect(keys()).toEqual([]);
  expect(hook.all).toHaveLength(2);
});

it('loses all that belongs to no site, however short the pages of a list are', async () => {
  const gone = Array.from({ length: 7 }, (_, index) => `live/wknd/gone-${index}/config.json`);
  for (const key of [...gone, 'live/wknd/one/config.json', 'another/file.json']) bucket.put(key, '{}');
  bucket.listAtMost(2);
  await start();
  await put('one');
  await until(async () => expect(keys()).toEqual(['another/file.json', 'live/wknd/one/config.json', 'preview/wknd/one/config.json']));
  // What was deleted may be pages long by now.
  bucket.put('live/wknd/left/config.json', '{}');
  const place = bucketCopy(await openBucket(bucket.options));
  const found: CopyDifference[] = [];
  for await (const { differences } of verifyCopy({ queue: backend.store.publishing, place })) found.push(...differences);
  await place.close();
  expect(found.map(({ key, what }) => `${key} ${what}`)).toEqual(['live/wknd/left/config.json should not be there']);
});

it.each([
  ['removals', 'DELETE'],
  ['writes', 'PUT'],
] as const)('keeps what is newer where the server lacks conditions of %s alone', async (_, method) => {
  bucket.refuseConditions(method);
  await start();
  const place = bucketCopy(await openBucket(bucket.options));
  const [key, other] = ['kept/one.json', 'kept/other.json'];
  const object = { bytes: Buffer.from('"older"'), contentType: 'application/json', cacheControl: '', etag: '"e"', surrogateKeys: ['k'] };
  for (const at of [key, other]) bucket.put(at, '"newer"');
  const present = await place.read(other);
  // Whoever lacks a condition still writes and removes.
  if (method === 'DELETE') expect([await place.remove(other, present?.tag ?? ''), bucket.objects.has(other)]).toEqual([true, false]);
  else expect([await place.write(other, object, present?.tag), textAt(other)]).toEqual([true, '"older"']);
  const done = method === 'DELETE' ? await place.write(key, object, '"of-older"') : await place.remove(key, '"of-older"');
  await place.close();
  expect([done, textAt(key)]).toEqual([false, '"newer"']);
});
