import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BUILD_MANAGEMENT_NEEDS } from '../support/build-management.ts';
import { siteInput } from '../support/builders.ts';
import { buildBackend, BUILD_MANAGEMENT_PROGRAM, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import type { ChildBackend } from '../support/child-backend.ts';
import { startCollector } from '../support/collector.ts';
import type { CollectedSpan, Collector } from '../support/collector.ts';
import { SERVER, startTraceWorld, traceParent } from './trace-world.ts';
import type { TraceWorld } from './trace-world.ts';

const SITE = '/config/acme/sites/traced.json';
const PATIENCE = { timeout: 30_000, interval: 20 };

let data: Awaited<ReturnType<typeof temporaryDirectory>>;
/** Of build management, which sends its spans elsewhere than the service does. */
let collector: Collector;
let buildManagement: ChildBackend;
let world: TraceWorld;
beforeAll(async () => {
  await buildBackend();
  data = await temporaryDirectory();
  collector = await startCollector();
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  };
  const settings = { ...BUILD_MANAGEMENT_NEEDS, ...traced, INTERNAL_ADDRESSES: 'allow' };
  buildManagement = await startChildBackend(data.path, settings, { program: BUILD_MANAGEMENT_PROGRAM });
  world = await startTraceWorld({ ...BUILD_MANAGEMENT_NEEDS, BUILD_MANAGEMENT: buildManagement.address, CODE_RETRY_DELAY: '1' });
  expect((await world.call('PUT', '/config/acme.json', { body: {} })).status).toBe(201);
  const code = { owner: 'acme', repo: 'code', source: { type: 'github', url: `${world.codeHost.address}/acme/code` } } as const;
  const stored = await world.call('PUT', SITE, { body: siteInput('traced', 'acme', { code }) });
  expect([stored.status, stored.text]).toEqual([201, expect.any(String)]);
}, 120_000);
afterAll(async () => {
  await world.stop();
  buildManagement.child.kill('SIGKILL');
  await buildManagement.ended;
  await collector.stop();
  await data.remove();
});

/** The work that a call sets off: a trace of its own, which names the request of the call. */
async function setOff(name: string, path: string, body?: object): Promise<{ work: CollectedSpan; request: CollectedSpan }> {
  const { traceId, header } = traceParent();
  const answer = await world.call('POST', path, { headers: { traceparent: header }, ...(body !== undefined && { body }) });
  expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
  const request = (await world.spansOf(traceId)).find(({ kind }) => kind === SERVER);
  const work = await vi.waitUntil(
    () => world.collector.spans.find((span) => span.name === name && span.links.some((link) => link.traceId === traceId)),
    PATIENCE,
  );
  if (request === undefined) throw new Error('The request was not traced.');
  return { work, request };
}

it('a code sync is a trace of its own, with a link to the request that began it', async () => {
  const { work, request } = await setOff('code sync', '/code/acme/traced/main/*');
  expect(work.parentSpanId ?? '').toBe('');
  expect(work.traceId).not.toBe(request.traceId);
  expect(work.attributes).toMatchObject({ 'repoless.code': 'acme/code', 'repoless.branch': 'main' });
  const statements = await world.spansOf(work.traceId, (spans) => spans.some(({ attributes }) => 'db.system.name' in attributes));
  expect(statements.length).toBeGreaterThan(1);
});

it('a rollout is one too', async () => {
  const edits = [{ op: 'set', path: '/robots/txt', value: '{site}' }];
  const { work, request } = await setOff('rollout', '/config/acme/rollouts.json', { title: 'All', edits });
  expect(work.traceId).not.toBe(request.traceId);
  expect(work.attributes).toMatchObject({ 'repoless.org': 'acme', 'repoless.request_id': request.attributes['repoless.request_id'] });
});

it('build management goes on with the trace of the service, which it knows by its key', async () => {
  const { traceId, header } = traceParent();
  const source = {
    type: 'byogit',
    url: `${buildManagement.address}/api`,
    raw_url: `${buildManagement.address}/raw`,
    secretId: 'cm-byog',
  } as const;
  const code = { owner: '100', repo: '200', source };
  // It has no such repository: it was asked.
  const refused = await world.call('PUT', SITE, { headers: { traceparent: header }, body: siteInput('traced', 'acme', { code }) });
  expect([refused.status, refused.headers['x-error-code']]).toEqual([422, 'CODE_SOURCE_NOT_FOUND']);
  const asked = (await world.spansOf(traceId)).find(({ name }) => name === 'GET');
  const found = await vi.waitUntil(() => collector.spans.find((span) => span.traceId === traceId && span.kind === SERVER), PATIENCE);
  expect(found).toMatchObject({
    name: 'GET /standing/{org}/{owner}/{repo}',
    parentSpanId: asked?.spanId,
    service: 'repoless-build-management',
  });
  expect(asked?.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': '404' });
});
