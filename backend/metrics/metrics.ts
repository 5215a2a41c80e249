import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

interface MeasuredRequest {
  /** The path of its call, as in the table; absent if no call was reached. */
  readonly route?: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly milliseconds?: number;
  /** How many of the same kind were omitted before it. */
  readonly unlogged?: number;
}

/** Metrics by names such as `repoless_storage_up`, computed only when they are read. */
export type MetricsOnDemand = Readonly<Record<string, MetricOnDemand>>;

interface MetricOnDemand {
  readonly help: string;
  /** `total`: never decreases while the program runs. */
  readonly kind: 'total' | 'now';
  /** The name of the label whose values `read` returns; absent if it returns one number. */
  readonly label?: string;
  /** A number, or one for each value of the label; undefined if it is currently unknown. */
  read(): Figures | Promise<Figures>;
}
type Figures = number | Readonly<Record<string, number>> | undefined;

interface Metrics {
  request(request: MeasuredRequest): void;
  add(metrics: MetricsOnDemand): void;
  /** The metrics in Prometheus text format 0.0.4. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** The metrics of a program: its requests, what `add` adds, and what Node.js knows about the process (event loop, memory, handles). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'repoless_http_requests_total',
    help: 'Answered requests, by path of the call and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'repoless_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its response is sent.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    request({ route = NO_ROUTE, method: rawMethod, status, milliseconds, unlogged = 0 }) {
      const method = METHODS.has(rawMethod) ? rawMethod : OTHER;
      requests.inc({ method, route, status }, 1 + unlogged);
      if (milliseconds !== undefined) durations.observe({ method, route }, milliseconds / 1000);
    },
    add(metrics) {
      for (const [name, metric] of Object.entries(metrics)) addMetric(registry, name, metric);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addMetric(registry: Registry, name: string, { help, kind, label, read }: MetricOnDemand): void {
  const update = async (metric: { reset(): void; inc(labels: Record<string, string>, value: number): void }) => {
    const figures = await read();
    metric.reset();
    if (typeof figures === 'number') metric.inc({}, figures);
    else for (const [value, figure] of Object.entries(figures ?? {})) metric.inc({ [label ?? 'kind']: value }, figure);
  };
  const Metric = kind === 'now' ? Gauge : Counter;
  new Metric({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      return update(this);
    },
  });
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NO_ROUTE = 'none';
/** Callers choose the method: all but HTTP's own are counted as one, so that no one can create labels. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The same log, which also counts every request, whether or not its line is written. */
export function measuredLog<L extends { request(line: MeasuredRequest): void }>(log: L, metrics: Metrics): L {
  return {
    ...log,
    request(line: MeasuredRequest) {
      metrics.request(line);
      log.request(line);
    },
  };
}

interface MetricsServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Answers `GET /metrics` on a separate address, which the proxy in front of the program does not expose, without a token. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  failed: (error: unknown) => void,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    request.resume();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain' }).end('The metrics are at GET /metrics.\n');
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        failed(error);
        response.writeHead(500, { 'content-type': 'text/plain' }).end('Could not read the metrics. See the log for the reason.\n');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`Port ${port} of ${host} cannot be used for the metrics. Set METRICS_PORT or METRICS_HOST.`, { cause })),
    );
    server.listen(port, host, resolve);
  });
  const { port: used } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${used}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
