import { beforeAll, describe, expect, it } from 'vitest';
import { callsAs, EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient, type PublicClient } from './public-client.ts';
import { PublicLog } from '@repoless/contract/audit.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { startCodeWorld } from '../../support/code-world.ts';

const BASE = '/config/wknd/sites/parts';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
const { call } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  expect((await page.call('PUT', `${BASE}.json`, { body: siteBody('wknd', 'parts') })).status).toBe(201);
});

describe('a page that edits the headers of a site', () => {
  const path = `${BASE}/headers.json`;

  it('starts without any', async () => {
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('writes lists of headers by path, replacing all of them', async () => {
    const headers = {
      '/**': [{ key: 'content-security-policy', value: "script-src 'self'; object-src 'none'" }],
      '/tools/**': [
        { key: 'access-control-allow-origin', value: '*' },
        { key: 'x-frame-options', value: 'DENY' },
      ],
    };
    expect((await page.call('POST', path, { body: headers })).ok).toBe(true);
    expect((await page.call('GET', path)).json()).toEqual(headers);
    const fewer = { '/**': headers['/**'] };
    expect((await page.call('POST', path, { body: fewer })).json()).toEqual(fewer);
    expect((await page.call('GET', path)).json()).toEqual(fewer);
  });

  it('removes the part', async () => {
    expect(await page.call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('accepts a site whose headers are empty', async () => {
    const site = Object((await page.call('GET', `${BASE}.json`)).json());
    expect((await page.call('POST', `${BASE}.json`, { body: { ...site, headers: {} } })).ok).toBe(true);
    const read = await page.call('GET', path);
    expect([read.status, read.text]).toEqual([200, '{}']);
  });
});

describe('a page that edits robots.txt', () => {
  const path = `${BASE}/robots.txt`;
  const text = 'User-agent: *\nDisallow: /drafts/\n';

  it('starts without a file', async () => {
    expect((await page.call('GET', path)).status).toBe(404);
  });

  it('stores the text unchanged, and the live host serves it', async () => {
    for (const type of ['text/plain', 'text/plain;charset=UTF-8']) {
      expect(await page.call('POST', path, { body: text, type })).toMatchObject({ status: 200, text: text });
    }
    const read = await page.call('GET', path);
    expect([read.text, read.header('content-type')]).toEqual([text, expect.stringMatching(/^text\/plain/)]);
    expect((await backend.visit('live', 'main--parts--wknd', '/robots.txt')).text).toBe(text);
    expect((await backend.visit('preview', 'main--parts--wknd', '/robots.txt')).text).toMatch(/Disallow: \/\s*$/);
  });

  it('is refused an empty text', async () => {
    expect(await page.call('POST', path, { body: '', type: 'text/plain' })).toMatchObject({ status: 400, error: 'missing body' });
    expect((await page.call('DELETE', path)).status).toBe(204);
    expect((await page.call('GET', path)).status).toBe(404);
  });
});

describe('a page that sets the CDN of a site', () => {
  const path = `${BASE}/cdn/prod.json`;

  it('sets the part alone, and reads it in the site and in its effective configuration', async () => {
    const prod = { type: 'fastly', host: 'www.example.com', route: ['/us', '/de'], serviceId: 'one', authToken: 'two' };
    expect((await page.call('POST', path, { body: prod })).ok).toBe(true);
    expect((await page.call('GET', `${BASE}.json`)).json()).toMatchObject({ cdn: { prod } });
    expect((await page.call('GET', '/config/wknd/aggregated/parts.json')).json()).toMatchObject({
      cdn: { prod: { type: 'fastly', host: 'www.example.com' } },
    });
  });

  it('reads what comes from the profile in the effective configuration, not in the site', async () => {
    const profile = { cdn: { prod: { type: 'managed', host: '', route: ['/us'] } } };
    expect((await page.call('PUT', '/config/wknd/profiles/shared.json', { body: profile })).status).toBe(201);
    const body = siteBody('wknd', 'heir', { extends: { profile: 'shared' }, cdn: { prod: { host: 'www.example.net' } } });
    expect((await page.call('PUT', '/config/wknd/sites/heir.json', { body })).status).toBe(201);
    expect(Object((await page.call('GET', '/config/wknd/sites/heir.json')).json()).cdn).toEqual({ prod: { host: 'www.example.net' } });
    expect((await page.call('GET', '/config/wknd/aggregated/heir.json')).json()).toMatchObject({
      cdn: { prod: { type: 'managed', host: 'www.example.net', route: ['/us'] } },
    });
  });

  it('lists the hosts of all sites in one call', async () => {
    const { sites } = Object((await page.call('GET', '/config/wknd/sites.json?details=true')).json());
    expect(sites).toContainEqual(expect.objectContaining({ name: 'heir', cdn: { prod: { host: 'www.example.net' } } }));
  });
});

interface Listed {
  readonly current: number;
  readonly versions: { version: number; created: string; name?: string; user?: string }[];
}

const list = async (base: string) => (await page.call('GET', `${base}/versions.json`)).json() as Listed;

/** What has a history, and its first and second state. */
const SUBJECTS: [what: string, base: string, states: [Record<string, unknown>, Record<string, unknown>]][] = [
  ['an organization', '/config/wknd', [{ title: 'One' }, { title: 'Two' }]],
  ['a site', '/config/wknd/sites/listed', [siteBody('wknd', 'listed', { title: 'One' }), siteBody('wknd', 'listed', { title: 'Two' })]],
  ['a profile', '/config/wknd/profiles/base', [{ title: 'One' }, { title: 'Two' }]],
];

describe.each(SUBJECTS)('a page that shows the history of %s', (_, base, states) => {
  let first = 0;
  let last = 0;

  beforeAll(async () => {
    for (const body of states) expect((await page.call('POST', `${base}.json`, { body })).ok).toBe(true);
    const { current } = await list(base);
    first = current - 1;
    last = current;
  });

  it('lists the versions with number, time and author, oldest first, and the current one', async () => {
    const { current, versions } = await list(base);
    expect(versions.map(({ version }) => version)).toEqual(versions.map(({ version }) => version).toSorted((one, other) => one - other));
    expect(versions.at(-1)).toEqual({ version: current, created: expect.any(String), user: OPERATOR });
    expect(Number.isNaN(Date.parse(versions.at(-1)?.created ?? ''))).toBe(false);
  });

  it('reads the data of a version and of the one before it, which may be missing', async () => {
    const data = async (version: number) => Object((await page.call('GET', `${base}/versions/${version}.json`)).json()).data;
    expect([await data(first), await data(last)]).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
    expect((await page.call('GET', `${base}/versions/0.json`)).ok).toBe(false);
    expect((await page.call('GET', `${base}/versions/4711.json`)).status).toBe(404);
  });

  it('names a version in the query, with or without a body', async () => {
    expect((await page.call('POST', `${base}/versions/${first}.json?name=before%20the%20move`)).ok).toBe(true);
    expect((await list(base)).versions.find(({ version }) => version === first)?.name).toBe('before the move');
    const both = await page.call('POST', `${base}/versions/${first}.json?name=moved`, { body: { name: 'moved' } });
    expect(both.ok).toBe(true);
    expect((await list(base)).versions.find(({ version }) => version === first)?.name).toBe('moved');
  });

  it('restores a version by POST without a body as the newest version', async () => {
    expect((await page.call('POST', `${base}.json?restoreVersion=${first}`)).ok).toBe(true);
    expect((await page.call('GET', `${base}.json`)).json()).toMatchObject({ title: 'One' });
    const { current, versions } = await list(base);
    expect([current, versions.at(-1)?.version]).toEqual([last + 1, last + 1]);
  });

  it('removes a version that is not the current one', async () => {
    expect(await page.call('DELETE', `${base}/versions/${last}.json`)).toMatchObject({ status: 204, text: '' });
    expect((await list(base)).versions.map(({ version }) => version)).not.toContain(last);
    const refused = await page.call('DELETE', `${base}/versions/${last + 1}.json`);
    expect([refused.ok, refused.error]).toEqual([false, expect.stringMatching(/current/)]);
  });

  it('learns why a version cannot be restored', async () => {
    const refused = await page.call('POST', `${base}.json?restoreVersion=4711`);
    expect([refused.status, refused.error]).toEqual([404, expect.stringMatching(/4711/)]);
  });
});

it('names the version that a change creates', async () => {
  const body = siteBody('wknd', 'named');
  expect((await page.call('POST', '/config/wknd/sites/named.json?versionName=first%20of%20all', { body })).ok).toBe(true);
  expect((await list('/config/wknd/sites/named')).versions).toMatchObject([{ version: 1, name: 'first of all' }]);
});

const LOG = '/log/wknd/logged/main';
beforeAll(async () => {
  const site = '/config/wknd/sites/logged.json';
  for (const title of ['One', 'Two']) await call('PUT', site, siteBody('wknd', 'logged', { title }));
  await call('POST', '/config/wknd/sites/logged/public.json', publicPart('logged'));
  await call('POST', '/config/wknd/sites/logged/robots.txt', 'User-agent: *\n', { 'content-type': 'text/plain' });
  await call('PUT', '/config/wknd/sites/other.json', siteBody('wknd', 'other'));
});

async function read(path: string): Promise<PublicLog> {
  const answer = await page.call('GET', path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.error}`);
  return PublicLog.parse(answer.json());
}

const actions = ({ entries }: PublicLog) => entries.map(({ action }) => action);
const ALL = ['set-robots', 'set-public', 'put-site', 'put-site'];

describe('a client that reads the log', () => {
  it('gets the last quarter of an hour, each entry with time, user and the address that was changed', async () => {
    const log = await read(LOG);
    expect(actions(log)).toEqual(ALL);
    expect(Date.parse(log.to) - Date.parse(log.from)).toBe(900_000);
    expect(log.entries[1]).toMatchObject({
      timestamp: expect.any(Number),
      user: OPERATOR,
      route: 'config',
      path: '/config/wknd/sites/logged/public.json',
      method: 'POST',
      status: 200,
      org: 'wknd',
      site: 'logged',
      from: 2,
      to: 3,
    });
    expect(log.entries.map(({ path }) => path.replace('/config/wknd/sites/logged', ''))).toEqual([
      '/robots.txt',
      '/public.json',
      '.json',
      '.json',
    ]);
    expect(log.entries.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 200', 'POST 200', 'PUT 200', 'PUT 201']);
    expect([log.nextToken, log.links]).toEqual([undefined, undefined]);
    expect(actions(await read('/wknd/sites/logged/log'))).toEqual(ALL);
  });

  it.each(['?since=1d', '?since=90s', `?from=${new Date(Date.now() - 60_000).toISOString()}`, '?from=2026-01-01&to=2099-01-01'])(
    'gets the requested time span: %s',
    async (query) => {
      expect(actions(await read(`${LOG}${query}`))).toEqual(ALL);
    },
  );

  it('gets no entries of other times or other sites', async () => {
    expect(actions(await read(`${LOG}?from=2020-01-01&to=2020-01-02`))).toEqual([]);
    expect(actions(await read('/log/wknd/other/main'))).toEqual(['put-site']);
  });

  it('reads further pages by their link or by the token', async () => {
    const first = await read(`${LOG}?since=1h&limit=3`);
    expect(actions(first)).toEqual(ALL.slice(0, 3));
    const byLink = await read(first.links?.next ?? '');
    const byToken = await read(`${LOG}?since=1h&nextToken=${first.nextToken}`);
    for (const last of [byLink, byToken]) {
      expect([actions(last), last.nextToken]).toEqual([ALL.slice(3), undefined]);
      expect([last.from, last.to]).toEqual([first.from, first.to]);
    }
  });

  it.each([
    ['?since=1h&from=2026-01-01', 'Write "since", or "from" and "to", not both.'],
    ['?since=yesterday', 'Write a number with s, m, h or d'],
    ['?from=never', 'Write a time like'],
    ['?from=2026-01-02&to=2026-01-01', '"from" has to be earlier than "to".'],
    ['?nextToken=abc', 'This nextToken was not issued by this service.'],
    ['?limit=0', ''],
    ['?limit=1001', ''],
  ])('learns what is wrong with %s', async (query, sentence) => {
    expect(await page.call('GET', `${LOG}${query}`)).toMatchObject({ status: 400, error: expect.stringContaining(sentence) });
  });
});

interface Job {
  readonly state: string;
  readonly topic: string;
  readonly name: string;
  readonly progress: { total: number; processed: number; failed: number };
  readonly data?: { phase: string; resources?: unknown[] };
}

let codePage: PublicClient;
const world = startBeforeAll(() => startCodeWorld(), 60_000);
beforeAll(async () => {
  codePage = browserClient(world.backend, EXTENSION_ORIGIN, { 'x-auth-token': await world.backend.token(OPERATOR) });
  await world.register('coded');
}, 60_000);

/** Polls as these clients do, until the state is final. */
async function poll(address: string): Promise<Job> {
  for (;;) {
    const answer = await codePage.call('GET', address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.error}`);
    const job = answer.json() as Job;
    if (job.state === 'stopped') return job;
    await pause(50);
  }
}

describe('a client that synchronizes code', () => {
  it.each([
    '/code/wknd/coded/main/*',
    '/code/wknd/coded/main/scripts/scripts.js',
    '/code/wknd/coded/main',
    '/wknd/sites/coded/code/main/*',
    '/wknd/repos/coded/code/main/*',
  ])('starts it by POST %s without a body, and follows the job until it stops', async (path) => {
    const started = await codePage.call('POST', path);
    expect([started.status, started.ok]).toEqual([202, true]);
    const { job, links } = started.json() as { job: Job; links: { self: string; list: string } };
    expect([job.topic, job.name]).toEqual(['code', expect.stringMatching(/^job-/)]);
    expect((await poll(links.self)).name).toBe(job.name);
    const details = await poll(`/job/wknd/coded/main/code/${job.name}/details`);
    expect(details).toMatchObject({ state: 'stopped', progress: { failed: 0 }, data: { phase: 'completed' } });
    expect(details.progress.processed).toBe(details.progress.total);
  });

  it('finds the details of a job and the other jobs by its links', async () => {
    const { name } = await poll('/job/wknd/coded/main/code');
    const { links } = Object((await codePage.call('GET', `/job/wknd/coded/main/code/${name}`)).json());
    const details = Object((await codePage.call('GET', links.details)).json());
    expect([details.name, details.data.changes]).toEqual([name, expect.any(Array)]);
    expect(details.links).toEqual({ self: links.details, job: links.self, list: links.list });
    const list = Object((await codePage.call('GET', links.list)).json());
    expect(list.jobs.map((job: { name: string }) => job.name)).toContain(name);
    const report = Object((await codePage.call('GET', `/wknd/sites/coded/jobs/code/${name}/report`)).json());
    expect(report).toEqual(details);
  });

  it('lists the jobs, and reads each by its link', async () => {
    const { jobs, links } = Object((await codePage.call('GET', '/job/wknd/coded/main/code')).json());
    expect(jobs.length).toBeGreaterThan(0);
    expect(links).toEqual({ self: expect.any(String) });
    for (const { name, href, state } of jobs) expect([name, state, (await poll(href)).name]).toEqual([name, 'stopped', name]);
  });

  it('may delete a stopped job, and gets 404 for an unknown one', async () => {
    const { name } = Object((await codePage.call('GET', '/job/wknd/coded/main/code')).json());
    expect((await codePage.call('DELETE', `/job/wknd/coded/main/code/${name}`)).status).toBe(204);
    expect((await codePage.call('GET', '/job/wknd/coded/main/code/job-2020-01-01-00-00-00-00000000')).status).toBe(404);
  });

  it('gets 404 for a file until it is synchronized', async () => {
    await world.register('waiting');
    expect((await codePage.call('GET', '/code/wknd/waiting/stage/scripts/scripts.js')).status).toBe(404);
    const found = await codePage.call('GET', '/code/wknd/coded/main/scripts/scripts.js');
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ webPath: '/scripts/scripts.js' })]);
    expect((await codePage.call('GET', '/code/wknd/coded/main/scripts/missing.js')).status).toBe(404);
    expect((await codePage.call('GET', '/code/wknd/nowhere/main/scripts/scripts.js')).status).toBe(404);
    const anonymous = await browserClient(world.backend, EXTENSION_ORIGIN, {}).call('GET', '/code/wknd/coded/main/scripts/scripts.js');
    expect(anonymous.status).toBe(401);
  });

  it('reads the repository and the branches of a site', async () => {
    expect((await codePage.call('GET', '/code/wknd/coded/*')).json()).toEqual({ owner: 'wknd', repo: 'wknd', branches: ['main'] });
  });

  it('cannot synchronize a branch that no address can name', async () => {
    expect(await codePage.call('POST', '/code/wknd/coded/~')).toMatchObject({ status: 400, error: expect.stringMatching(/branch/i) });
  });

  it.each(['/wknd/sites/coded/code/*', '/wknd/repos/coded/code/*', '/code/wknd/coded/*'])('synchronizes all code by %s', async (path) => {
    const started = await codePage.call('POST', path);
    expect([started.status, started.error]).toEqual([202, '']);
    expect(started.json()).toMatchObject({ links: { list: expect.stringMatching(/\/job\/wknd\/coded\/main\/code$/) } });
  });
});
