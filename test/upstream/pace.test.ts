import { createPaces } from '@repoless/upstream/fetch-hosted.ts';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { bridgeAt, siteBody, startHostedWorld } from './hosted-world.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import type { SiteList } from '@repoless/contract/site.ts';
import { exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { rolloutCommands } from './rollout-commands.ts';

/** A bridge to a server of this test, with a clock that only tests advance. */
async function bridgeTo(answer: RequestListener, more: { readonly longest?: number } = {}) {
  const server = await startReceiver(answer);
  onTestFinished(server.stop);
  const { bridge } = bridgeAt(server.address, {}, more);
  return (token: string, method = 'GET') => bridge({ method, path: '/config/acme/sites/de.json', headers: { 'x-auth-token': token } });
}

test('a hundred requests of one person do not delay another person of the organization', async () => {
  const pending: { readonly token: unknown; readonly response: ServerResponse }[] = [];
  const arrived: unknown[] = [];
  const as = await bridgeTo(({ headers: { 'x-auth-token': token } }: IncomingMessage, response) => {
    arrived.push(token);
    pending.push({ token, response });
  });
  const many = Array.from({ length: 100 }, () => as('mallory'));
  await expect.poll(() => pending.length).toBe(5);
  const ada = as('ada');
  const answerNext = () => pending.shift()?.response.writeHead(403).end();
  for (let index = 0; index < 2; index += 1) {
    const before = arrived.length;
    answerNext();
    await expect.poll(() => arrived.length).toBe(before + 1);
  }
  expect(arrived.slice(5)).toContain('ada');
  while (arrived.length < 101 || pending.length > 0) {
    answerNext();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await ada).status).toBe(403);
  expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([403]));
});

test('an outsider with a hundred keys gets one turn for each of a person with a role, and does not delay a new person', async () => {
  const pending: { readonly token: string; readonly response: ServerResponse }[] = [];
  const arrived: string[] = [];
  const as = await bridgeTo(({ headers }: IncomingMessage, response) => {
    const token = String(headers['x-auth-token']);
    arrived.push(token);
    pending.push({ token, response });
  });
  const answerNext = async () => {
    const next = pending.shift();
    if (next === undefined) return await new Promise((resolve) => setImmediate(resolve));
    if (next.token.startsWith('key')) return next.response.writeHead(403).end();
    return next.response.end(JSON.stringify(siteBody('de')));
  };
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await answerNext();
  };
  const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
  const first = Promise.all([...keys, 'ada'].map((token) => as(token)));
  await until(() => arrived.length === 101 && pending.length === 0);
  expect((await first).map(({ status }) => status)).toEqual([...keys.map(() => 403), 200]);

  const all = [...keys, ...keys].map((token) => as(token));
  await until(() => pending.length === 5);
  arrived.length = 0;
  all.push(...Array.from({ length: 10 }, () => as('ada')), as('bob'));
  await until(() => arrived.filter((token) => token === 'ada').length === 10);
  expect(arrived.indexOf('bob')).toBeLessThan(5);
  expect(arrived.filter((token) => token.startsWith('key')).length).toBeLessThan(15);
  await until(() => arrived.length === 206 && pending.length === 0);
  await Promise.all(all);
});

test('at most eight requests arrive in a second, even if the first ones are slow', async () => {
  let time = 0;
  const timers: { readonly at: number; readonly resume: () => void }[] = [];
  const wait = (milliseconds: number) => new Promise<void>((resume) => void timers.push({ at: time + milliseconds, resume }));
  const run = createPaces({ wait, now: () => time })('acme');
  const arrived: number[] = [];
  const all = Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      run('ada', async () => {
        // The first ones open the connections.
        await wait(index < 5 ? 300 : 20);
        arrived.push(time);
      }),
    ),
  );
  while (arrived.length < 30) {
    await new Promise((resolve) => setImmediate(resolve));
    const [next] = timers.toSorted((one, other) => one.at - other.at);
    if (next === undefined) continue;
    timers.splice(timers.indexOf(next), 1);
    time = next.at;
    next.resume();
  }
  await all;
  const most = Math.max(...arrived.map((from) => arrived.filter((at) => at >= from && at < from + 1000).length));
  expect(most).toBe(8);
});

test('more waiting requests than allowed are refused, and known not to have been executed', async () => {
  const pending: ServerResponse[] = [];
  const as = await bridgeTo((_request, response) => void pending.push(response));
  const many = Array.from({ length: 205 }, () => as('mallory'));
  await expect.poll(() => pending.length).toBe(5);
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await as('mallory', method);
    expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '25']);
  }
  const ada = as('ada');
  let answered = 0;
  while (answered < 206) {
    const next = pending.shift();
    if (next === undefined) await new Promise((resolve) => setImmediate(resolve));
    else answered += next.writeHead(404).end() === undefined ? 0 : 1;
  }
  expect([(await ada).status, (await Promise.all(many)).length]).toEqual([404, 205]);
});

test('an endless answer is aborted', async () => {
  const dripping = new Set<NodeJS.Timeout>();
  onTestFinished(() => dripping.forEach((timer) => clearInterval(timer)));
  const as = await bridgeTo((_request, response) => void dripping.add(setInterval(() => response.write(' '), 20)), { longest: 200 });
  expect(await as('ada')).toMatchObject({ status: 502, headers: { 'x-error-code': 'HOSTED_UNREACHABLE' } });
});
const world = startHostedWorld();

test('an overview of 1,000 sites takes one list of the hosted service', async () => {
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

test('a list reads where the pages of 40 more sites are each time, marks the others, and skips those that it cannot read', async () => {
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

test('the storage of a rollout’s sites and of an organization’s rollouts is limited: further sites are refused, older rollouts deleted', async () => {
  const { sites, start, ended, rowsOf, ok } = rolloutCommands(world);
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
    code: 'ROLLOUT_REFUSED',
    detail: expect.stringContaining('fewer sites'),
    data: { reason: 'size', limit: '4000000' },
  });
  await ok(world.call('POST', `/config/wknd/rollouts/${second.id}/undo.json`));
  await ended(second.id);
  for (let count = 0; count < 4; count += 1) await ended((await start({ sites: many.slice(0, 6), edits: set(`${count}`) })).id);
  const { rollouts } = await ok<{ rollouts: { id: string }[] }>(world.call('GET', '/config/wknd/rollouts.json'));
  expect(rollouts.map(({ id }) => id)).not.toContain(first.id);
  expect(rollouts.length).toBeGreaterThan(3);
});
