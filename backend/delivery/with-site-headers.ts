import { createHash } from 'node:crypto';
import { isSettableHeader } from '#contract/delivery-headers.ts';
import type { Headers } from '#contract/delivery-headers.ts';
import { LIMITS } from '#contract/limits.ts';
import { oncePerDocument } from '#backend/domain/canonical.ts';
import { createPathMatcher } from './path-pattern.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** What the configuration of a site gives to an answer beside its content. */
export interface SiteHeaders {
  readonly set: ReadonlyMap<string, string>;
  /**
   * The etag of an answer with these headers. In: that of its content. A 304 replaces headers that a cache keeps and takes none
   * away, so other headers are another etag (docs/contract.md 6.3, decision record 0113).
   */
  etag(content: string): string;
}

/**
 * The headers that the site sets for a path. Every pattern that fits counts; of one name the longer pattern wins. Several patterns
 * may fit that have more together than clients take: then those of the shorter patterns are left out, and the answer says how many.
 * Rule: decision record 0029. In: whether the host is guarded, where fewer headers are sent.
 */
export function siteHeaders(path: string, headers: Headers | undefined, isGuarded: boolean): SiteHeaders {
  const set = headers === undefined ? new Map<string, string>() : headersOf(path, headers);
  if (set.size === 0 && !isGuarded) return { set, etag: (content) => content };
  const hash = createHash('sha256').update(JSON.stringify([isGuarded, ...set]));
  const mark = hash.digest('base64url').slice(0, MARK);
  return { set, etag: (content) => `${content.slice(0, -1)}.${mark}"` };
}

function headersOf(path: string, headers: Headers): Map<string, string> {
  const set = new Map<string, string>();
  let length = 0;
  let leftOut = 0;
  const matches = createPathMatcher(path);
  for (const { pattern, given } of patternsOf(headers)) {
    if (!matches(pattern)) continue;
    for (const [name, value] of given) {
      if (set.has(name)) continue;
      length += name.length + value.length;
      if (length <= LIMITS.headersSent) set.set(name, value);
      else leftOut += 1;
    }
  }
  if (leftOut > 0) set.set('x-headers-left-out', String(leftOut));
  return set;
}

interface HeaderPattern {
  readonly pattern: string;
  /** By their names in lower case. */
  readonly given: ReadonlyMap<string, string>;
}

/** The patterns of a site, the longest first. */
const patternsOf = oncePerDocument((headers: Headers): readonly HeaderPattern[] =>
  Object.entries(headers)
    .slice(0, LIMITS.headerPatterns)
    .toSorted(([one], [other]) => one.length - other.length)
    .toReversed()
    .map(([pattern, given]) => ({
      pattern: /^[/*]/.test(pattern) ? pattern : `/${pattern}`,
      // What was stored before a name was reserved is not sent.
      given: new Map(given.flatMap(({ key, value }) => (isSettableHeader(key) ? [[key.toLowerCase(), value] as const] : []))),
    })),
);

/** The answer with the headers of the site, which win over those of the service. */
export function withSiteHeaders(answer: ReadyAnswer, given: SiteHeaders): ReadyAnswer {
  if (answer.status >= 300) return answer;
  const { headers, etag, unchanged } = answer;
  if (etag === undefined || unchanged === undefined) return { ...answer, headers: replaced(headers, given.set) };
  const own = given.etag(etag);
  const set = new Map([...given.set, ['etag', own]]);
  return { ...answer, headers: replaced(headers, set), unchanged: replaced(unchanged, set), etag: own };
}

function replaced(flat: readonly string[], set: ReadonlyMap<string, string>): string[] {
  const kept = flat.filter((_, index) => !set.has((flat[index - (index % 2)] ?? '').toLowerCase()));
  return [...kept, ...[...set].flat()];
}

/** Characters of a hash that tell the headers of one site and path from each other. */
const MARK = 16;
