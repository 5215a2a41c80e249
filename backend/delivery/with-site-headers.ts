import type { Headers } from '#contract/delivery-headers.ts';
import { LIMITS } from '#contract/limits.ts';
import { createPathFits } from './path-pattern.ts';
import type { ReadyAnswer } from './site-answers.ts';

/**
 * The answer with the headers that the site sets for its path. Every pattern that fits counts; of one name the longer pattern
 * wins, and the site over the service. Several patterns may fit that have more together than clients take: then those of the
 * shorter patterns are left out, and the answer says how many. Rule: decision record 0029.
 */
export function withSiteHeaders(answer: ReadyAnswer, path: string, headers: Headers | undefined): ReadyAnswer {
  if (headers === undefined || answer.status >= 300) return answer;
  const set = new Map<string, string>();
  let length = 0;
  let leftOut = 0;
  const fits = createPathFits(path);
  const fitting = Object.keys(headers)
    .slice(0, LIMITS.headerPatterns)
    .filter((pattern) => fits(/^[/*]/.test(pattern) ? pattern : `/${pattern}`));
  for (const pattern of fitting.toSorted((one, other) => one.length - other.length).toReversed()) {
    for (const [name, value] of new Map(headers[pattern]?.map((header) => [header.key.toLowerCase(), header.value]))) {
      if (set.has(name)) continue;
      length += name.length + value.length;
      if (length <= LIMITS.headersSent) set.set(name, value);
      else leftOut += 1;
    }
  }
  if (leftOut > 0) set.set('x-headers-left-out', String(leftOut));
  if (set.size === 0) return answer;
  return {
    ...answer,
    headers: replaced(answer.headers, set),
    ...(answer.unchanged === undefined ? {} : { unchanged: replaced(answer.unchanged, set) }),
  };
}

function replaced(flat: readonly string[], set: ReadonlyMap<string, string>): string[] {
  const kept = flat.filter((_, index) => !set.has((flat[index - (index % 2)] ?? '').toLowerCase()));
  return [...kept, ...[...set].flat()];
}
