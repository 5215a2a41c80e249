import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** What happens to a request: it passes, is refused before it arrives, or arrives and its answer is lost. */
export type Fate = 'pass' | 429 | 503 | 'unreachable' | 'answer-lost';

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly fate: Fate;
}

export interface UnreliableProxy {
  readonly address: string;
  /** Every request so far. */
  readonly passed: readonly Passed[];
  stop(): Promise<void>;
}

export interface UnreliableProxyOptions {
  /** Scheme, host and port of the server behind it. */
  readonly target: string;
  /** Decides for each request; `count` is its number, from 1. */
  fate(request: { readonly method: string; readonly path: string; readonly count: number }): Fate;
}

/** A real HTTP server in front of another, which refuses requests, disconnects or loses answers as `fate` decides. Passes Host headers on. */
export async function startUnreliableProxy({ target, fate }: UnreliableProxyOptions): Promise<UnreliableProxy> {
  const passed: Passed[] = [];
  const server = createServer((incoming, response) => {
    const received = { method: incoming.method ?? 'GET', path: incoming.url ?? '/' };
    const met = fate({ ...received, count: passed.length + 1 });
    passed.push({ ...received, fate: met });
    switch (met) {
      case 'pass':
        return forward(target, incoming, response, () => undefined);
      case 'answer-lost':
        return forward(target, incoming, response, () => incoming.socket.destroy());
      case 'unreachable':
        return void incoming.socket.destroy();
      case 429:
      case 503:
        return refuse(incoming, response, met);
      default:
        return met satisfies never;
    }
  });
  const { port, stop } = await listen(server);
  return { address: `http://localhost:${port}`, passed, stop };
}

function refuse(incoming: IncomingMessage, response: ServerResponse, status: 429 | 503): void {
  incoming.resume();
  // A browser only sees the status if the refusal is readable across origins, as the service's own are.
  const cors = { 'access-control-allow-origin': incoming.headers.origin ?? '*', 'access-control-expose-headers': 'retry-after' };
  response.writeHead(status, status === 429 ? { ...cors, 'retry-after': '1' } : cors).end();
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse, before: () => void): void {
  const { hostname, port } = new URL(target);
  const outgoing = request(
    {
      hostname: hostname.endsWith('localhost') ? '127.0.0.1' : hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    },
    (answer) => {
      before();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on('error', () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}
