import { z } from 'zod';

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
  'x-request-id',
]);

const DeliveryHeader = z.strictObject({
  key: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9-]+$/, 'A header name holds letters, digits and hyphens.')
    .refine(
      (name) => !RESERVED.has(name.toLowerCase()),
      'This header belongs to the connection or to the answer itself and cannot be set.',
    ),
  value: z
    .string()
    .max(8192)
    .regex(/^[\t\x20-\x7e]*$/, 'A header value holds printable ASCII characters.'),
});

/** `/**` is every path, `/products/**` all below, `*` anything within one segment; anything else is the path itself. */
const PathPattern = z.string().max(1000).startsWith('/', 'A path begins with "/", e.g. "/**".');

/** What the hosts of a site send with its pages and code, by path pattern (decision record 0029). */
export const Headers = z.record(PathPattern, z.array(DeliveryHeader).max(100));
export type Headers = z.infer<typeof Headers>;
