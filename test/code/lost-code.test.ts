import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { startCodeHost } from '../support/git-hosts.ts';
import { OPERATOR, siteBody, type TestBackend } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { codeCalls, startCodeWorld } from '../support/code-world.ts';
import { operated } from '../support/operate.ts';
import { stopAfterTest } from '../support/start-before-all.ts';

it('restores lost code by a sync, as the manual says', async () => {
  const folder = await stopAfterTest(temporaryDirectory());
  const codeHost = await stopAfterTest(startCodeHost({ port: 0, dataDir: folder.path }));
  const deployment = await stopAfterTest(operated());
  const settings = { CODE_HOST: codeHost.address, CODE_RETRY_DELAY: '5' };

  const before = await deployment.start(settings);
  await codeCalls(before).register('coded');
  await sync(before);
  const served = await file(before);
  expect(served.status).toBe(200);

  await deployment.halt();
  for (const lost of ['code', 'mirrors']) await rm(join(deployment.dataDir, lost), { recursive: true });
  const after = await deployment.start(settings);
  expect((await after.call('GET', '/config/wknd/sites/coded.json', { as: OPERATOR })).status).toBe(200);
  expect((await file(after)).status).toBe(503);
  await sync(after);
  expect(await file(after)).toMatchObject({ status: 200, text: served.text });
});

it('removes code that no site used for a day, and syncs it again for a site that returns to it', { timeout: 120_000 }, async () => {
  // The service's clock advances by days, up to the real one, by which tokens are issued.
  let behind = 60 * HOUR;
  let rounds = 0;
  const starting = startCodeWorld({
    now: () => new Date(Date.now() - behind),
    settings: { FIRST_CODE_SYNC: 'yes' },
    async open(dataDir) {
      const store = await openStore({ dataDir });
      const { manifests } = store.code;
      return Object.assign(store, { code: { ...store.code, manifests: () => manifests().finally(() => (rounds += 1)) } });
    },
  });
  const world = await stopAfterTest(starting);
  const { backend } = world;
  const put = async (site: string, repo: string) => {
    const body = siteBody('wknd', site, { code: { owner: 'wknd', repo } });
    const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
    expect(status, text).toBeLessThan(300);
  };
  const style = async (site: string) => (await backend.visit('live', `main--${site}--wknd`, '/head.html')).status;
  const served = async (repo: string) => (await backend.store.code.branches(`github:wknd/${repo}`)).length;
  const mirrors = async () => (await readdir(join(backend.dataDir, 'mirrors'))).length;
  /** Advances the clock by an hour or more, and syncs: the end of a sync triggers the search for unused code. */
  const later = async (milliseconds: number) => {
    behind -= milliseconds;
    const before = rounds;
    await world.sync('moved');
    await expect.poll(() => rounds, { timeout: 20_000 }).toBe(before + 1);
  };

  await put('moved', 'wknd');
  await world.ended('moved');
  expect([await style('moved'), await served('wknd'), await mirrors()]).toEqual([200, 1, 1]);
  await put('moved', 'legacy');
  await world.ended('moved');
  await later(2 * HOUR);
  await later(22 * HOUR);
  expect(await served('wknd')).toBe(1);
  // Using it briefly retains it for another day.
  await put('short', 'wknd');
  await later(1.5 * HOUR);
  expect((await backend.call('DELETE', '/config/wknd/sites/short.json', { as: OPERATOR })).status).toBe(204);
  await later(2 * HOUR);
  await later(23 * HOUR);
  expect(await served('wknd')).toBe(1);
  await later(2 * HOUR);
  await expect.poll(async () => [await served('wknd'), await mirrors()], { timeout: 20_000 }).toEqual([0, 1]);
  expect(await served('legacy')).toBe(1);

  await put('back', 'wknd');
  await world.ended('back');
  expect(await style('back')).toBe(200);
});

const HOUR = 60 * 60 * 1000;

async function sync(backend: TestBackend): Promise<void> {
  expect((await codeCalls(backend).sync('coded')).error).toBeUndefined();
}

async function file(backend: TestBackend): Promise<{ status: number; text: string }> {
  const { status, text } = await backend.visit('live', 'main--coded--wknd', '/head.html');
  return { status, text };
}
