import { createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import type { SiteList } from '@repoless/contract/site.ts';
import { exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';
import { rolloutOrders } from './rollout-orders.ts';

const world = startHostedWorld();

test('an overview of 1,000 sites is one list of the hosted service', async () => {
  for (let index = 0; index < 1000; index += 1)
    world.hosted.change('PUT', `/config/wknd/sites/many-${index}.json`, exampleSite(`many-${index}`));
  const since = world.hosted.requests.length;
  const service = 'http://service.invalid';
  const client = createClient({
    service,
    token: async () => undefined,
    renew: async () => ({ kind: 'refused', status: 401, message: '' }),
    fetch: async (input, init) => {
      const answer = await world.call(
        init?.method ?? 'GET',
        (input instanceof Request ? input.url : input.toString()).slice(service.length),
      );
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });
  const all = await createServicePort(client).allSites('wknd');
  if (all.state !== 'known') throw new Error(JSON.stringify(all));
  const sites = organizationSites(all.value);
  expect(sites.filter(({ name, repository }) => name.startsWith('many-') && repository === 'github:wknd/wknd')).toHaveLength(1000);
  expect(world.hosted.requests.slice(since).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /config/wknd/sites.json?details=true',
  ]);
});

test('a list knows where the pages of 40 more sites are each time, says of which not, and comes past those that it cannot read', async () => {
  world.paths = new Map<string, object>();
  world.restart();
  const listed = async () => {
    const { body } = await world.call('GET', '/config/wknd/sites.json?details=true&limit=1000');
    const { sites } = body as SiteList;
    return { all: sites.length, unread: sites.filter(({ isUnread }) => isUnread === true).length, sites };
  };
  world.hosted.fault({ kind: 'answer', status: 403, takesEffect: false, method: 'GET', path: '/config/wknd/sites/', times: 40 });
  const readSince = (since: number) =>
    world.hosted.requests.slice(since).flatMap(({ path }) => (/\/sites\/[^/]+\.json$/.test(path) ? [path] : []));
  const before = world.hosted.requests.length;
  const { all, unread } = await listed();
  expect(unread).toBe(all);
  const refused = readSince(before);
  expect(refused).toHaveLength(40);
  const since = world.hosted.requests.length;
  // As soon as a list starts with others.
  for (const more of [1, 2, 3]) {
    world.later += 30_000;
    expect((await listed()).unread).toBe(all - 40 * more);
    if (more === 1) expect(readSince(since).filter((path) => refused.includes(path))).toEqual([]);
  }
  const first = (await listed()).sites.find(({ isUnread }) => isUnread === undefined);
  expect(first?.public).toMatchObject({ paths: { mappings: [`/content/${first?.name ?? ''}/:/`] } });
});

test('what a rollout stores of its sites, and an organization of its rollouts, is bounded: further sites are refused, older rollouts forgotten', async () => {
  const { sites, start, ended, rowsOf, ok } = rolloutOrders(world);
  const headers = (letter: string, patterns: number) =>
    Object.fromEntries(
      Array.from({ length: patterns }, (_, index) => [`/${index}`, [{ key: 'x-long', value: letter.repeat(66_000) }]] as const),
    );
  const many = await sites(7);
  const set = (letter: string) => [{ op: 'set', path: '/headers', value: headers(letter, 5) }];
  const first = await start({ sites: many, edits: set('a') });
  await ended(first.id);
  const second = await start({ sites: many, edits: set('b') });
  await ended(second.id);
  const states = (rows: Awaited<ReturnType<typeof rowsOf>>) => rows.map(({ state }) => state).toSorted();
  expect(states(await rowsOf(first.id))).toEqual(many.map(() => 'changed'));
  const rows = await rowsOf(second.id);
  expect(states(rows)).toEqual([...Array.from({ length: 6 }, () => 'changed'), 'refused']);
  expect(rows.find(({ state }) => state === 'refused')).toMatchObject({
    code: 'BODY_TOO_LARGE',
    detail: expect.stringContaining('fewer sites'),
  });
  await ok(world.call('POST', `/config/wknd/rollouts/${second.id}/undo.json`));
  await ended(second.id);
  for (let count = 0; count < 4; count += 1) await ended((await start({ sites: many.slice(0, 6), edits: set(`${count}`) })).id);
  const { rollouts } = await ok<{ rollouts: { id: string }[] }>(world.call('GET', '/config/wknd/rollouts.json'));
  expect(rollouts.map(({ id }) => id)).not.toContain(first.id);
  expect(rollouts.length).toBeGreaterThan(3);
});
