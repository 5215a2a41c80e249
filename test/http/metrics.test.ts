import { expect, test } from 'vitest';
import { startTestBuildManagement } from '../support/build-management.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const lines: string[] = [];
const backend = startBeforeAll(() =>
  startTestBackend({
    settings: { METRICS_PORT: '0', LOG_LEVEL: 'info' },
    dryRun: false,
    logged: (line) => lines.push(line),
  }),
);

/** The figures of now, by their name and labels as they are printed. */
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

test('counts requests by the path of their call, their method and status, and how long they took', async () => {
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

test('callers make up no labels: neither paths nor methods', async () => {
  const before = (await figures()).size;
  for (const path of ['/made-up-1', '/made-up-2', '/config/wknd/made-up-3']) await backend.call('GET', path);
  await fetch(`${backend.address}/made-up-4`, { method: 'PROPFIND' });
  const text = [...(await figures()).keys()].join('\n');
  expect(text).not.toContain('made-up');
  expect(text).toContain('route="none"');
  expect(text).toContain('method="other"');
  expect(text).not.toContain('counted');
  expect((await figures()).size).toBeGreaterThan(before);
});

test('counts visits of hosts by where their answer is from', async () => {
  const count = async () => {
    const found = await figures();
    return ['memory', 'sources'].map((from) => found.get(`repoless_host_requests_total{from="${from}"}`));
  };
  const [memory = 0, sources = 0] = await count();
  for (let time = 0; time < 4; time++) expect((await backend.visit('live', 'main--counted--wknd', '/config.json')).status).toBe(200);
  expect(await count()).toEqual([memory + 3, sources + 1]);
});

test('says how the node and its process stand, without a name of a tenant or a person', async () => {
  const found = await figures();
  expect(found.get('repoless_storage_up')).toBe(1);
  expect(found.get('repoless_overloaded')).toBe(0);
  expect(found.get('repoless_oldest_waiting_sync_seconds')).toBe(0);
  expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  expect(found.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  expect([...found.keys()].join('\n')).not.toMatch(/wknd|example\.com/);
});

test('are at their own address alone, and that one answers nothing else', async () => {
  expect((await backend.call('GET', '/metrics')).status).toBe(404);
  const other = new URL('/config/wknd.json', address());
  expect([(await fetch(other)).status, (await fetch(address(), { method: 'POST' })).status]).toEqual([404, 405]);
});

test('build management has its own', async () => {
  const logged: string[] = [];
  const other = await startTestBuildManagement({ settings: { METRICS_PORT: '0' }, logged: (line) => logged.push(line) });
  expect((await ask(other.address, '/live')).status).toBe(200);
  expect((await figures(logged)).get('repoless_http_requests_total{method="GET",route="/live",status="200"}')).toBe(1);
  const own = address(logged);
  await other.stop();
  await expect(fetch(own)).rejects.toThrow('fetch failed');
});
