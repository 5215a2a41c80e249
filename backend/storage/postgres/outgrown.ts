import { Refusal } from '#backend/domain/errors.ts';
import { knownTables } from '../migrate.ts';

/** Whether the tables still are such that this program can use them; a node that was away while they changed learns it here. */
export interface Outgrown {
  readonly knows: string;
  needed(migration: string): void;
  /** Throws a Refusal where they are not. */
  requireUsable(): void;
}

export function createOutgrown(log: (message: string, error: unknown) => void): Outgrown {
  const knows = knownTables('postgres');
  let needs = '';
  return {
    knows,
    needed(migration) {
      if (migration > knows && needs !== migration) log(SENTENCE, undefined);
      needs = migration;
    },
    requireUsable() {
      if (needs > knows) throw new Refusal('STORAGE_UNAVAILABLE', SENTENCE, { retryAfter: 60 });
    },
  };
}

const SENTENCE = 'A newer version has migrated the tables, and this node can no longer use them. Replace it with the newer version.';
