import { z } from 'zod';
import { LIMITS } from './limits.ts';

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

const DeliveryHeader = z.strictObject({
  key: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/, 'A header name holds letters, digits, hyphens and a few other signs, and no space.')
    .refine(
      isSettableHeader,
      'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.',
    ),
  value: z
    .string()
    .max(LIMITS.headerValue)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value holds printable characters of ISO 8859-1, such as "é", and no others.'),
});

/** `/**` is every path, `/products/**` all below, `*` anything within one segment; anything else is the path itself. */
const PathPattern = z
  .string()
  .max(LIMITS.headerPatternLength)
  .regex(/^[a-zA-Z0-9-/._*]+$/, 'Write a path such as "/**" or "/products/*", of letters, digits, "-", "_", ".", "/" and "*".')
  .refine(
    (pattern) => (pattern.match(/\*+/g)?.length ?? 0) <= LIMITS.headerPatternStars,
    `A path has at most ${LIMITS.headerPatternStars} runs of "*".`,
  );

function isShort(headers: readonly { readonly key: string; readonly value: string }[]): boolean {
  return headers.reduce((sum, { key, value }) => sum + key.length + value.length, 0) <= LIMITS.headersLength;
}

/** What the hosts of a site send, by path pattern, of which a later one wins (docs/contract.md 6.5). */
export const Headers = z
  .record(
    PathPattern,
    z.array(DeliveryHeader).max(100).refine(isShort, `The headers of a path have at most ${LIMITS.headersLength} characters in total.`),
  )
  .refine((headers) => Object.keys(headers).length <= LIMITS.headerPatterns, `Headers are set for at most ${LIMITS.headerPatterns} paths.`);
export type Headers = z.infer<typeof Headers>;
