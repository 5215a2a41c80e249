import type { IncomingMessage } from 'node:http';
import type { CodeFile } from '../code/rules/ports.ts';
import { mediaType } from './media-types.ts';
import { hasEtag } from './send-ready.ts';
import { contentHeaders, refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';
import type { SiteHeaders } from './with-site-headers.ts';

/**
 * A file of the code: whole, or a single range that a GET requests (RFC 9110, 14.2) without having the file (13.2.2). If no bytes are sent, none
 * are read: the etag decides, together with the site's headers.
 */
export async function codeAnswer(file: CodeFile, path: string, request: IncomingMessage, given: SiteHeaders): Promise<ReadyAnswer> {
  const { headers, method } = request;
  const content = `"${file.hash}"`;
  const etag = given.etag(content);
  const isKnown = hasEtag(request, etag);
  const asksPart = method === 'GET' && !isKnown && (headers['if-range'] === undefined || headers['if-range'] === etag);
  const range = asksPart ? readRange(headers['range'], file.size) : undefined;
  if (range === 'outside') {
    return refusalAnswer(416, 'RANGE_INVALID', 'The file does not have this range.', ['content-range', `bytes */${file.size}`]);
  }
  const part = range ?? { start: 0, end: file.size - 1 };
  const length = part.end - part.start + 1;
  const isSent = length > 0 && method !== 'HEAD' && !isKnown;
  const found = isSent ? await file.read(part) : new Uint8Array();
  const sent = contentHeaders(mediaType(path), length, content);
  const all = [...sent.headers, 'accept-ranges', 'bytes'];
  const body = found instanceof Uint8Array ? { bytes: found } : { bytes: new Uint8Array(), stream: { length, pieces: found } };
  if (range === undefined) return { ...sent, status: 200, headers: all, ...body };
  return { status: 206, headers: [...all, 'content-range', `bytes ${part.start}-${part.end}/${file.size}`], ...body };
}

/** Undefined where no range is asked for, or several, or in another unit: the file is sent whole then. */
function readRange(header: string | string[] | undefined, size: number): { start: number; end: number } | 'outside' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(String(header ?? '').trim()) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (start >= size) return 'outside';
  return start > end ? undefined : { start, end };
}
