import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import type { Database as Connection } from 'better-sqlite3';
import { isBusy } from '../storage-error.ts';
import { Database } from './driver.ts';

/** What a program does alone with its data folder. */
export interface Alone {
  /** As it is called in a sentence, e.g. `service`. Programs of different names do not keep each other out. */
  readonly name: string;
  /** Milliseconds that another one is waited for, which may be ending; a second at least. */
  readonly patience: number;
  /** Told, once, that another one is waited for. */
  waiting(sentence: string): void;
}

/**
 * Holds a data folder for the one program of its kind that may use it, until what comes out is called: such a program keeps ready what it read, and would
 * not hear of what another one writes. The system itself releases what a killed program held. Makes the folder where it is missing, and a file
 * in it, `<name>.lock`, which stays and says nothing by itself. Rejects with a sentence where another one goes on.
 */
export async function holdFolder(folder: string, { name, patience, waiting }: Alone): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder, name);
  // Whoever closes the file gives up the lock of its whole process: only what is not there is opened apart from SQLite.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const wait = Math.max(patience, LEAST_PATIENCE);
  const last = performance.now() + wait;
  for (let isTold = false; ; isTold = true) {
    const held = tryToHold(file);
    if (held !== undefined) return () => void held.close();
    if (performance.now() >= last)
      throw new Error(
        `Another ${name} runs on the folder ${folder}. Stop it, or set DATA_DIR to another folder. Several nodes share a PostgreSQL database (DATABASE_URL).`,
      );
    if (!isTold) waiting(`Another ${name} runs on the folder ${folder}. Waiting for it to end, at most ${Math.ceil(wait / 1000)} seconds.`);
    await later(PAUSE);
  }
}

export function lockFile(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(' ', '-')}.lock`);
}

/** The lock of a file, which is made where it is missing, until it is closed; undefined where somebody else has it. SQLite's locks are those of the system. */
export function tryToHold(file: string): Connection | undefined {
  const db = new Database(file, { timeout: 0 });
  try {
    // Nothing is written: no journal is to be left where the program is killed.
    db.pragma('journal_mode = memory');
    db.exec('begin exclusive');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Milliseconds between two looks. */
const PAUSE = 100;
/** Milliseconds until the system released what a killed program held. */
const LEAST_PATIENCE = 1000;
