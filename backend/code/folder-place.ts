import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BlobPlace, MissingBlob } from './rules/ports.ts';

/** Blobs as files of a folder. A file appears complete and on disk, or not at all: it is written to a draft, synced, and renamed. */
export async function openFolderPlace(folder: string): Promise<BlobPlace> {
  const drafts = join(folder, 'drafts');
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const made = new Set<string>();
  const folderOf = (hash: string) => join(folder, 'files', hash.slice(0, 2));
  const fileOf = (hash: string) => join(folderOf(hash), hash.slice(2));

  async function write(file: string, bytes: Uint8Array): Promise<void> {
    const draft = join(drafts, randomUUID());
    try {
      const handle = await open(draft, 'wx', 0o644);
      try {
        await handle.writeFile(bytes);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    } catch (error) {
      // On a full disk, remove what is unused immediately; if that fails, the next sweep does.
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async function size(hash: string): Promise<number | undefined> {
    const found = await stat(fileOf(hash)).catch(absent);
    if (found === undefined) return undefined;
    // Nodes of an earlier version remove what is older than an hour.
    if (Date.now() - found.mtimeMs > HOUR / 2) await utimes(fileOf(hash), new Date(), new Date()).catch(absent);
    return found.size;
  }

  return {
    size,
    async write(hash, bytes) {
      try {
        if ((await size(hash)) === bytes.length) return;
        if (!made.has(folderOf(hash))) await mkdir(folderOf(hash), { recursive: true, mode: 0o700 });
        made.add(folderOf(hash));
        await write(fileOf(hash), bytes);
      } catch (error) {
        // The folder may have been removed.
        made.delete(folderOf(hash));
        throw refused(error);
      }
    },
    read: (hash) =>
      readFile(fileOf(hash)).catch((error: unknown) => {
        throw isAbsence(error) ? new MissingBlob(hash, error) : refused(error);
      }),
    async *stream(hash, range) {
      const pieces: AsyncIterable<Buffer> = createReadStream(fileOf(hash), range);
      try {
        yield* pieces;
      } catch (error) {
        throw isAbsence(error) ? new MissingBlob(hash, error) : refused(error);
      }
    },
    async *names() {
      for (const name of await readdir(drafts)) await removeOld(join(drafts, name));
      for (const first of await readdir(join(folder, 'files')).catch(() => []))
        yield (await readdir(join(folder, 'files', first))).map((rest) => `${first}${rest}`);
    },
    async remove(hashes) {
      for (const hash of hashes) await rm(fileOf(hash), { force: true });
    },
    close: async () => undefined,
  };
}

/** An abandoned draft. */
async function removeOld(file: string): Promise<void> {
  const found = await stat(file).catch(absent);
  if (found !== undefined && Date.now() - found.mtimeMs > HOUR) await rm(file, { force: true });
}

function absent(error: unknown): undefined {
  if (isAbsence(error)) return undefined;
  throw refused(error);
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Every error of the file system is the folder's; others are unchanged. */
function refused(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return new Refusal('STORAGE_FULL', 'The disk of the code is full. Ask the operator of the service to make room.', { cause: error });
  const sentence = 'A file of the code cannot be read or written. If this persists, ask the operator to check the code folder.';
  return new Refusal('STORAGE_UNAVAILABLE', sentence, { cause: error, retryAfter: 5 });
}

const HOUR = 60 * 60 * 1000;
