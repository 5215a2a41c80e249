import type { CarriedOut } from './migration-record.ts';

/**
 * What an embedded database has among its migrations once it was moved. Versions that do not know it refuse it as they refuse what a newer version did:
 * `needs` is behind every number. In: the address of where it is now, without password.
 */
export function movedMark(to: string): { readonly name: string; readonly needs: string } {
  return { name: `${MOVED}${to}`, needs: 'moved' };
}

/** Where a database was moved to, if it was. */
export function movedTo(carriedOut: readonly CarriedOut[]): string | undefined {
  return carriedOut.find(({ name }) => name.startsWith(MOVED))?.name.slice(MOVED.length);
}

/** Throws a sentence where a database was moved: what would be written to it, or copied from it, is not what the service has. */
export function requireNotMoved(carriedOut: readonly CarriedOut[]): void {
  const to = movedTo(carriedOut);
  if (to === undefined) return;
  throw new Error(
    `The embedded database was moved to ${to}. Set DATABASE_URL to that. To use the file again, without the changes made there since, run move-database --back.`,
  );
}

const MOVED = 'moved to ';
