import type { Headers } from '#contract/delivery-headers.ts';
import { jsonPointer } from '#contract/errors.ts';
import type { FieldError } from '#contract/errors.ts';
import { LIMITS } from '#contract/limits.ts';
import { allowedOriginErrors } from './allowed-origins.ts';

/**
 * Names that a site may not set on its hosts: they belong to the connection, to the form of what is sent, or would reach
 * beyond the site (a cookie for all hosts of the domain).
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
  // A proxy in front of the service takes these as commands: to send a file of its own, or what another address answers.
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-url',
]);
/** Every command of this proxy begins so. */
const RESERVED_PREFIX = 'x-accel-';

/** Whether a site may set this header on its hosts. */
export function isSettableHeader(name: string): boolean {
  const key = name.toLowerCase();
  return !RESERVED.has(key) && !key.startsWith(RESERVED_PREFIX);
}

/** What of a site's headers cannot be sent, by pointers into the document. */
export function headerErrors(headers: Headers | undefined): FieldError[] {
  const reserved = Object.entries(headers ?? {}).flatMap(([path, list]) =>
    list.flatMap(({ key }, index) =>
      isSettableHeader(key) ? [] : [{ pointer: jsonPointer(['headers', path, index, 'key']), detail: KEPT }],
    ),
  );
  return [...reserved, ...allowedOriginErrors(headers)].slice(0, LIMITS.toldErrors);
}

const KEPT = 'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.';
