import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import type { Running } from '../running.ts';
import { listen } from './listen.ts';

export interface FolderOptions {
  readonly port: number;
  readonly folder: string;
  /** What a deployment puts beside the built files: the app's settings, as `settings.json`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Serves a built web app on an origin of its own, as any static hosting would. */
export function startFolder({ port, folder, settings }: FolderOptions): Promise<Running> {
  return listen(port, (request, response) => {
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
  response.writeHead(200, {
    'content-type': MEDIA[extname(file)] ?? 'application/octet-stream',
    // Built assets carry a hash of their content in their names.
    'cache-control': file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') response.end();
  else pipeline(createReadStream(file), response, () => undefined);
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

const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
