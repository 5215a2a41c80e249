import { afterEach, expect, it, vi } from 'vitest';
import { logLines, startTraceWorld, traceParent, type TraceWorld } from './trace-world.ts';

const HOUR = String(60 * 60 * 1000);

let world: TraceWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const failureLines = ({ backend }: TraceWorld) => logLines(backend).filter((line) => line['requestId'] === 'traces');

async function ask(target: TraceWorld): Promise<number> {
  return (await target.call('GET', '/profile', { headers: { traceparent: traceParent().header } })).status;
}

it('a collector that never answers delays no request and no shutdown', async () => {
  world = await startTraceWorld({ OTEL_EXPORTER_OTLP_TIMEOUT: HOUR });
  const { backend, collector } = world;
  collector.behave('hangs');
  for (let time = 0; time < 20; time++) expect(await ask(world)).toBe(200);
  await vi.waitUntil(() => collector.posts.length > 0, { timeout: 30_000 });
  expect(await ask(world)).toBe(200);
  backend.child.kill('SIGTERM');
  expect(await backend.ended).toEqual({ code: 0, signal: null });
});

it('an unavailable collector is logged once, and delays nothing', async () => {
  world = await startTraceWorld({ OTEL_EXPORTER_OTLP_TIMEOUT: '1000' });
  const { backend, collector } = world;
  await collector.stop();
  await vi.waitUntil(
    async () => {
      expect(await world?.call('GET', '/profile').then(({ status }) => status)).toBe(200);
      return world !== undefined && failureLines(world).length > 0;
    },
    { timeout: 50_000 },
  );
  expect(failureLines(world)).toMatchObject([{ error: expect.stringContaining('The trace collector does not accept traces') }]);
  backend.child.kill('SIGTERM');
  expect(await backend.ended).toEqual({ code: 0, signal: null });
});

it('a refusing collector is logged once until it accepts traces again, without its answer', async () => {
  world = await startTraceWorld();
  const { collector } = world;
  collector.behave('refuses');
  for (const posts of [1, 2]) {
    await ask(world);
    await vi.waitUntil(() => collector.posts.length >= posts, { timeout: 30_000 });
  }
  await vi.waitUntil(() => world !== undefined && failureLines(world).length > 0, { timeout: 30_000 });
  collector.behave('takes');
  const { traceId, header } = traceParent();
  await world.call('GET', '/profile', { headers: { traceparent: header } });
  await world.spansOf(traceId);
  expect(failureLines(world)).toMatchObject([{ error: expect.stringContaining('(400)') }]);
  expect(world.backend.output()).not.toContain('not today');
  collector.behave('refuses');
  await ask(world);
  await vi.waitUntil(() => world !== undefined && failureLines(world).length === 2, { timeout: 30_000 });
});

it('a program without traces sends and forwards nothing, and logs no trace', async () => {
  world = await startTraceWorld({ OTEL_SDK_DISABLED: 'true' });
  const headers = { traceparent: traceParent().header, 'x-request-id': 'untraced' };
  expect((await world.call('PUT', '/config/acme.json', { headers, body: {} })).status).toBe(201);
  expect(Object.keys(await world.lineOf('untraced'))).not.toContain('trace_id');
  expect(world.codeHost.requests.map(({ headers }) => headers['traceparent'])).toEqual([undefined]);
  world.backend.child.kill('SIGTERM');
  await world.backend.ended;
  expect(world.collector.posts).toEqual([]);
});

it('sends the remaining traces when it stops, by default as protocol buffers', async () => {
  world = await startTraceWorld({ OTEL_EXPORTER_OTLP_PROTOCOL: '', OTEL_BSP_SCHEDULE_DELAY: HOUR });
  const { traceId, header } = traceParent();
  await world.call('GET', '/profile', { headers: { traceparent: header } });
  world.backend.child.kill('SIGTERM');
  expect(await world.backend.ended).toEqual({ code: 0, signal: null });
  const { posts } = world.collector;
  expect(posts.map(({ headers }) => headers['content-type'])).toEqual(['application/x-protobuf']);
  expect(posts[0]?.body.includes(Buffer.from(traceId, 'hex'))).toBe(true);
});

it('samples the configured share of traces, whatever callers request', async () => {
  world = await startTraceWorld({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  for (let time = 0; time < 5; time++) expect(await ask(world)).toBe(200);
  world.backend.child.kill('SIGTERM');
  await world.backend.ended;
  expect(world.collector.spans).toEqual([]);
});
