import type { Kysely, Migration } from 'kysely';

/**
 * A change of the tables with its mark, which says what the programs that do not know it may do. `expand`: they go on
 * as if it were not there. `contract`: only those go on that know the migration named in `after`, and none of them where it is left out.
 */
export type MarkedMigration = Change & ({ readonly mark: 'expand' } | { readonly mark: 'contract'; readonly after?: string });

interface Change {
  /** On PostgreSQL other nodes read and write meanwhile: what takes a lock on a table of theirs is over at once. */
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * Left out: one transaction with its record. Set: no transaction around it, because it goes on for long, in pieces of its own; one
   * that was cut off begins again, and must come to the same end.
   */
  readonly inPieces?: true;
}

export type MarkedMigrations = Readonly<Record<string, MarkedMigration>>;

/** Migrations from before there were marks: the nodes of a version stopped before the first of the next one started. */
export function allStopped(migrations: Readonly<Record<string, Migration>>): MarkedMigrations {
  return Object.fromEntries(Object.entries(migrations).map(([name, { up }]) => [name, { mark: 'contract', up }]));
}

/** The migration that a program must know to go on beside this one; empty where it need not know any. */
export function neededBy(name: string, migration: MarkedMigration): string {
  return migration.mark === 'expand' ? '' : (migration.after ?? name);
}

/** The newest of these migrations: programs are told apart by it. */
export function newestOf(migrations: MarkedMigrations): string {
  return Object.keys(migrations).toSorted().at(-1) ?? '';
}
