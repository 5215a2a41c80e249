/**
 * The id of a request (docs/contract.md 2.9): taken from the caller where it is a plain word (it is logged and returned as it
 * is), else made.
 */
export function requestIdOf(header: string | undefined, make: () => string): string {
  return header !== undefined && /^[\w.:-]{1,128}$/.test(header) ? header : make();
}
