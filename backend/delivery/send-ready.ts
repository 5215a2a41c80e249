import { pipeline } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LARGE, OVERLOADED } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

/**
 * Sends an answer whose bytes are ready, or 304 to a caller who has them. Out, for a stream alone: settles when its first piece is there;
 * rejects where it is not to be had, and nothing is sent then.
 */
export type SendReady = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer) => Promise<void> | undefined;

/** Whether there is room for a large answer that is about to be sent. */
type Admit = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer) => boolean;

/** How the hosts send their answers: where they are reached by HTTPS, each says that they always are (RFC 6797). A large one for which there is no room is refused. */
export function readySender({ protocol }: { readonly protocol: 'http' | 'https' }, admit: Admit): SendReady {
  const complete = protocol === 'https' ? withTransportSecurity : (headers: string[]) => headers;
  return function send(request, response, answer) {
    const { status, headers, bytes, etag, unchanged, stream } = answer;
    if (etag !== undefined && unchanged !== undefined && hasEtag(request, etag)) {
      response.writeHead(304, complete(unchanged)).end();
      return undefined;
    }
    if ((bytes.length > LARGE || stream !== undefined) && request.method !== 'HEAD' && !admit(request, response, answer))
      return send(request, response, OVERLOADED);
    const sent = complete(headers);
    if (stream !== undefined && request.method !== 'HEAD') return sendStream(response, status, sent, stream.pieces);
    response.writeHead(status, sent).end(bytes, 'latin1');
    return undefined;
  };
}

/** What a site says of it itself counts. */
function withTransportSecurity(headers: string[]): string[] {
  const known = completed.get(headers);
  if (known !== undefined) return known;
  const complete = headers.includes(TRANSPORT_SECURITY) ? headers : [...headers, TRANSPORT_SECURITY, ONE_YEAR];
  completed.set(headers, complete);
  return complete;
}

/** What cannot be read to its end is cut off: the length that was announced tells the caller. */
async function sendStream(response: ServerResponse, status: number, headers: string[], stream: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  // Callers who left get nothing; later versions of Node.js throw when piping to a closed response.
  if (response.destroyed) return void (await pieces.return?.());
  response.writeHead(status, headers);
  pipeline(from(first, pieces), response, () => undefined);
}

async function* from(first: IteratorResult<Uint8Array>, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    // Callers who left stop reading.
    await pieces.return?.();
  }
}

/** Whether `if-none-match` names the etag, as a weak comparison (RFC 9110, 13.1.2). */
export function hasEtag({ rawHeaders }: IncomingMessage, etag: string): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== IF_NONE_MATCH.length || name.toLowerCase() !== IF_NONE_MATCH) continue;
    const given = rawHeaders[index + 1] ?? '';
    if (given === etag || given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return true;
  }
  return false;
}

const IF_NONE_MATCH = 'if-none-match';
/** Once for each ready answer, not for each request. */
const completed = new WeakMap<string[], string[]>();
const TRANSPORT_SECURITY = 'strict-transport-security';
const ONE_YEAR = 'max-age=31536000; includeSubDomains';
