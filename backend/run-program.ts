import { createLog, type Log } from './log.ts';
import { createMetrics, measuredLog, type MetricsOnDemand, serveMetrics } from './metrics/metrics.ts';
import { tracingOptions, type TracingSettings } from './setting-forms.ts';
import { NO_TRACING, type Tracing } from './tracing/tracing.ts';

interface RunningProgram {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Runs a program until SIGTERM or SIGINT (exit code 0), or until an unexpected error: that is logged, running work ends in order, and exit
 * code 1 makes the supervisor restart it. `title`: at the start of a sentence, e.g. `The service`.
 */
export async function runProgram<S extends { readonly LOG_LEVEL: string }>(
  title: string,
  readSettings: (environment: NodeJS.ProcessEnv) => S,
  start: (settings: S, options: { log: Log }) => Promise<RunningProgram>,
): Promise<void> {
  // Databases, keys, code and mirrors, including those created by git, are readable by this account only.
  process.umask(0o077);
  try {
    const stopRequested = new Promise<0>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(0));
    });
    const settings = readSettings(process.env);
    const log = createLog(settings.LOG_LEVEL);
    const running = await start(settings, { log });
    const failed = new Promise<1>((resolve) => {
      for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
        process.on(event, (error: unknown) => {
          log.failure(event, error);
          resolve(1);
        });
      }
    });
    process.stdout.write(`${title} answers at ${running.address}\n`);
    const exitCode = await Promise.race([stopRequested, failed]);
    await running.stop();
    process.exit(exitCode);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : `${title} cannot start.`}\n`);
    process.exit(1);
  }
}

/** Starts tracing a program if the settings say where traces are sent; its log then names the spans. */
export async function traceProgram(settings: TracingSettings, log: Log): Promise<{ tracing: Tracing; log: Log }> {
  const options = tracingOptions(settings);
  if (options === undefined) return { tracing: NO_TRACING, log };
  // Its packages are loaded only if they are needed.
  const { recordedTracing } = await import('./tracing/recorded-tracing.ts');
  const tracing = recordedTracing({ ...options, failed: (error) => log.failure('traces', error) });
  return { tracing, log: tracedLog(log, tracing) };
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
  add(metrics: MetricsOnDemand): void;
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
