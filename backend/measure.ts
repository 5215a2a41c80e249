import type { Log } from './log.ts';
import { createMetrics, type Looked, measuredLog, serveMetrics } from './metrics/metrics.ts';

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
