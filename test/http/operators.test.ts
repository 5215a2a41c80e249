import { VERSION } from '@repoless/contract/version.ts';
import { ServiceState } from '@repoless/contract/operator.ts';
import { describe, expect, it, test } from 'vitest';
import { ask, type TestAnswer } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startTestBuildManagement } from '../support/byogit.ts';
import { openFailing } from '../support/paused-reads.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const HTML = { accept: 'text/html' };
let failure: Error | undefined;
const backend = startBeforeAll(() =>
  startTestBackend({
    open: (dataDir) => openFailing(dataDir, () => failure),
    settings: { ORG_SITES: '4', ORG_SECRETS: '0' },
    sites: { one: {}, two: {}, three: {} },
  }),
);

async function state(): Promise<ServiceState> {
  const answer = await backend.call('GET', '/admin/state', { as: OPERATOR });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store, private, must-revalidate']);
  return ServiceState.parse(answer.json());
}

async function page(who: string): Promise<TestAnswer> {
  return await backend.call('GET', '/admin', { headers: { ...HTML, cookie: `auth_token=${await backend.token(who)}` } });
}

async function fail(error: Error, requestId: string): Promise<void> {
  failure = error;
  const answer = await backend.call('GET', '/config/wknd/sites/one.json', { as: OPERATOR, headers: { 'x-request-id': requestId } });
  failure = undefined;
  expect(answer.status).toBe(500);
}

