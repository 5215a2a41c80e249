import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { yieldToEventLoop } from '@repoless/service/domain/fair-share.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
let other: InstanceType<typeof Database>;
const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  other = new Database(join(backend.dataDir, 'repoless.sqlite'), { timeout: 0 });
  expect((await put('there')).status).toBe(201);
});
afterAll(async () => {
  other.close();
});

it('while another program holds the embedded database, people read, and whoever writes is refused in time', async () => {
  other.exec('begin immediate');
  const ended: string[] = [];
  const writes = Array.from({ length: 30 }, async (_, index) => {
    const answer = await put(`site-${index}`);
    ended.push('write');
    return answer;
  });
  // Begun after the writes, and one after the other.
  for (let count = 0; count < 3; count += 1) {
    expect((await backend.visit('live', 'main--there--wknd', '/config.json')).status).toBe(200);
    ended.push('read');
  }
  const answers = await Promise.all(writes);
  expect(ended.slice(0, 3)).toEqual(['read', 'read', 'read']);
  for (const { status, headers } of answers)
    expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'STORAGE_UNAVAILABLE', '5']);
  other.exec('rollback');
  expect((await put('site-0')).status).toBe(201);
});

it('a write that began while another program held it is stored when that ends, in its order', async () => {
  other.exec('begin immediate');
  const waiting = backend.store.shortLived.put('revoked-token', 'first', true, new Date(Date.now() + 60_000));
  const behind = backend.store.shortLived.put('revoked-token', 'second', true, new Date(Date.now() + 60_000));
  const order: string[] = [];
  const noted = [waiting.then(() => order.push('first')), behind.then(() => order.push('second'))];
  expect(await backend.store.reads.site('wknd', 'there')).toBeDefined();
  expect(order).toEqual([]);
  other.exec('rollback');
  await Promise.all(noted);
  expect(order).toEqual(['first', 'second']);
});

it('writes that are refused together are not tried one by one', async () => {
  other.exec('begin immediate');
  let refused = 0;
  const entry = { org: 'wknd', time: new Date(), user: as, action: 'put-org', requestId: 'r' };
  const writes = Array.from({ length: 10 }, () =>
    backend.store
      .write((to) => to.addAudit(entry))
      .catch(() => {
        refused += 1;
      }),
  );
  await Promise.race(writes);
  await yieldToEventLoop();
  expect(refused).toBe(10);
  other.exec('rollback');
});

function put(site: string) {
  return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body: siteBody('wknd', site, { public: publicPart(site) }) });
}
