import { createReadStream, createWriteStream } from 'node:fs';
import { chown, link, mkdir, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database as Connection } from 'better-sqlite3';
import { DATABASE_FILE } from './database-file.ts';
import { beginDraft } from './draft.ts';
import { holdAlone } from './hold-database.ts';
import { onDisk } from './on-disk.ts';
import { counted, lookAt } from './verify.ts';

/**
 * Puts a copy in the place of the embedded database. It is verified first, and what it replaces is kept beside it. Rejects with a sentence, and leaves everything as it is, where the copy is not complete or of another version,
 * or where the service has started meanwhile.
 */
export async function restoreSqlite(file: string, dataDir: string): Promise<void> {
  const { counts, problems } = await lookAt(file);
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nThe copy is incomplete, so it was not restored.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const place = resolve(dataDir, DATABASE_FILE);
  const draft = await beginDraft(place, 'The restore was canceled. The database is unchanged.');
  try {
    await copyFor(place, dataDir, { file, draft: draft.file, signal: draft.signal });
    await onDisk(draft.file);
    draft.signal.throwIfAborted();
    const kept = await exchange(draft.file, place);
    await onDisk(dataDir);
    const before = kept === undefined ? '' : ` The previous database is kept as ${kept}.`;
    process.stdout.write(`${counted(counts)}: restored into ${place}.${before}\n`);
  } catch (error) {
    draft.signal.throwIfAborted();
    throw error;
  } finally {
    await draft.end();
  }
}

interface Copying {
  readonly file: string;
  readonly draft: string;
  readonly signal: AbortSignal;
}

/** A copy that its owner alone reads, whatever the mode of the file: it belongs to whom the database belonged to, or else its folder. */
async function copyFor(place: string, dataDir: string, { file, draft, signal }: Copying): Promise<void> {
  const own = process.getuid?.();
  const before = await stat(place).catch(() => undefined);
  if (before !== undefined && own !== undefined && own !== 0 && own !== before.uid)
    throw new Error(`${place} belongs to another account. Run this command as the account of the service, or as root.`);
  await pipeline(createReadStream(file), createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal });
  const { uid, gid } = before ?? (await stat(dataDir));
  if (own === 0) await chown(draft, uid, gid);
}

/**
 * The database is held until the other one is in its place: a service that starts meanwhile opens either this one, and cannot use it, or the other.
 * Out: where what was replaced is, if there was something.
 */
async function exchange(draft: string, place: string): Promise<string | undefined> {
  const before = await stat(place).catch(() => undefined);
  if (before === undefined) {
    // Unlike a rename, this does not replace what a service made meanwhile.
    await link(draft, place).catch((error: unknown) => {
      throw isCode(error, 'EEXIST')
        ? new Error(`The service was started on ${place} in the meantime. Stop it first.`, { cause: error })
        : error;
    });
    return undefined;
  }
  const kept = `${place}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const held = heldDatabase(place);
  try {
    await link(place, kept);
    // With the further files of another database beside it, it would not be what was backed up.
    for (const end of ['-wal', '-shm']) await renameIfThere(`${place}${end}`, `${kept}${end}`);
    await rename(draft, place);
    return kept;
  } finally {
    held?.close();
  }
}

/** Undefined where it is damaged: nobody can use it, and it may be replaced. */
function heldDatabase(place: string): Connection | undefined {
  let held: Connection | undefined;
  try {
    held = holdAlone(place);
  } catch {
    return undefined;
  }
  if (held === undefined) throw new Error(`The service was started on ${place} in the meantime. Stop it first.`);
  try {
    // Brings in what lies in the `-wal` file. Whoever waits for this file finds that it was moved before anything is written to it.
    held.pragma('journal_mode = delete');
  } catch {
    // Damaged as well.
  }
  return held;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
