import type { IncomingMessage } from 'node:http';
import { acceptedMedia } from '#contract/endpoint.ts';
import type { RequestBody } from '#contract/endpoint.ts';
import { Refusal } from '#backend/domain/errors.ts';

/** A body as it came, with its media type; undefined where there is none. */
export interface RawBody {
  readonly media: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the body of a call that takes one: content type first, then size, and nothing else. A body that is too large is
 * read no further than the limit. Refuses with CONTENT_TYPE_UNSUPPORTED or BODY_TOO_LARGE.
 */
export async function readBody(request: IncomingMessage, expected: RequestBody, limit: number): Promise<RawBody | undefined> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (announced === 0 && !chunked) return undefined;
  const media = mediaType(request.headers['content-type'], expected);
  if (announced > limit) throw tooLarge(limit);
  const bytes = await collect(request, limit);
  return bytes.length === 0 ? undefined : { media, bytes };
}

function mediaType(header: string | undefined, expected: RequestBody): string {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const media = type.trim();
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (!acceptedMedia(expected).some((one) => one === media)) {
    const found = media === '' ? 'no content type' : `"${media}"`;
    throw new Refusal('CONTENT_TYPE_UNSUPPORTED', `Send the body as ${expected.media.join(' or ')}; the request has ${found}.`);
  }
  if (charset !== undefined && !/^charset="?(utf-8|us-ascii)"?$/.test(charset))
    throw new Refusal('CONTENT_TYPE_UNSUPPORTED', 'Send the body in UTF-8.');
  return media;
}

/** A listener instead of an iterator: an iterator would destroy the connection that still has to carry the refusal. */
function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      request.removeAllListeners('data');
      request.resume();
      reject(tooLarge(limit));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function tooLarge(limit: number): Refusal {
  return new Refusal('BODY_TOO_LARGE', `The request body is larger than ${limit} bytes, which is the limit here. Send less at once.`);
}
