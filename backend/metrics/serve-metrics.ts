import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  /** Where the figures are read, e.g. `http://127.0.0.1:9100/metrics`. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics` on an address of its own, which the proxy in front of the program does not lead to: the figures need no
 * token. Rejects with a sentence where the port cannot be used.
 */
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
