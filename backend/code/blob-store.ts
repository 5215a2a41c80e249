import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes by their SHA-256, each stored once whoever uses them. A file appears whole and on the disk, or not at all: it is
 * written beside, synced, and renamed.
 */
export interface BlobStore {
  /** Out: the SHA-256 in hexadecimal. */
  put(bytes: Uint8Array): Promise<string>;
  /** Whether it is there in full length; it is not collected in the next hour. */
  keep(hash: string, size: number): Promise<boolean>;
  read(hash: string): Promise<Uint8Array>;
  stream(hash: string, range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
  /** Removes what is older than an hour and not wanted. Out: how many. */
  sweep(isWanted: (hash: string) => boolean, now: Date): Promise<number>;
}

export async function openBlobStore(folder: string): Promise<BlobStore> {
  const drafts = join(folder, 'drafts');
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const made = new Set<string>();
  const folderOf = (hash: string) => join(folder, 'files', hash.slice(0, 2));
  const fileOf = (hash: string) => join(folderOf(hash), hash.slice(2));

  async function write(file: string, bytes: Uint8Array): Promise<void> {
    const draft = join(drafts, randomUUID());
    const handle = await open(draft, 'wx', 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  }

  async function keep(hash: string, size: number): Promise<boolean> {
    const found = await stat(fileOf(hash)).catch(() => undefined);
    if (found?.size !== size) return false;
    if (Date.now() - found.mtimeMs > GRACE / 2) await touch(fileOf(hash));
    return true;
  }

  return {
    keep,
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (await keep(hash, bytes.length)) return hash;
      if (!made.has(folderOf(hash))) await mkdir(folderOf(hash), { recursive: true, mode: 0o700 });
      made.add(folderOf(hash));
      await write(fileOf(hash), bytes);
      return hash;
    },
    read: (hash) => readFile(fileOf(hash)),
    stream: (hash, range) => createReadStream(fileOf(hash), range),
    async sweep(isWanted, now) {
      const removeOld = async (file: string) => {
        const found = await stat(file).catch(() => undefined);
        if (found === undefined || now.getTime() - found.mtimeMs < GRACE) return 0;
        await rm(file, { force: true });
        return 1;
      };
      let removed = 0;
      for (const name of await readdir(drafts)) removed += await removeOld(join(drafts, name));
      for (const first of await readdir(join(folder, 'files')).catch(() => [])) {
        for (const rest of await readdir(join(folder, 'files', first)))
          if (!isWanted(`${first}${rest}`)) removed += await removeOld(join(folder, 'files', first, rest));
      }
      return removed;
    },
  };
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now);
}

/** What a sync stored and does not name yet is not collected meanwhile. */
const GRACE = 60 * 60 * 1000;
