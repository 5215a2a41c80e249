import type { ReadyAnswer } from './site-answers.ts';

/**
 * Headers of an answer of a guarded host, so that no shared cache keeps it, whatever the site's own headers say. The reader may keep it and must
 * revalidate.
 */
export function guardedAnswer(answer: ReadyAnswer): ReadyAnswer {
  const control = answer.status < 400 ? 'private, max-age=0, must-revalidate' : 'private, no-store';
  return {
    ...answer,
    headers: guarded(answer.headers, control),
    ...(answer.unchanged === undefined ? {} : { unchanged: guarded(answer.unchanged, control) }),
  };
}

/** Whether a header, in lower case, controls how long an answer may be cached. */
export function isCachingHeader(name: string): boolean {
  return CACHING.test(name);
}

function guarded(flat: readonly string[], control: string): string[] {
  const pairs = flat.flatMap((name, index) => (index % 2 === 0 ? [{ name: name.toLowerCase(), value: flat[index + 1] ?? '' }] : []));
  const vary = pairs.filter(({ name }) => name === 'vary').map(({ value }) => value);
  const kept = pairs.filter(({ name }) => name !== 'vary' && !isCachingHeader(name));
  return [...kept.flatMap(({ name, value }) => [name, value]), 'cache-control', control, 'vary', [...vary, TOKEN_HEADERS].join(', ')];
}

/** `cache-control`, those that are meant for one cache alone (RFC 9213), and their forerunners. */
const CACHING = /(?:^|-)(?:cache-control|surrogate-control|edge-control)$|^(?:expires|pragma|x-accel-expires)$/;
const TOKEN_HEADERS = 'authorization, x-auth-token';
