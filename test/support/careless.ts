import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Careless {
  readonly address: string;
  stop(): Promise<void>;
}

export interface CarelessOptions {
  /** Scheme, host and port of the server behind it. */
  readonly target: string;
  /** Which parts of a dry-run request it drops. */
  readonly drops: 'query' | 'header' | 'both';
  /** Whether `/service.json` passes unchanged, or without the announcement of dry runs, as an older service answers it. */
  readonly announces: boolean;
}

/** A real HTTP server in front of another, which drops what makes a write a dry run. */
export async function startCareless({ target, drops, announces }: CarelessOptions): Promise<Careless> {
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const isWrite = incoming.method !== 'GET' && incoming.method !== 'HEAD' && path.startsWith('/config/');
    const to = isWrite && drops !== 'header' ? path.replace(/\?.*$/, '') : path;
    const { 'x-dry-run': header, 'accept-encoding': _encoding, ...headers } = incoming.headers;
    const kept = header !== undefined && (!isWrite || drops === 'query') ? { 'x-dry-run': header } : {};
    passOn(target, incoming, to, { ...headers, ...kept }).then(
      async (answer) => {
        const body = await text(answer);
        const { 'content-length': _length, 'transfer-encoding': _transfer, ...sent } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, sent).end(path === '/service.json' && !announces ? silent(body) : body);
      },
      () => incoming.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function silent(body: string): string {
  const { features: _features, ...info } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(info);
}

function passOn(target: string, incoming: IncomingMessage, path: string, headers: IncomingHttpHeaders): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target);
    const outgoing = request({
      hostname: hostname.endsWith('localhost') ? '127.0.0.1' : hostname,
      port,
      method: incoming.method,
      path,
      headers,
    });
    outgoing.on('response', resolve).on('error', reject);
    incoming.pipe(outgoing);
  });
}
