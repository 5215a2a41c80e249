import { beforeAll, expect, it, vi } from 'vitest';
import { OrgChecks } from '@repoless/contract/site-check.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { startEventWorld } from '../support/event-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-very-secret-value-4711';
const MINUTE = 60_000;
const KEY_OF_NOTE = 'wknd byogit:';
/** Milliseconds by which the service's clock is behind. It only goes on. */
let behind = 64 * MINUTE;
const logged: string[] = [];

const byogit = startBeforeAll(() => startByogit(SECRET));
const world = startBeforeAll(() =>
  startEventWorld({
    settings: { SITE_CHECK_INTERVAL: '0', CODE_RETRY_DELAY: '2' },
    now: () => new Date(Date.now() - behind),
    logged: (line) => logged.push(line),
  }),
);
beforeAll(async () => {
  const source = { type: 'byogit', url: byogit.url, raw_url: byogit.rawUrl, secretId: 'cm-byog' };
  const body = siteBody('wknd', 'external', { code: { owner: '100', repo: '200', source } });
  await call('PUT', '/config/wknd/sites/external.json', body);
  await call('POST', '/config/wknd/sites/external/secrets/cm-byog.json', { value: SECRET });
  await sync();
});

async function call(method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await world.backend.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
  expect(status, text).toBeLessThan(300);
}

async function sync(): Promise<void> {
  await call('POST', '/code/wknd/external/main/*');
  expect((await world.ended('external', 'main')).error).toBeUndefined();
}

/** Checks all sites, and waits until what is found of their code is stored as well: `until` holds. */
async function check(until: () => Promise<unknown>): Promise<void> {
  await call('POST', '/config/wknd/checks.json');
  await vi.waitFor(
    async () => {
      const kept = OrgChecks.parse((await world.backend.call('GET', '/config/wknd/checks.json', { as: OPERATOR })).json());
      expect(kept.running).toBeUndefined();
      await until();
    },
    { timeout: 20_000, interval: 20 },
  );
}

const push = (name: string) => byogit.branches.get('main')?.set(name, 'pushed');
const noted = async () => await world.backend.store.shortLived.list('unsynced', KEY_OF_NOTE);
const told = async () => (await world.events()).events.map(({ kind, phase, repository }) => `${kind} ${phase} ${repository}`);
/** How often the branch was asked for. */
const asked = () => byogit.asked.filter((path) => path.endsWith('/branches/main')).length;

it('a push to an external repository that no sync followed is told, to whom its site matters, and that it was synchronised', async () => {
  await world.subscribe({ type: 'webhook', url: 'https://hooks.example.com/' }, { kinds: ['sync-silent'], sites: ['external'] });
  const before = asked();
  await check(async () => expect(asked()).toBe(before + 1));
  expect(await noted()).toEqual([]);

  push('untold.txt');
  await check(async () => expect(await noted()).toHaveLength(1));
  expect(await told()).toEqual([]);
  behind -= 20 * MINUTE;
  await check(async () => expect(await told()).toEqual(['sync-silent began byogit:100/200']));
  await sync();
  await check(async () => expect(await told()).toEqual(['sync-silent ended byogit:100/200', 'sync-silent began byogit:100/200']));
  expect(await noted()).toEqual([]);
});

it('one that does not answer, or refuses the secret, is told of by nobody, and the secret by no line of the log', async () => {
  push('unread.txt');
  byogit.secret = 'another';
  const before = asked();
  await check(async () => expect(asked()).toBe(before + 1));
  byogit.secret = SECRET;
  byogit.troubles.push({ path: '/branches/main', status: 503 });
  await check(async () => expect(asked()).toBe(before + 2));
  expect(await noted()).toEqual([]);
  expect(logged.join('\n')).not.toContain(SECRET);
});
