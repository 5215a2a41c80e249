import { DEFAULT_REF } from '@repoless/contract/names.ts';

/** `main` first, then those that were asked for here, then the others by name; none twice. */
export function branchesShown(synced: readonly string[], asked: readonly string[]): string[] {
  return [...new Set([DEFAULT_REF, ...asked, ...synced.toSorted()])];
}
