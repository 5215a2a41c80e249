import { z } from 'zod';
import { LIMITS } from './limits.ts';

const DeliveryHeader = z.strictObject({
  key: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/, 'A header name holds letters, digits, hyphens and a few other signs, and no space.'),
  value: z
    .string()
    .max(LIMITS.headersLength)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value holds printable characters of ISO 8859-1.'),
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
