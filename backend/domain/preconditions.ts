import { Refusal } from './errors.ts';

/**
 * Refuses with PRECONDITION_FAILED where `if-match` does not fit the present etag, or `if-none-match` does.
 * In: the headers as they came and the etag of what is stored (undefined: nothing is). Rule: service contract, section 1.
 */
export function checkPreconditions(input: { readonly ifMatch?: string; readonly ifNoneMatch?: string }, present: string | undefined): void {
  if (input.ifMatch !== undefined && !matches(input.ifMatch, present)) {
    const sentence =
      present === undefined
        ? 'There is nothing stored that "if-match" could fit; read it again.'
        : 'The configuration changed since you read it; read it again and repeat your change.';
    throw new Refusal('PRECONDITION_FAILED', sentence, present === undefined ? {} : { data: { etag: present } });
  }
  if (input.ifNoneMatch !== undefined && matches(input.ifNoneMatch.replaceAll('W/', ''), present)) {
    throw new Refusal('PRECONDITION_FAILED', 'It exists already, and "if-none-match" asked that it does not.');
  }
}

function matches(header: string, present: string | undefined): boolean {
  if (present === undefined) return false;
  return header
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item === present);
}
