import { createReadStream, createWriteStream } from 'node:fs';
import { chown, link, mkdir, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database as Connection } from 'better-sqlite3';
import { DATABASE_FILE } from './database-file.ts';
import { startDraft } from './draft.ts';
import { holdAlone } from './hold-database.ts';
import { onDisk } from './on-disk.ts';
import { counted, lookAt } from './verify.ts';

/**
 * Replaces the embedded database by a copy, which is verified first; the replaced file is kept beside it. Rejects and changes nothing if the copy is incomplete or of another version,
 * or if the service was started in the meantime.
 */
export async function restoreSqlite(file: string, dataDir: string): Promise<void> {
  const { counts, problems } = await lookAt(file);
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nThe copy is incomplete, so it was not restored.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const place = resolve(dataDir, DATABASE_FILE);
  const draft = await startDraft(place, 'The restore was canceled. The database is unchanged.');
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

/** Copies with mode 0600, and with the owner of the replaced database or else of its folder. */
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
 * The database stays locked until it is replaced, so a service that starts in the meantime opens either the locked file or the new one.
 * Out: the path of the replaced database, if there was one.
 */
async function exchange(draft: string, place: string): Promise<string | undefined> {
  const before = await stat(place).catch(() => undefined);
  if (before === undefined) {
    // Unlike rename, link fails if a service has created the file in the meantime.
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
    // A leftover `-wal` of the replaced database would be applied to the copy.
    for (const end of ['-wal', '-shm']) await renameIfThere(`${place}${end}`, `${kept}${end}`);
    await rename(draft, place);
    return kept;
  } finally {
    held?.close();
  }
}

/** Undefined if it is damaged: no service can use it, so it may be replaced. */
function heldDatabase(place: string): Connection | undefined {
  let held: Connection | undefined;
  try {
    held = holdAlone(place);
  } catch {
    return undefined;
  }
  if (held === undefined) throw new Error(`The service was started on ${place} in the meantime. Stop it first.`);
  try {
    // Applies the `-wal` file. A service that waits for this file notices the move before it writes.
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
