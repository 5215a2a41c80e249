import type { Log } from './log.ts';
import { createMetrics, type Looked, measuredLog, serveMetrics } from './metrics/metrics.ts';
import { tracingOptions, type TracingSettings } from './setting-forms.ts';
import { NO_TRACING, startTracing, type Tracing } from './tracing/tracing.ts';

export interface Traced {
  readonly tracing: Tracing;
  /** The log of the program; where traces are wanted, its lines name the span that they belong to. */
  readonly log: Log;
}

/** Begins to trace a program, where the settings say where traces are sent. */
export async function traceProgram(settings: TracingSettings, log: Log): Promise<Traced> {
  const options = tracingOptions(settings);
  const tracing = await startTracing(options && { ...options, failed: (error) => log.failure('traces', error) });
  return { tracing, log: tracing === NO_TRACING ? log : tracedLog(log, tracing) };
}

function tracedLog(log: Log, tracing: Tracing): Log {
  const ids = () => {
    const now = tracing.now();
    return now && { trace_id: now.trace_id, span_id: now.span_id };
  };
  return {
    info: (message) => log.info(message, ids()),
    error: (message) => log.error(message, ids()),
    failure: (requestId, error) => log.failure(requestId, error, ids()),
    // They name their spans already: they are written when these have ended.
    request: log.request,
  };
}

export interface Measuring {
  /** The log of the program; where figures are wanted it counts requests as well. */
  readonly log: Log;
  /** Further metrics, computed on demand. */
  add(figures: Readonly<Record<string, Looked>>): void;
  close(): Promise<void>;
}

interface MetricsSettings {
  /** Left out: no figures, and nothing is counted. */
  readonly METRICS_PORT?: number | undefined;
  readonly METRICS_HOST: string;
}

/** Serves the figures of a program on an address of their own. Rejects with a sentence where that address cannot be used. */
export async function measure({ METRICS_PORT: port, METRICS_HOST: host }: MetricsSettings, log: Log): Promise<Measuring> {
  if (port === undefined) return { log, add: () => undefined, close: () => Promise.resolve() };
  const metrics = createMetrics();
  const server = await serveMetrics(metrics, { host, port }, (error) => log.failure('metrics', error));
  log.info(`Metrics are at ${server.address}`);
  return { log: measuredLog(log, metrics), add: metrics.add, close: server.close };
}
