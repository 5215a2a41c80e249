import { ERRORS, Problem } from '@repoless/contract/errors.ts';
import type { Judge } from '../support/check-answers-judge.ts';
import type { Ending } from './send.ts';

/** What is wrong with the end of a request; undefined where nothing is. In: whether the document speaks of whom was asked. */
export function faultOf(ending: Ending, judge: Judge | undefined): string | undefined {
  if (ending.kind !== 'answered') return ending.kind === 'hung' ? 'hung' : undefined;
  const { status, code = '', body, exchange } = ending;
  if (status >= 500 && !OUTSIDE.has(code)) return `${status} ${code}`;
  if (exchange === undefined) return body === undefined || isProblem(body) ? undefined : `${status} is no problem document: ${body}`;
  const deviations = judge?.(exchange).deviations ?? [];
  return deviations.length === 0 ? undefined : `${status} ${code} is not as documented: ${deviations.join('; ')}`;
}

function isProblem(body: string): boolean {
  try {
    return Problem.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/** 503 that tell of other systems, or of a share of works that is taken. */
const BUSY: ReadonlySet<string> = new Set(['IDENTITY_PROVIDER_UNREACHABLE']);

/** What says that another system does not respond as expected, for the fuzz makes addresses up. */
const OUTSIDE: ReadonlySet<string> = new Set(
  Object.entries(ERRORS).flatMap(([code, { status }]) => ([501, 502, 504].includes(status) || BUSY.has(code) ? [code] : [])),
);
