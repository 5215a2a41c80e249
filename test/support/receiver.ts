import type { Running } from '@repoless/sandbox/web.ts';
import { createServer, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { listen } from './listen.ts';

/** A server that counts its requests by caller. */
export interface Receiver extends Running {
  readonly port: number;
  /** Its host and port as an authoring system. */
  readonly host: string;
  readonly requests: readonly { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** The requests so far whose path some program could read as one outside `prefix`. */
  elsewhere(prefix: string): string[];
  clear(): void;
  /** Closes all connections. */
  disconnect(): void;
}

export async function startReceiver(answer: RequestListener): Promise<Receiver> {
  const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((incoming, response) => {
    requests.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers });
    answer(incoming, response);
  });
  const listening = await listen(server);
  return {
    ...listening,
    host: `author.localhost:${listening.port}`,
    requests,
    elsewhere: (prefix) => requests.map(({ url }) => url).filter((url) => readings(url).some((path) => !path.startsWith(prefix))),
    clear: () => void requests.splice(0),
    disconnect: () => server.closeAllConnections(),
  };
}

/** Passes a request on to the program at this address, and its answer back. `path`: its path there, if another. */
export function forwardTo(address: string) {
  return (incoming: IncomingMessage, response: ServerResponse, path = incoming.url ?? '/'): void => {
    const headers = { ...incoming.headers, host: new URL(address).host };
    const outgoing = request(`${address}${path}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
}

/** Starts an authoring system. `pageAt` returns a page by its content path, or the status of its refusal; undefined is answered 404. */
export function startAuthor(pageAt: (path: string) => string | number | undefined): Promise<Receiver> {
  return startReceiver(({ url = '' }, response) => {
    const path = url.replace(/^\/bin\/franklin\.delivery\/[\w-]+\/[\w-]+\/main/, '');
    const page = pageAt(path) ?? 404;
    const type = path.endsWith('.json') ? 'application/json' : 'text/html; charset=utf-8';
    if (typeof page === 'number') response.writeHead(page, { 'content-type': type }).end();
    else response.writeHead(200, { 'content-type': type }).end(page);
  });
}

/** The content source of a site on an authoring system. */
export function contentAt({ host }: Receiver, site: string): { source: { url: string; type: 'markup'; suffix: string } } {
  return { source: { url: `http://${host}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' } };
}

/** How different programs read a path: each decodes, normalizes and truncates in its own order. */
function readings(url: string): string[] {
  const [path = ''] = url.split('?');
  const found = new Set([path]);
  for (let round = 0; round < 4; round++) for (const text of Array.from(found)) for (const step of STEPS) found.add(step(text));
  return [...found].map((text) => posix.normalize(text));
}

const STEPS: readonly ((path: string) => string)[] = [
  (path) => path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (path) => Buffer.from(path, 'latin1').toString('utf8'),
  (path) => path.replaceAll(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (path) => path.replaceAll(/\u00c0\u00ae/g, '.'),
  (path) => path.normalize('NFKC').replaceAll('\u3002', '.'),
  (path) => path.replaceAll(/[\u200b\u00ad]/g, ''),
  (path) => path.replaceAll(/[\\\u2215\u2044]/g, '/'),
  (path) => path.replaceAll(/;[^/]*/g, ''),
  (path) => path.replaceAll(/[\t\r\n\0]/g, ''),
  (path) => path.replace(/[?#].*$/s, ''),
];

/** Spellings of a segment that leads to the parent folder, or truncates the path. */
export const TRICKS: readonly string[] = [
  '..',
  '%2e%2e',
  '.%2E',
  '%252e%252e',
  '%25252e%25252e',
  '..;',
  '..;x=1',
  '..%3b',
  '%2e%2e%253b',
  '..%2f..%2f..',
  '..%252f..',
  '..%5c..%5c..',
  '..%255c..',
  '..\\..',
  '%3f',
  '%253f',
  '%23',
  '%2523',
  '%ef%bc%8e%ef%bc%8e',
  '%e2%80%a4%e2%80%a4',
  '%e2%80%a5',
  '%e3%80%82%e3%80%82',
  '..%e2%88%95..',
  '..%ef%bc%8f..',
  '..%ef%bc%bc..',
  '.%e2%80%8b.',
  '.%c2%ad.',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '..%00',
  '.%09.',
  '..%20',
];
