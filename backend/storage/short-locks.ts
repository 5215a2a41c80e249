import { setTimeout as later } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Dialect } from './tables.ts';

export interface ShortLocks {
  readonly dialect: Dialect;
  /** What is changed, for the sentence where it cannot be. */
  readonly what: string;
  /** No transaction around it: what is done twice comes to the same end. */
  readonly inPieces?: boolean;
}

/**
 * Changes tables that others use meanwhile. In: one connection. Whoever waits for a lock lets others wait behind, so it gives up after a
 * moment, and tries again. Rejects with a sentence where a transaction holds a table for long.
 */
export async function withShortLocks(
  db: Kysely<unknown>,
  { dialect, what, inPieces = false }: ShortLocks,
  change: (db: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  const attempt = async (within: Kysely<unknown>) => {
    if (dialect === 'postgres') await sql`select set_config('lock_timeout', ${String(PATIENCE)}, ${!inPieces})`.execute(within);
    await change(within);
  };
  for (let attempts = 1; ; attempts += 1) {
    try {
      await (inPieces ? attempt(db) : db.transaction().execute(attempt));
      break;
    } catch (error) {
      if (!isHeld(error)) throw error;
      if (attempts === ATTEMPTS)
        throw new Error(`${what} cannot be changed: a transaction holds it, such as that of a backup. Start again when it has ended.`, {
          cause: error,
        });
      await later(PAUSE);
    }
  }
  if (dialect === 'postgres' && inPieces) await sql`reset lock_timeout`.execute(db);
}

/** A lock was not had in time, or two waited for each other. */
function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}

/** Milliseconds. */
const PATIENCE = 500;
const PAUSE = 1000;
const ATTEMPTS = 60;
