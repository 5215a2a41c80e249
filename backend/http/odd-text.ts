import type { ErrorCode } from '#contract/errors.ts';
import { jsonPointer } from '#contract/errors.ts';
import { Refusal } from '#backend/domain/errors.ts';

/**
 * Refuses characters that no text can be stored and sent with: U+0000, which PostgreSQL does not take, and halves of a
 * character, which no UTF-8 and no address has. In: the names and values of a query.
 */
export function refuseOddText(
  texts: Readonly<Record<string, string | readonly string[] | undefined>>,
  code: ErrorCode,
  what: string,
): void {
  for (const [name, value] of Object.entries(texts)) {
    if (![name, ...[value ?? ''].flat()].some(isOdd)) continue;
    throw new Refusal(code, oddText(what), { errors: [{ pointer: jsonPointer([name.slice(0, SHOWN)]), detail: oddText('It') }] });
  }
}

export function isOdd(text: string): boolean {
  return ODD.test(text);
}

export function oddText(what: string): string {
  return `${what} has the character U+0000, or half of a character. Remove it.`;
}

/** With the flag `u`, halves of whole characters do not match. */
const ODD = /[\0\p{Surrogate}]/u;
const SHOWN = 100;
