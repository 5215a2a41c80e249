import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, afterEach } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { bridgeAt, siteBody, startHostedWorld } from './hosted-world.ts';
import { HostedSwitches } from '@repoless/sandbox/hosted/switches.ts';

const ADA = { id: 'ada', email: 'ada@example.com', roles: ['admin'] };
/** A bridge to a server that answers instead of the hosted service. */
async function bridgeTo(answer: RequestListener) {
  const server = await startReceiver(answer);
  onTestFinished(server.stop);
  const { bridge, stored } = bridgeAt(server.address);
  // A token with claims but without a signature.
  const claims = Buffer.from(JSON.stringify({ email: EXAMPLE.admin })).toString('base64url');
  const call = (method: string, path: string, body?: object) =>
    bridge({
      method,
      path,
      headers: { 'x-auth-token': `e30.${claims}.x`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { requests: () => server.requests.map(({ method, url }) => `${method} ${url}`), call, stored };
}

describe.each(['<html>', 'null', '5', '"text"', '[1, null]'])('if the answer is %s', (text) => {
  test('the claims of a token are not trusted, and nothing is reported as existing or stored', async () => {
    const { requests, call } = await bridgeTo((_request, response) => response.end(text));
    const site = '/config/wknd/sites/de.json';
    for (const [method, path, body] of [
      ['GET', '/profile'],
      ['GET', '/config/wknd.json'],
      ['GET', site],
      ['PUT', site, siteBody('de')],
      ['DELETE', site],
    ] as const) {
      const { status, headers } = await call(method, path, body);
      expect([status, headers['x-error-code']], `${method} ${path}`).toEqual([502, 'HOSTED_UNREACHABLE']);
    }
    expect(requests().filter((one) => !one.startsWith('GET'))).toEqual([]);
  });
});

test('invalid sites, secrets, users and times in a list are left out, and the rest is returned', async () => {
  const { call } = await bridgeTo(({ url = '' }, response) => {
    const lists = {
      sites: [1, null, {}, { name: 'de' }],
      versions: [{ version: 1, created: 'never' }],
      one: null,
      two: { type: 'key' },
    };
    const users = [1, null, 'ada@example.com', {}, { id: 'one' }, { ...ADA, secret: 'x' }];
    response.end(JSON.stringify(/secrets/.test(url) ? { one: null, two: { type: 'key' } } : /users/.test(url) ? users : lists));
  });
  const read = async (path: string) => {
    const { status, text } = await call('GET', path);
    return [status, JSON.parse(text)] as const;
  };
  expect(await read('/config/wknd/sites.json')).toEqual([200, { sites: [{ name: 'de', path: '/config/wknd/sites/de.json' }] }]);
  expect(await read('/config/wknd/sites/de/secrets.json')).toEqual([200, { two: expect.objectContaining({ id: 'two' }) }]);
  expect(await read('/config/wknd/users.json')).toEqual([200, [ADA]]);
  expect(await read('/config/wknd/users/ada.json')).toEqual([200, ADA]);
  expect((await call('GET', '/config/wknd/users/one.json')).headers['x-error-code']).toBe('USER_NOT_FOUND');
  expect(await read('/config/wknd/sites/de/versions.json')).toEqual([
    200,
    { versions: [expect.objectContaining({ version: 1, created: '1970-01-01T00:00:00.000Z' })] },
  ]);
});

test('unknown members are sent back unchanged and not stored: they may be credentials', async () => {
  const sent: string[] = [];
  const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 'one', authToken: 'known', tokenToCome: 'unknown-here' } };
  const { call, stored } = await bridgeTo(async (request, response) => {
    const body = await text(request);
    if (request.method === 'POST') sent.push(body);
    if (request.url?.includes('versions') === true) response.writeHead(404).end();
    else response.end(body === '' ? JSON.stringify({ ...siteBody('de'), cdn, vault: { key: 'unknown-here' } }) : body);
  });
  const { status, headers } = await call('POST', '/config/wknd/sites/de.json', {
    ...siteBody('de'),
    title: 'New',
  });
  expect([status, headers['x-warning']]).toEqual([200, expect.stringContaining('kept in every change: vault.')]);
  expect([sent.join('').includes('unknown-here'), stored().includes('sites/de'), stored().includes('unknown-here')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('unknown members are named when a removed site is created again without them', async () => {
  let current: object | undefined = { ...siteBody('de'), vault: { key: 'unknown-here' } };
  const { call, stored } = await bridgeTo(async (request, response) => {
    const { method, url = '' } = request;
    const isSite = url.includes('/sites/de.json');
    const body = await text(request);
    if (isSite && method !== 'GET') current = method === 'DELETE' ? undefined : { ...current, ...(JSON.parse(body) as object) };
    if (isSite ? current === undefined && method === 'GET' : url.includes('/sites/')) response.writeHead(404).end();
    else response.end(JSON.stringify(isSite ? (current ?? {}) : { users: [ADA] }));
  });
  const path = '/config/wknd/sites/de.json';
  expect((await call('DELETE', path)).status).toBe(204);
  const restored = await call('POST', `${path}?restoreVersion=1`);
  expect([restored.status, restored.headers['x-warning']]).toEqual([201, expect.stringContaining('to be made again: vault.')]);
  expect(stored()).not.toContain('unknown-here');
});

test('names in a document cannot lead to another address', async () => {
  const { requests, call } = await bridgeTo((request, response) => {
    const document = { ...siteBody('de'), code: { owner: '..', repo: '..', source: { type: 'github', url: 'https://github.com/a/b' } } };
    response.end(JSON.stringify(request.url?.includes('/job/') === true ? { jobs: [] } : document));
  });
  const { status, headers } = await call('POST', '/code/wknd/de/main/*');
  expect([status, headers['x-error-code']]).toEqual([400, 'NAME_INVALID']);
  expect(requests().filter((one) => one.startsWith('POST'))).toEqual([]);
});

test('an API key without a value in the answer does not count as created', async () => {
  const { call } = await bridgeTo(({ method }, response) => response.end(method === 'POST' ? '{"id":"one"}' : '{}'));
  const { headers } = await call('POST', '/config/wknd/sites/de/apiKeys.json', { description: 'ci', roles: ['publish'] });
  expect(headers['x-error-code']).toBe('OUTCOME_UNKNOWN');
});
describe('An unknown behavior of the hosted service', () => {
  /** Unknowns about the hosted service: the bridge must be correct in each case. */
  const POSITIONS: readonly Partial<HostedSwitches>[] = [
    {},
    { prefix: false },
    { lists: 'array' },
    { lists: 'absent' },
    { jobDetailsStatus: 200 },
    { byogit: 'byogit' },
    { byogit: 'refused' },
    { sourceAlone: false },
    { wholePostDropsKeys: false },
    { wholePostBreaksKeys: true },
    { retryAfter: true },
    { syncsExternal: false },
    { versionsSurviveDelete: true },
    { versionsNameUser: true },
    { robotsText: false },
    { head: true },
    { ims: false },
    { loopbackAuthToken: false },
    { successorCreates: false },
    { successorNeedsKeyId: false },
  ];
  const DEFAULTS = HostedSwitches.parse({ requestsPerSecond: 0 });

  const world = startHostedWorld();
  let count = 0;
  afterEach(() => {
    world.generation = 5;
    world.hosted.set(DEFAULTS);
  });

  describe.each([5, 6] as const)('at the addresses of generation %d', (generation) => {
    test.each(POSITIONS.map((position) => [JSON.stringify(position), position] as const))(
      'allows a site to be created, changed by part and as a whole, and restored, with its secrets: %s',
      async (_name, position) => {
        world.generation = generation;
        world.hosted.set({ ...DEFAULTS, ...position });
        const path = `/config/${EXAMPLE.org}/sites/uncertain-${(count += 1)}.json`;
        const at = (part: string) => path.replace('.json', `/${part}.json`);
        const done = async (method: string, address: string, body?: unknown) => {
          const answer = await world.call(method, address, body);
          expect(answer.status, `${method} ${address}: ${answer.text}`).toBeLessThan(300);
          return answer;
        };

        const code = {
          owner: 'wknd',
          repo: 'wknd',
          source: { type: 'byogit', url: 'https://cm-repo.adobe.io/api', raw_url: 'https://cm-repo.adobe.io/api/raw', secretId: 'cm-byog' },
        };
        const content = {
          source: { type: 'markup', url: `https://author-p1-e2.example.com/bin/franklin.delivery/wknd/uncertain-${count}/main` },
        };
        const access = { admin: { role: { admin: [EXAMPLE.admin] } } };
        const created = await world.call('PUT', path, { code, content, access });
        if (generation === 6 && position.successorCreates === false) {
          // It must not count as created.
          expect([created.status, created.headers['x-error-code']]).toEqual([404, 'SITE_NOT_FOUND']);
          return;
        }
        expect(created.status, created.text).toBe(201);
        expect(created.headers['x-warning'] ?? '').not.toContain('something else');
        await done('POST', at('secrets/cm-byog'), { value: 'swordfish-9' });
        const { id } = (await done('POST', at('apiKeys'), { roles: ['publish'] })).body as { id: string };

        // By part, complete, and a text part.
        await done('POST', at('folders'), { '/a': '/b' });
        await done('POST', path.replace('.json', '/robots.txt'), 'User-agent: *');
        const current = (await done('GET', path)).body as Readonly<Record<string, unknown>>;
        const whole = await done('POST', path, { ...current, title: 'Whole', folders: { '/c': '/d' } });
        expect(whole.body).toMatchObject({
          title: 'Whole',
          folders: { '/c': '/d' },
          robots: { txt: 'User-agent: *' },
          code: { owner: 'wknd' },
        });
        expect(whole.headers['x-warning'] ?? '').not.toContain('something else');
        // An unchanged value is not sent again.
        const before = world.hosted.requests.length;
        await done('POST', path, (await done('GET', path)).body);
        expect(world.hosted.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
        expect(Object.keys((await done('GET', at('secrets'))).body as object)).toEqual(['cm-byog']);
        expect(Object.keys((await done('GET', at('apiKeys'))).body as object)).toEqual([id]);

        // The history names the author of a change, and one change is undone.
        const { versions } = (await done('GET', at('versions'))).body as { versions: { version: number; user?: string }[] };
        expect(versions.filter(({ user }) => user !== EXAMPLE.admin).length).toBeLessThanOrEqual(
          position.versionsNameUser === true ? 0 : 2,
        );
        await done('POST', at('folders'), { '/a': '/b' });
        expect((await done('GET', path)).body).toMatchObject({ title: 'Whole', folders: { '/a': '/b' } });
        await done('DELETE', at('folders'));
        expect((await done('GET', path)).body).not.toHaveProperty('folders');
        // A removed key, and one removed twice.
        await done('DELETE', at(`apiKeys/${id}`));
        expect((await world.call('DELETE', at('folders'))).headers['x-error-code']).toBe('PART_NOT_FOUND');
        await done('DELETE', path);
        expect((await world.call('GET', path)).headers['x-error-code']).toBe('SITE_NOT_FOUND');
      },
    );
  });

  test('is covered for every switch of the stand-in', () => {
    const named = new Set(POSITIONS.flatMap((position) => Object.keys(position)));
    // Amounts, files and names, which are not uncertain.
    const given = [
      'requestsPerSecond',
      'configDelayMs',
      'contentFiles',
      'codeFiles',
      'appMissing',
      'hlxignoreRefused',
      'jobMs',
      'upgraded',
      'tenantLocks',
    ];
    expect(Object.keys(HostedSwitches.shape).filter((name) => !named.has(name) && !given.includes(name))).toEqual([]);
  });
});
