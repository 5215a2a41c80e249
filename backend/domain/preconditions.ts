import { Refusal } from './errors.ts';

/**
 * Refuses with PRECONDITION_FAILED where `if-match` does not fit the present etag, or `if-none-match` does.
 * In: the headers as they came and the etag of what is stored (undefined: nothing is). Rule: docs/contract.md 2.6.
 */
export function checkPreconditions(input: { readonly ifMatch?: string; readonly ifNoneMatch?: string }, present: string | undefined): void {
  if (input.ifMatch !== undefined && !matches(input.ifMatch, present)) {
    const sentence =
      present === undefined
        ? 'Nothing is stored, so "if-match" cannot match. Read it again.'
        : 'The configuration changed since you read it; read it again and repeat your change.';
    throw new Refusal('PRECONDITION_FAILED', sentence, present === undefined ? {} : { data: { etag: present } });
  }
  if (input.ifNoneMatch !== undefined && matches(input.ifNoneMatch.replaceAll('W/', ''), present)) {
    throw new Refusal('PRECONDITION_FAILED', 'It already exists, but "if-none-match" requires that it does not.');
  }
}

/** Whether `if-match` says which state is meant: by its etag, not by `*`. */
export function namesEtag(ifMatch: string | undefined, etag: string): boolean {
  return items(ifMatch ?? '').includes(etag);
}

function matches(header: string, present: string | undefined): boolean {
  if (present === undefined) return false;
  return items(header).some((item) => item === '*' || item === present);
}

function items(header: string): string[] {
  return header.split(',').map((item) => item.trim());
}
