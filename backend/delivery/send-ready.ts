import { pipeline } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyAnswer } from './site-answers.ts';

/** Sends an answer whose bytes are ready, or 304 to a caller who has them. */
export function sendReady(request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer): void {
  const { status, headers, bytes, etag, unchanged } = answer;
  if (etag !== undefined && unchanged !== undefined && hasEtag(request, etag)) {
    response.writeHead(304, unchanged).end();
    return;
  }
  if (answer.stream !== undefined && request.method !== 'HEAD') return sendStream(response.writeHead(status, headers), answer.stream);
  response.writeHead(status, headers).end(bytes, 'latin1');
}

/** What cannot be read to its end is cut off: the length that was announced tells the caller. */
function sendStream(response: ServerResponse, stream: AsyncIterable<Uint8Array>): void {
  pipeline(stream, response, () => undefined);
}

/** Whether `if-none-match` names the etag, as a weak comparison (RFC 9110, 13.1.2). */
function hasEtag({ rawHeaders }: IncomingMessage, etag: string): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== IF_NONE_MATCH.length || name.toLowerCase() !== IF_NONE_MATCH) continue;
    const given = rawHeaders[index + 1] ?? '';
    if (given === etag || given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return true;
  }
  return false;
}

const IF_NONE_MATCH = 'if-none-match';
