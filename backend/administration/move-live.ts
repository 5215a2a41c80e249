import { setTimeout as later } from 'node:timers/promises';
import type { Database as Connection } from 'better-sqlite3';
import { Database } from '#backend/storage/sqlite/driver.ts';
import { copySqlite } from './backup.ts';
import { copyChanges } from './copy-changes.ts';
import { copyDatabase, requireSame } from './copy-database.ts';
import { heldDraft } from './draft.ts';
import { holdAlone, holdWrites } from './hold-database.ts';
import { markMoved } from './mark-moved.ts';
import { lookAt } from './verify.ts';

export interface LiveMove {
  readonly file: string;
  readonly address: string;
  /** Milliseconds until the service has to be stopped. */
  readonly wait: number;
}

/**
 * Moves the embedded database while the service runs: copies a snapshot, then lets the service write no more, and brings what changed meanwhile. Ends when the
 * service was stopped: nothing that it acknowledged is missing in PostgreSQL. Rejects with a sentence where it was not, or the move was
 * given up: then the service goes on as before.
 */
export async function moveLive({ file, address, wait }: LiveMove): Promise<number> {
  const draft = await heldDraft(file, 'moving-');
  const snapshot = draft.file;
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, giveUp);
  try {
    copySqlite(file, snapshot);
    dropTriggers(snapshot);
    say(`${await copyDatabase(snapshot, address)}: copied. The service continues.`);
    stop.signal.throwIfAborted();
    return await bringTheRest({ file, address, wait, snapshot, signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted) throw new Error(`The move was canceled. ${GOES_ON}`, { cause: error });
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp);
    await draft.end();
  }
}

interface Rest extends LiveMove {
  readonly snapshot: string;
  readonly signal: AbortSignal;
}

async function bringTheRest({ file, address, wait, snapshot, signal }: Rest): Promise<number> {
  const bring = async (live: Connection) => {
    const changed = await copyChanges(address, live, snapshot);
    return { changed, counts: changed === 0 ? undefined : await requireSame(await lookAt(snapshot), address) };
  };
  let held = await holdWrites(file);
  const refusing = performance.now();
  let alone: Connection | undefined;
  try {
    say('Writes are refused from now on (503), reads are answered.');
    const live = new Database(file, { fileMustExist: true });
    const { changed } = await bring(live).finally(() => live.close());
    say(
      `Rows that changed in the meantime: ${changed}. Everything is in PostgreSQL, verified; writes have been refused for ${secondsSince(refusing)} s. Stop the service now.`,
    );
    for (const begun = performance.now(); alone === undefined;) {
      // Whoever has the file open keeps it from us. For the moment of the question the service may write: that is brought at the end.
      held.release();
      alone = holdAlone(file);
      if (alone !== undefined) break;
      held = await holdWrites(file);
      if (performance.now() - begun > wait) throw new Error(`The service was not stopped. ${GOES_ON}`);
      await later(PAUSE, undefined, { signal });
    }
    const last = await bring(alone);
    markMoved(alone, address);
    say(
      `Rows that changed at the end: ${last.changed}. Moved, ${secondsSince(refusing)} s after writes were refused. Set DATABASE_URL, and start the service.`,
    );
    return 0;
  } finally {
    held.release();
    alone?.close();
  }
}

/** What they would do was done where its rows come from. */
function dropTriggers(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    const names = db.prepare<[], string>("select name from sqlite_master where type = 'trigger'").pluck().all();
    for (const name of names) db.exec(`drop trigger "${name}"`);
  } finally {
    db.close();
  }
}

/** With a tenth of a second. */
function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

const GOES_ON = 'The service continues with SQLite, and the PostgreSQL database is outdated. Empty it before you move again.';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Milliseconds between two looks whether the service was stopped. */
const PAUSE = 500;