describe('the state of the service', () => {
  it('has the version, the start time, the storage schema and the nodes', async () => {
    const { time, service, storage, nodes } = await state();
    expect(service).toMatchObject({ version: VERSION, node: process.versions.node });
    expect(Date.parse(service.started) + service.uptime * 1000).toBeLessThanOrEqual(Date.parse(time));
    expect(storage).toEqual({ kind: 'sqlite', schema: expect.stringMatching(/^\d{4}-/) });
    expect(nodes).toEqual([{ name: `process ${process.pid}`, self: true, running: true }]);
  });

  it('has the jobs and the queues of the offered functions', async () => {
    const { jobs, queues } = await state();
    expect(jobs).toEqual({ states: [], failed: 0, oldest: [] });
    expect(queues).toEqual({ syncs: { waiting: 0 }, rollouts: { waiting: 0 }, messages: { waiting: 0 } });
  });

  it('lists organizations by their used share of a quota, without unlimited quotas', async () => {
    const { quotas } = await state();
    expect(quotas[0]).toEqual({ org: 'wknd', quota: 'sites', used: 3, limit: 4 });
    expect(quotas.map(({ quota }) => quota)).not.toContain('secrets');
    const shares = quotas.map(({ used, limit }) => used / limit);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  it('has the latest 50 failures with their request ids, newest first, without tokens', async () => {
    await fail(new Error('the first of all'), 'first');
    for (let count = 1; count < 50; count++) await fail(new Error(`disk ${count} burns`), `unlucky-${count}`);
    await fail(new Error(`Bearer ${await backend.token(ADA)} ${'x'.repeat(5000)}`), 'secretive');
    const { failures } = await state();
    expect(failures).toHaveLength(50);
    expect(failures[0]).toMatchObject({ requestId: 'secretive', error: expect.stringMatching(/^Error: \[sealed\] x+$/) });
    expect(failures[0]?.error.length).toBe(300);
    expect(failures[1]).toMatchObject({ requestId: 'unlucky-49', error: 'Error: disk 49 burns' });
    expect(failures.map(({ requestId }) => requestId)).not.toContain('first');
  });
});

describe('the page of operators', () => {
  it('redirects anonymous visitors to the sign-in and back', async () => {
    const answer = await backend.call('GET', '/admin', { headers: HTML });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login?returnTo=%2Fadmin']);
  });

  it('refuses people who are not operators', async () => {
    const answer = await page(ADA);
    expect(answer).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
    expect(answer.text).toContain(`You are signed in as <strong>${ADA}</strong>`);
    expect(answer.text).not.toContain('Queues');
  });

  it('accepts no cookie that another origin makes the browser send', async () => {
    const cookie = `auth_token=${await backend.token(OPERATOR)}`;
    const answer = await backend.call('GET', '/admin', { headers: { ...HTML, cookie, 'sec-fetch-site': 'cross-site' } });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login?returnTo=%2Fadmin']);
    const foreign = await backend.call('GET', '/admin/state', { headers: { cookie, origin: 'https://elsewhere.example.com' } });
    expect(foreign.status).toBe(401);
  });

  it('shows the state, with a policy that allows only its own scripts', async () => {
    await fail(new Error('<script>alert("burns")</script>'), 'scripted');
    const { status, headers, text } = await page(OPERATOR);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-[\w-]+'; script-src 'nonce-[\w-]+';/);
    for (const title of ['Nodes', 'Code syncs', 'Queues', 'Last failures of this node', 'Nearest to their quotas'])
      expect(text).toContain(`<h2>${title}</h2>`);
    const { storage } = await state();
    for (const shown of [storage.schema, `process ${process.pid} (this node)`, '75%', 'scripted', 'Event messages to send'])
      expect(text).toContain(shown);
    expect(text).not.toContain('<script>alert');
  });
});

describe('metrics', () => {
  const lines: string[] = [];
  const backend = startBeforeAll(() =>
    startTestBackend({
      settings: { METRICS_PORT: '0', LOG_LEVEL: 'info' },
      dryRun: false,
      logged: (line) => lines.push(line),
    }),
  );

  /** The current figures, by name and labels as printed. */
  async function figures(from = lines): Promise<Map<string, number>> {
    const answer = await fetch(address(from));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const printed = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(printed.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  function address(from = lines): string {
    const [found] = from.flatMap((line) => /Metrics are at (http:\S+?)"/.exec(line)?.[1] ?? []);
    if (found === undefined) throw new Error('The program did not say where its metrics are.');
    return found;
  }

  const SITE = '/config/wknd/sites/counted.json';
  const ROUTE = 'route="/config/{org}/sites/{site}.json"';

  test('count requests and their duration by route, method and status', async () => {
    const body = siteBody('wknd', 'counted', { public: publicPart('counted') });
    expect((await backend.call('PUT', SITE, { as: OPERATOR, body })).status).toBe(201);
    for (let time = 0; time < 3; time++) await backend.call('GET', SITE, { as: OPERATOR });
    await backend.call('GET', SITE);
    const found = await figures();
    expect(found.get(`repoless_http_requests_total{method="PUT",${ROUTE},status="201"}`)).toBe(1);
    expect(found.get(`repoless_http_requests_total{method="GET",${ROUTE},status="200"}`)).toBe(3);
    expect(found.get(`repoless_http_requests_total{method="GET",${ROUTE},status="401"}`)).toBe(1);
    expect(found.get(`repoless_http_request_duration_seconds_count{method="GET",${ROUTE}}`)).toBe(4);
    expect(found.get(`repoless_http_request_duration_seconds_bucket{le="+Inf",method="GET",${ROUTE}}`)).toBe(4);
    expect(found.get(`repoless_http_request_duration_seconds_sum{method="GET",${ROUTE}}`)).toBeGreaterThan(0);
  });

  test('have no labels from the paths and methods of callers', async () => {
    const before = (await figures()).size;
    for (const path of ['/made-up-1', '/made-up-2', '/config/wknd/made-up-3']) await backend.call('GET', path);
    await fetch(`${backend.address}/made-up-4`, { method: 'PROPFIND' });
    const text = [...(await figures()).keys()].join('\n');
    expect(text).not.toContain('made-up');
    expect(text).toContain('route="none"');
    expect(text).toContain('method="other"');
    expect((await figures()).size).toBeGreaterThan(before);
  });

  test('count requests of hosts by whether they are answered from memory', async () => {
    const count = async () => {
      const found = await figures();
      return ['memory', 'sources'].map((from) => found.get(`repoless_host_requests_total{from="${from}"}`));
    };
    const [memory = 0, sources = 0] = await count();
    for (let time = 0; time < 4; time++) expect((await backend.visit('live', 'main--counted--wknd', '/config.json')).status).toBe(200);
    expect(await count()).toEqual([memory + 3, sources + 1]);
  });

  test('have the state of the node and its process, without names of organizations and people', async () => {
    const found = await figures();
    expect(found.get('repoless_storage_up')).toBe(1);
    expect(found.get('repoless_overloaded')).toBe(0);
    expect(found.get('repoless_oldest_waiting_sync_seconds')).toBe(0);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(found.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    expect([...found.keys()].join('\n')).not.toMatch(/wknd|example\.com/);
  });

  test('are served only at their own address, which serves nothing else', async () => {
    expect((await backend.call('GET', '/metrics')).status).toBe(404);
    const other = new URL('/config/wknd.json', address());
    expect([(await fetch(other)).status, (await fetch(address(), { method: 'POST' })).status]).toEqual([404, 405]);
  });

  test('are also served by build management', async () => {
    const logged: string[] = [];
    const other = await startTestBuildManagement({ settings: { METRICS_PORT: '0' }, logged: (line) => logged.push(line) });
    expect((await ask(other.address, '/live')).status).toBe(200);
    expect((await figures(logged)).get('repoless_http_requests_total{method="GET",route="/live",status="200"}')).toBe(1);
    const own = address(logged);
    await other.stop();
    await expect(fetch(own)).rejects.toThrow('fetch failed');
  });
});
