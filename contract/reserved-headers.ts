/**
 * Headers that a site may not set on its hosts: they belong to the connection or the encoding of the body, or would have
 * an effect beyond the site (a cookie for all hosts of the domain).
 */
const RESERVED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'date',
  'server',
  'content-length',
  'content-type',
  'content-encoding',
  'content-range',
  'accept-ranges',
  'etag',
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'x-error',
  'x-error-code',
  'x-headers-left-out',
  'x-request-id',
  // A proxy in front of the service treats these as commands: to send one of its own files, or the answer of another address.
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-url',
]);
/** The prefix of this proxy's commands. */
const RESERVED_PREFIX = 'x-accel-';

export function isSettableHeader(name: string): boolean {
  const key = name.toLowerCase();
  return !RESERVED.has(key) && !key.startsWith(RESERVED_PREFIX);
}

export const RESERVED_HEADER =
  'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.';
