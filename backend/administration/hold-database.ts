import type { Database as Connection } from 'better-sqlite3';
import { setTimeout as later } from 'node:timers/promises';
import { Database } from '../db/sqlite/connect.ts';
import { isBusy } from '../db/storage-error.ts';

export interface Held {
  /** Others write again. May be called again. */
  release(): void;
}

/** Takes the write lock: others can still read. Rejects if another program holds it for long. */
export async function holdWrites(file: string): Promise<Held> {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    for (let attempt = 1; !begins(db); attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new Error(`Another program has been writing ${file} for too long. Nothing was locked. Try again when it has ended.`);
      await later(PAUSE);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return { release: () => void db.close() };
}

function begins(db: Connection): boolean {
  try {
    db.exec('begin immediate');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Opens the database exclusively until it is closed; undefined if another program has it open. */
export function holdAlone(file: string): Connection | undefined {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma('locking_mode = exclusive');
    db.exec('begin exclusive; commit');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

const ATTEMPTS = 500;
/** Milliseconds. */
const PAUSE = 10;
