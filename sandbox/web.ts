import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';

export interface FolderOptions {
  readonly port: number;
  readonly folder: string;
  /** What a deployment puts next to the built files: the app's settings, as `settings.json`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Response headers that a deployment sends with every file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves a built web app on its own origin, like static hosting. */
export function startFolder({ port, folder, settings, headers = {} }: FolderOptions): Promise<Running> {
  return listen(port, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (settings === undefined || request.url !== '/settings.json') return void sendFile(folder, request, response);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' }).end(JSON.stringify(settings));
  });
}

/** Answers GET and HEAD with the file under `folder`, `index.html` for a folder, 404 otherwise. */
export async function sendFile(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const file = await fileFor(folder, request.url ?? '/');
  if (file === undefined) {
    response
      .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
      .end('There is no such file. Build the web apps with: npm run build\n');
    return;
  }
  const media = MEDIA[extname(file)];
  const compresses = media !== undefined && isText(media);
  const zipped = compresses && acceptsGzip(request.headers['accept-encoding']);
  response.writeHead(200, {
    'content-type': media ?? 'application/octet-stream',
    // The names of built assets contain a hash of their content.
    'cache-control': file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    ...(compresses ? { vary: 'accept-encoding' } : {}),
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  });
  if (request.method === 'HEAD') response.end();
  else if (zipped) pipeline(createReadStream(file), createGzip(), response, () => undefined);
  else pipeline(createReadStream(file), response, () => undefined);
}

function isText(media: string): boolean {
  return media.startsWith('text/') || media === 'application/json' || media === 'image/svg+xml';
}

/** `gzip`, or `*` if gzip is not listed, with a weight above zero (RFC 9110, section 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const member of String(header ?? '').split(',')) {
    const [coding = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

async function fileFor(folder: string, url: string): Promise<string | undefined> {
  const path = decoded(new URL(url, 'http://localhost').pathname);
  if (path === undefined || path.includes('\0')) return undefined;
  const file = join(folder, normalize(path));
  if (file !== folder && !file.startsWith(join(folder, '/'))) return undefined;
  for (const candidate of [file, join(file, 'index.html')]) {
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isFile() === true) return candidate;
  }
  return undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The media type of a file by its extension. */
export const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves on loopback; `port` 0 takes a free one. Rejects if the port is taken. */
export function listen(port: number, answer: RequestListener): Promise<Running> {
  return new Promise((resolve, reject) => {
    const server = createServer(answer);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve({
        address: `http://localhost:${boundPort(server.address())}`,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function boundPort(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}

/** A running program of the sandbox. */
export interface Running {
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}
