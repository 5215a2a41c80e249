import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyAnswer } from './site-answers.ts';

/** Sends an answer whose bytes are ready, or 304 to a caller who has them. */
export function sendReady(request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer): void {
  const { status, headers, bytes, etag, unchanged } = answer;
  if (etag !== undefined && unchanged !== undefined && hasEtag(request, etag)) {
    response.writeHead(304, unchanged).end();
    return;
  }
  response.writeHead(status, headers).end(bytes);
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
