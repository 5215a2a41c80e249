import type { Log } from './log.ts';
import { createMetrics, type Looked, measuredLog, serveMetrics } from './metrics/metrics.ts';
import { tracingOptions, type TracingSettings } from './setting-forms.ts';
import { NO_TRACING, startTracing, type Tracing } from './tracing/tracing.ts';

export interface Traced {
  readonly tracing: Tracing;
  /** The log of the program; with tracing, its lines name their span. */
  readonly log: Log;
}

/** Starts to trace a program, if the settings say where traces are sent. */
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
    // They already name their spans: they are written after these have ended.
    request: log.request,
  };
}

export interface Measuring {
  /** The log of the program; with metrics it also counts requests. */
  readonly log: Log;
  /** Further metrics, computed on demand. */
  add(figures: Readonly<Record<string, Looked>>): void;
  close(): Promise<void>;
}

interface MetricsSettings {
  /** Omitted: no metrics, and nothing is counted. */
  readonly METRICS_PORT?: number | undefined;
  readonly METRICS_HOST: string;
}

/** Serves the metrics of a program on a separate address. Rejects with a message if that address cannot be used. */
export async function measure({ METRICS_PORT: port, METRICS_HOST: host }: MetricsSettings, log: Log): Promise<Measuring> {
  if (port === undefined) return { log, add: () => undefined, close: () => Promise.resolve() };
  const metrics = createMetrics();
  const server = await serveMetrics(metrics, { host, port }, (error) => log.failure('metrics', error));
  log.info(`Metrics are at ${server.address}`);
  return { log: measuredLog(log, metrics), add: metrics.add, close: server.close };
}
