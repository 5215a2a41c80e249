import type { Headers } from '#contract/delivery-headers.ts';
import { pathFits } from './path-pattern.ts';
import type { ReadyAnswer } from './site-answers.ts';

/**
 * The answer with the headers that the site sets for its path. Every pattern that fits counts; of one name the longer pattern
 * wins, and the site over the service. Rule: decision record 0029.
 */
export function withSiteHeaders(answer: ReadyAnswer, path: string, headers: Headers | undefined): ReadyAnswer {
  if (headers === undefined || answer.status >= 300) return answer;
  const set = new Map<string, string>();
  const fitting = Object.keys(headers).filter((pattern) => pathFits(pattern, path));
  for (const pattern of fitting.toSorted((one, other) => one.length - other.length)) {
    for (const { key, value } of headers[pattern] ?? []) set.set(key.toLowerCase(), value);
  }
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
