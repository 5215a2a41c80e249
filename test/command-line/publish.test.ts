import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { publicPart, siteBody, OPERATOR } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { buildCommandLine } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { operated } from '../support/operated.ts';
import type { Operated } from '../support/operated.ts';
import { startPostgres } from '../support/postgres.ts';
import { answersOf, copyIn, until, untilPublished } from '../support/published-copy.ts';

let deployment: Operated;
let folder: string;
const cleaning: (() => Promise<unknown>)[] = [];
beforeAll(() => buildCommandLine(), 120_000);
afterEach(async () => {
  await deployment.stop();
  for (const clean of cleaning.splice(0)) await clean();
});

async function put(backend: TestBackend, site: string, value = 1): Promise<void> {
  const body = siteBody('wknd', site, { public: { ...publicPart(site), value } });
  expect((await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBeLessThan(300);
}

async function deploy(engine: string): Promise<{ backend: TestBackend; settings: Record<string, string> }> {
  folder = await mkdtemp(join(tmpdir(), 'repoless-copy-'));
  cleaning.push(() => rm(folder, { recursive: true, force: true }));
  const database: Record<string, string> = {};
  if (engine === 'PostgreSQL') {
    const cluster = await startPostgres();
    cleaning.unshift(() => cluster.stop());
    database['DATABASE_URL'] = await cluster.database();
  }
  deployment = await operated(database['DATABASE_URL']);
  const backend = await deployment.start({ PUBLISH_TO: folder });
  return { backend, settings: { DATA_DIR: deployment.dataDir, PUBLISH_TO: folder, ...database } };
}

it.each(['SQLite', 'PostgreSQL'])('names what differs on %s, and the nodes mend it', { timeout: 120_000 }, async (engine) => {
  const { backend, settings } = await deploy(engine);
  for (const site of ['one', 'two', 'three']) await put(backend, site);
  await untilPublished(backend);
  expect(await operate(['publish', 'verify'], settings)).toEqual({
    status: 0,
    out: expect.stringMatching(/^Sites 3: compared\. Objects that differ: 0\.\nDatabase: /),
    err: '',
  });
  const right = await copyIn(folder);
  await writeFile(join(folder, 'live/wknd/one/config.json'), '{"public":{"forged":true}}');
  await rm(join(folder, 'preview/wknd/two/config.json'));
  await writeFile(join(folder, 'live/wknd/two/config.json'), right['live/wknd/one/config.json'] ?? '');
  const body = siteBody('wknd', 'gone', { public: publicPart('gone') });
  await backend.call('PUT', '/config/wknd/sites/gone.json', { as: OPERATOR, body });
  await untilPublished(backend);
  const left = (await copyIn(folder))['live/wknd/gone/config.json'] ?? '';
  await backend.call('DELETE', '/config/wknd/sites/gone.json', { as: OPERATOR });
  await untilPublished(backend);
  await deployment.halt();
  await mkdir(join(folder, 'live/wknd/gone'), { recursive: true });
  await writeFile(join(folder, 'live/wknd/gone/config.json'), left);
  const { status, out } = await operate(['publish', 'verify'], settings);
  expect([
    status,
    out
      .replace(/Database: .*\n$/, '')
      .split('\n')
      .toSorted(),
  ]).toEqual([
    1,
    [
      '',
      'Sites 3: compared. Objects that differ: 4, queued.',
      'live/wknd/gone/config.json should not be there.',
      'live/wknd/one/config.json differs.',
      'live/wknd/two/config.json differs.',
      'preview/wknd/two/config.json is missing.',
    ],
  ]);
  const after = await deployment.start({ PUBLISH_TO: folder });
  await untilPublished(after);
  expect(await copyIn(folder)).toEqual(right);
});

it.each(['SQLite', 'PostgreSQL'])('follows a database on %s that was brought back', { timeout: 120_000 }, async (engine) => {
  const { backend, settings } = await deploy(engine);
  for (const site of ['one', 'two']) await put(backend, site);
  await untilPublished(backend);
  const copy = join(deployment.dataDir, 'copy');
  expect(await operate(['backup', copy], settings)).toMatchObject({ status: 0 });
  await put(backend, 'one', 2);
  await put(backend, 'three');
  expect((await backend.call('DELETE', '/config/wknd/sites/two.json', { as: OPERATOR })).status).toBe(204);
  await untilPublished(backend);
  await deployment.halt();
  expect(await operate(['restore-backup', copy], settings)).toMatchObject({ status: 0, err: '' });
  const after = await deployment.start({ PUBLISH_TO: folder });
  const sites = ['one', 'two', 'three'];
  await until(async () => expect(await copyIn(folder)).toEqual(await answersOf(after, sites)));
  expect(Object.keys(await copyIn(folder))).toHaveLength(4);
});

it('ends publishing, and says what it was asked wrong', { timeout: 60_000 }, async () => {
  const { backend, settings } = await deploy('SQLite');
  await put(backend, 'one');
  await untilPublished(backend);
  await deployment.halt();
  const { PUBLISH_TO: _, ...without } = settings;
  expect(await operate(['publish', 'stop'], settings)).toMatchObject({ status: 2, err: expect.stringMatching(/^Unset PUBLISH_TO/) });
  expect(await operate(['publish', 'verify'], without)).toMatchObject({ status: 2, err: 'Set PUBLISH_TO to where the copy is.\n' });
  expect(await operate(['publish', 'now'], settings)).toMatchObject({ status: 2, err: 'Choose one: publish verify, publish stop.\n' });
  const after = await deployment.start();
  await put(after, 'one', 2);
  expect((await after.store.publishing.waiting()).count).toBe(1);
  expect(await operate(['publish', 'stop'], without)).toMatchObject({ status: 0 });
  await put(after, 'one', 3);
  expect((await after.store.publishing.waiting()).count).toBe(0);
});
