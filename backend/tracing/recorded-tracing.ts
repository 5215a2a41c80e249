import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator, ExportResultCode } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Cause, Facts, Part, TraceIds, Tracing, TracingOptions } from './tracing.ts';

/** Records spans, and sends them in batches; those that exceed the queue are dropped. */
export function recordedTracing(options: TracingOptions): Tracing {
  const { service, attributes, timeout, delay } = options;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.instance.id': randomUUID(),
      ...attributes,
      'service.name': service.name,
      'service.version': service.version,
    }),
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: sendingExporter(options), exportTimeoutMillis: timeout, scheduledDelayMillis: delay }),
    ],
  });
  const tracer = provider.getTracer('repoless', service.version);
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();

  /** The context in a header; ROOT_CONTEXT if it is absent or malformed. `tracestate` is arbitrary text, and is ignored. */
  function remote(traceparent: string | undefined): Context {
    const getter = { keys: () => [TRACEPARENT], get: (_: unknown, name: string) => (name === TRACEPARENT ? traceparent : undefined) };
    return propagator.extract(ROOT_CONTEXT, undefined, getter);
  }

  /** Ends the span with the work. */
  async function recorded<T>(
    span: Span,
    parent: Context,
    work: () => Promise<T>,
    { factsOf, answered }: Pick<Part<T>, 'factsOf' | 'answered'>,
  ): Promise<T> {
    try {
      const result = await contexts.with(trace.setSpan(parent, span), work);
      if (factsOf !== undefined) addFacts(span, factsOf(result));
      return result;
    } catch (error) {
      addFacts(span, answered?.(error) ?? failure(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    arrived({ name, facts, began, traceparent, isKnown }) {
      const from = remote(traceparent);
      const linked = isKnown ? undefined : trace.getSpanContext(from);
      const parent = isKnown ? from : ROOT_CONTEXT;
      const links = linked === undefined ? [] : [{ context: linked }];
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...facts }, startTime: began, links }, parent);
      const context = trace.setSpan(ROOT_CONTEXT, span);
      return {
        ids: idsOf(span),
        run: (work) => contexts.with(context, work),
        end(atEnd) {
          addFacts(span, atEnd);
          span.end(performance.now());
        },
      };
    },
    async part(part, work) {
      const active = contexts.active();
      if (trace.getSpan(active)?.isRecording() !== true) return await work();
      const span = tracer.startSpan(part.name, { kind: KINDS[part.kind], attributes: { ...part.facts } }, active);
      return await recorded(span, active, work, part);
    },
    async job({ name, facts, cause }, work) {
      const links = cause === undefined ? [] : [{ context: spanContextOf(cause) }];
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes: { ...facts }, links }, ROOT_CONTEXT);
      return await recorded(span, ROOT_CONTEXT, work, {});
    },
    detached: (work) => contexts.with(ROOT_CONTEXT, work),
    now() {
      const span = trace.getSpan(contexts.active());
      return span && { ...idsOf(span), sampled: (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0 };
    },
    traceHeaders() {
      const headers: Record<string, string> = {};
      propagator.inject(contexts.active(), headers, { set: (_, name, value) => (headers[name] = value) });
      return headers;
    },
    async close() {
      const end = new AbortController();
      // Each failed batch was reported; a stopping program does not wait for the collector.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, later(CLOSE_GRACE, undefined, { signal: end.signal }).catch(() => undefined)]);
      end.abort();
      contexts.disable();
    },
  };
}

function addFacts(span: Span, facts: Facts): void {
  span.setAttributes({ ...facts });
  if ('error.type' in facts) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** By its code or name: messages may quote user input. */
function failure(error: unknown): Facts {
  if (!(error instanceof Error)) return { 'error.type': 'unknown' };
  const code = ['code' in error && error.code, 'reason' in error && error.reason].find((one) => typeof one === 'string');
  return { 'error.type': code ?? error.name };
}

function idsOf(span: Span): TraceIds {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

function spanContextOf({ trace_id, span_id, sampled }: Cause) {
  return { traceId: trace_id, spanId: span_id, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const TRACEPARENT = 'traceparent';
/** Characters: names of organizations, sites and hosts are shorter. */
const LONGEST_VALUE = 256;
/** Milliseconds. */
const CLOSE_GRACE = 2000;

/**
 * Which traces are recorded. A flag from outside can disable it, never enable it: a trace that someone else records follows the same rule
 * as one that starts here, so that callers don't decide how much this program records.
 */
function samplerOf({ sampler, ratio }: Pick<TracingOptions, 'sampler' | 'ratio'>): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return parentBased(new AlwaysOnSampler());
    case 'parentbased_always_off':
      return parentBased(new AlwaysOffSampler());
    case 'parentbased_traceidratio':
      return parentBased(new TraceIdRatioBasedSampler(ratio));
    default:
      return sampler satisfies never;
  }
}

function parentBased(root: Sampler): Sampler {
  return new ParentBasedSampler({ root, remoteParentSampled: root });
}

/** Posts traces to a collector. A collector that is unavailable or refuses them is reported once, until it accepts some again. */
function sendingExporter({ protocol, url, headers, timeout, failed }: TracingOptions): SpanExporter {
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({ url, headers: { ...headers }, timeoutMillis: timeout });
  let isFailing = false;
  return {
    export(spans, ended) {
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        if (fails && !isFailing) failed(new TracesNotSent(result.error));
        isFailing = fails;
        ended(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Without the library's error, which contains the collector's response. */
class TracesNotSent extends Error {
  override readonly name = 'TracesNotSent';

  constructor(error: Error | undefined) {
    const code = error !== undefined && 'code' in error ? ` (${String(error.code)})` : '';
    super(`The trace collector does not accept traces${code}. They are dropped until it does.`);
  }
}
