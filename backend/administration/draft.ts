import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { tryToHold } from '../db/sqlite/connect.ts';
import { onShutdownSignal } from './shutdown-signal.ts';

export interface Draft {
  /** Where it lies: beside the place that it is to take. */
  readonly file: string;
  /** Aborted, with the message as its reason, when the program is asked to end. */
  readonly signal: AbortSignal;
  /** Removes what is left of it, and lets the program end by signals again. */
  end(): Promise<void>;
}

/**
 * Creates a file that replaces its target only when it is complete. Until `end`, SIGINT and SIGTERM do not end the program: check `signal` before
 * the last step. `givenUp` is the message for a canceled run. The folder must exist. Removes abandoned drafts of the same target.
 */
export async function startDraft(place: string, givenUp: string): Promise<Draft> {
  const heeded = onShutdownSignal(givenUp);
  try {
    const held = await heldDraft(place);
    return { file: held.file, signal: heeded.signal, end: () => held.end().finally(heeded.end) };
  } catch (error) {
    heeded.end();
    throw error;
  }
}

/** A lock on a file beside it says for as long as the program lives that it works on it; where the folder takes no locks, the draft of a killed program stays. */
async function heldDraft(place: string): Promise<Omit<Draft, 'signal'>> {
  await removeDrafts(place);
  const file = `${place}.${randomUUID()}`;
  const lock = hold(file);
  return {
    file,
    async end() {
      await removeFiles(file);
      lock?.close();
    },
  };
}

function hold(file: string) {
  for (;;) {
    try {
      const lock = tryToHold(`${file}${LOCK}`);
      // Another program that removes drafts may have taken this one before it was locked: then the lock is on an unlinked file.
      if (lock !== undefined && existsSync(`${file}${LOCK}`)) return lock;
      lock?.close();
    } catch {
      return undefined;
    }
  }
}

async function removeDrafts(place: string): Promise<void> {
  const begins = `${basename(place)}.`;
  for (const name of await readdir(dirname(place))) {
    if (!name.startsWith(begins) || !UNIQUE.test(name.slice(begins.length))) continue;
    const file = join(dirname(place), name.slice(0, -LOCK.length));
    try {
      const lock = tryToHold(`${file}${LOCK}`);
      if (lock !== undefined) await removeFiles(file).finally(() => lock.close());
    } catch {
      // Of another account, for example: harmless.
    }
  }
}

/** Create the lock last: a program that finds it finds the rest as well. */
async function removeFiles(file: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm', LOCK]) await rm(`${file}${end}`, { force: true });
}

const LOCK = '.lock';
const UNIQUE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.lock$/;
