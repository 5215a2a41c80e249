import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, type TestAnswer } from '../support/ask.ts';
import { siteInput } from '../support/builders.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/byogit.ts';
import {
  BUILD_MANAGEMENT_PROGRAM,
  buildBackend,
  type ChildBackend,
  startChildBackend,
  temporaryDirectory,
} from '../support/child-backend.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { OPERATOR } from '../support/backend.ts';
import { SERVER, startTraceWorld, traceParent, type TraceWorld } from './trace-world.ts';

const SECRETS = { header: 'collector-key-4711', query: 'query-secret-4711', body: 'body-secret-4711' };
const world = startBeforeAll(() => startTraceWorld({ OTEL_EXPORTER_OTLP_HEADERS: `api-key=${SECRETS.header}` }), 120_000);

/** A call that queries the database and the code host. */
async function claim(org: string, headers: Readonly<Record<string, string>>): Promise<TestAnswer> {
  return await world.call('PUT', `/config/${org}.json?ignored=${SECRETS.query}`, { headers, body: { title: SECRETS.body } });
}

describe('a write', () => {
  const sent = traceParent();
  let spans: readonly CollectedSpan[];
  beforeAll(async () => {
    expect((await claim('traced', { traceparent: sent.header, 'x-request-id': 'the-traced-write' })).status).toBe(201);
    spans = await world.spansOf(sent.traceId);
  });

  const named = (name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`No span ${name} among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  it('is one trace with its operation, statements, commit and code host, below the span of its sender', () => {
    const request = named('PUT /config/{org}.json');
    const operation = named('putOrg');
    expect(request).toMatchObject({ parentSpanId: sent.spanId, kind: SERVER, service: 'repoless' });
    expect(operation.parentSpanId).toBe(request.spanId);
    const parentsOf = (name: string) => spans.filter((span) => span.name === name).map(({ parentSpanId }) => parentSpanId);
    // The permission is read before the operation starts.
    expect(parentsOf('select orgs')).toEqual(expect.arrayContaining([request.spanId, operation.spanId]));
    expect([...parentsOf('commit'), ...parentsOf('GET')]).toEqual([operation.spanId, operation.spanId]);
  });

  it('has the call, its address and its outcome', () => {
    expect(named('PUT /config/{org}.json').attributes).toEqual({
      'http.request.method': 'PUT',
      'http.route': '/config/{org}.json',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'server.address': 'localhost',
      'server.port': Number(new URL(world.backend.address).port),
      'repoless.org': 'traced',
      'repoless.request_id': 'the-traced-write',
    });
    expect(named('select orgs').attributes).toEqual({ 'db.system.name': 'sqlite', 'db.query.summary': 'select orgs' });
    expect(named('GET').attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(world.codeHost.address).port),
      'url.scheme': 'http',
    });
  });

  it('continues at the code host, below the span of the call', () => {
    const forwarded = world.codeHost.requests.map(({ headers }) => headers['traceparent']);
    expect(forwarded).toContain(`00-${sent.traceId}-${named('GET').spanId}-01`);
  });

  it('is named in its log line', async () => {
    const { spanId } = named('PUT /config/{org}.json');
    expect(await world.lineOf('the-traced-write')).toMatchObject({ trace_id: sent.traceId, span_id: spanId, status: 201 });
  });
});

it('a trace contains no secret, no token, and nothing that a caller wrote', async () => {
  const { traceId, header } = traceParent();
  const hostile = { traceparent: header, tracestate: `vendor=${SECRETS.query}`, cookie: `session=${SECRETS.query}` };
  expect((await claim('secretive', hostile)).status).toBe(201);
  await world.spansOf(traceId);
  const { posts } = world.collector;
  const posted = posts.map(({ body }) => body.toString('utf8')).join('\n');
  for (const secret of [...Object.values(SECRETS), world.token, OPERATOR]) expect(posted).not.toContain(secret);
  expect(posts.map(({ headers }) => headers['api-key'])).toEqual(posts.map(() => SECRETS.header));
  expect(world.backend.output()).not.toContain(SECRETS.header);
});

it('a request of an unknown caller starts a new trace, with a link to the caller’s', async () => {
  const sent = traceParent();
  const stranger = { traceparent: sent.header, 'x-request-id': 'a-stranger' };
  expect((await ask(world.backend.address, '/config/traced.json', { headers: stranger })).status).toBe(401);
  const line = await world.lineOf('a-stranger');
  expect(line).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 401 });
  const [span] = await world.spansOf(String(line['trace_id']));
  expect(span?.traceId).not.toBe(sent.traceId);
  expect(span?.parentSpanId ?? '').toBe('');
  expect(span?.links).toMatchObject([{ traceId: sent.traceId, spanId: sent.spanId }]);
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 401, 'repoless.error_code': 'NOT_AUTHENTICATED' });
  expect(span?.status.code).toBe(0);
});

it.each([
  ['is cut short', '00-0123456789abcdef0123456789abcdef-0123456789abcdef'],
  ['has no trace', `00-${'0'.repeat(32)}-0123456789abcdef-01`],
  ['has no span', `00-0123456789abcdef0123456789abcdef-${'0'.repeat(16)}-01`],
  ['has an invalid version', 'ff-0123456789abcdef0123456789abcdef-0123456789abcdef-01'],
  ['has capitals', '00-0123456789ABCDEF0123456789ABCDEF-0123456789abcdef-01'],
  ['has trailing data', '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01-more'],
  ['has two values', '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01, 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'],
])('a traceparent that %s is ignored', async (what, header) => {
  const id = what.replaceAll(' ', '-');
  expect((await world.call('GET', '/profile', { headers: { traceparent: header, 'x-request-id': id } })).status).toBe(200);
  const line = await world.lineOf(id);
  expect(line).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(['0123456789abcdef0123456789abcdef', '0'.repeat(32)]).not.toContain(line['trace_id']);
});

it('a trace that its sender does not record is not recorded, and is forwarded as such', async () => {
  const { traceId, spanId } = traceParent();
  const headers = { traceparent: `00-${traceId}-${spanId}-00`, 'x-request-id': 'not-recorded' };
  expect((await claim('unrecorded', headers)).status).toBe(201);
  const forwarded = world.codeHost.requests.map(({ headers }) => String(headers['traceparent']));
  expect(forwarded.filter((header) => header.includes(traceId))).toEqual([expect.stringMatching(/-00$/)]);
  expect(await world.lineOf('not-recorded')).toMatchObject({ trace_id: traceId });
  // A later trace was sent, so the earlier one would have been too.
  const later = traceParent();
  await claim('recorded', { traceparent: later.header });
  await world.spansOf(later.traceId);
  expect(world.collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

describe('of jobs,', () => {
  const SITE = '/config/acme/sites/traced.json';
  const TIMEOUT = { timeout: 30_000, interval: 20 };

  let data: Awaited<ReturnType<typeof temporaryDirectory>>;
  /** Build management's collector; the service has another. */
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

  /** The work that a call starts: a separate trace, linked to the call's request. */
  async function startWork(name: string, path: string, body?: object): Promise<{ work: CollectedSpan; request: CollectedSpan }> {
    const { traceId, header } = traceParent();
    const answer = await world.call('POST', path, { headers: { traceparent: header }, ...(body !== undefined && { body }) });
    expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)]);
    const request = (await world.spansOf(traceId)).find(({ kind }) => kind === SERVER);
    const work = await vi.waitUntil(
      () => world.collector.spans.find((span) => span.name === name && span.links.some((link) => link.traceId === traceId)),
      TIMEOUT,
    );
    if (request === undefined) throw new Error('The request was not traced.');
    return { work, request };
  }

  it('a code sync has its own trace, with a link to the request that started it', async () => {
    const { work, request } = await startWork('code sync', '/code/acme/traced/main/*');
    expect(work.parentSpanId ?? '').toBe('');
    expect(work.traceId).not.toBe(request.traceId);
    expect(work.attributes).toMatchObject({ 'repoless.code': 'acme/code', 'repoless.branch': 'main' });
    const statements = await world.spansOf(work.traceId, (spans) => spans.some(({ attributes }) => 'db.system.name' in attributes));
    expect(statements.length).toBeGreaterThan(1);
  });

  it('a rollout has its own trace too', async () => {
    const edits = [{ op: 'set', path: '/robots/txt', value: '{site}' }];
    const { work, request } = await startWork('rollout', '/config/acme/rollouts.json', { title: 'All', edits });
    expect(work.traceId).not.toBe(request.traceId);
    expect(work.attributes).toMatchObject({ 'repoless.org': 'acme', 'repoless.request_id': request.attributes['repoless.request_id'] });
  });

  it('build management continues the trace of the service, which it identifies by its key', async () => {
    const { traceId, header } = traceParent();
    const source = {
      type: 'byogit',
      url: `${buildManagement.address}/api`,
      raw_url: `${buildManagement.address}/raw`,
      secretId: 'cm-byog',
    } as const;
    const code = { owner: '100', repo: '200', source };
    // The code host lacks this repository; its 404 shows that it was queried.
    const refused = await world.call('PUT', SITE, { headers: { traceparent: header }, body: siteInput('traced', 'acme', { code }) });
    expect(refused).toMatchObject({ status: 422, code: 'CODE_SOURCE_NOT_FOUND' });
    const codeHostSpan = (await world.spansOf(traceId)).find(({ name }) => name === 'GET');
    const found = await vi.waitUntil(() => collector.spans.find((span) => span.traceId === traceId && span.kind === SERVER), TIMEOUT);
    expect(found).toMatchObject({
      name: 'GET /repository-status/{org}/{owner}/{repo}',
      parentSpanId: codeHostSpan?.spanId,
      service: 'repoless-build-management',
    });
    expect(codeHostSpan?.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': '404' });
  });
});
