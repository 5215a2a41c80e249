import { join } from 'node:path';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BlobStorage, type ByteRange, type CondemnedBlobs, MissingBlob } from './rules/ports.ts';

export interface BlobStore {
  /** Returns the SHA-256 in hexadecimal. The blob stays for as long as a sync may take, whether or not it is served. */
  put(bytes: Uint8Array): Promise<string>;
  /** Which of these exist in full length; they stay for as long as a sync may take. */
  reserve(blobs: readonly NeededBlob[]): Promise<ReadonlySet<string>>;
  read(hash: string): Promise<Uint8Array>;
  stream(hash: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes what was unused a while ago and still is; returns how many. `isReferenced`: what is used, determined after `now`. */
  sweep(isReferenced: (hash: string) => boolean, now: Date): Promise<number>;
}

interface NeededBlob {
  readonly hash: string;
  readonly size: number;
}

/**
 * No blob is removed that a sync relies on, whichever nodes sync and sweep. Blobs that no branch serves are condemned in the database, and
 * taken and removed after `grace` milliseconds. A sync rescues a blob before it checks whether it exists; a branch that names it is served
 * before `grace` has passed.
 */
export function createBlobStore(
  storage: BlobStorage,
  condemned: CondemnedBlobs,
  { grace, now }: { grace: number; now(): Date },
): BlobStore {
  async function rescue(hashes: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const rescued = await condemned.rescue(hashes);
      if (rescued.length === 0) return;
      if (attempt === ATTEMPTS) throw new Refusal('STORAGE_UNAVAILABLE', BEING_REMOVED, { retryAfter: REMOVAL / 1000 });
      await condemned.releaseTaken(new Date(now().getTime() - REMOVAL));
      await pause(PAUSE);
    }
  }

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await rescue([hash]);
      await storage.write(hash, bytes);
      return hash;
    },
    async reserve(blobs) {
      const stored = new Set<string>();
      for (let at = 0; at < blobs.length; at += PORTION) {
        const portion = blobs.slice(at, at + PORTION);
        await rescue(portion.map(({ hash }) => hash));
        const probes = createWorkPool(PROBES);
        for (const { hash, size } of portion)
          await probes.add(0, async () => {
            if ((await storage.size(hash)) === size) stored.add(hash);
          });
        await probes.ended();
      }
      return stored;
    },
    read: (hash) => storage.read(hash),
    stream: (hash, range) => storage.stream(hash, range),
    async sweep(isReferenced, at) {
      const before = new Date(at.getTime() - grace);
      await condemned.releaseTaken(new Date(at.getTime() - REMOVAL));
      let removed = 0;
      for (let after: string | undefined = ''; after !== undefined;) {
        const due: string[] = await condemned.due(before, after, PORTION);
        after = due.at(-1);
        await condemned.rescue(due.filter(isReferenced));
        const unreferenced = due.filter((hash) => !isReferenced(hash));
        const taken = await condemned.take(unreferenced, before, at);
        if (taken.length === 0) continue;
        await storage.remove(taken);
        await condemned.removed(taken);
        removed += taken.length;
      }
      for await (const names of storage.names()) {
        const unreferenced = names.filter((name) => !isReferenced(name));
        for (let first = 0; first < unreferenced.length; first += PORTION)
          await condemned.condemn(unreferenced.slice(first, first + PORTION), at);
      }
      return removed;
    },
  };
}

const PORTION = 500;
const PROBES = { count: 32, bytes: Infinity };
/** Milliseconds after which an unfinished removal is considered over: its last request has long ended. */
const REMOVAL = 5 * 60 * 1000;
const ATTEMPTS = 20;
const PAUSE = 250;
const BEING_REMOVED = 'A file of this branch is being removed, because no other branch used it. It can be stored again in a few minutes.';

/** Runs work concurrently, up to a count and a number of bytes in memory; larger work runs by itself. */
export function createWorkPool({ count, bytes }: { count: number; bytes: number }) {
  const running = new Set<Promise<void>>();
  let total = 0;
  let failure: { readonly error: unknown } | undefined;
  const refuseAfterFailure = () => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    /** Starts work as soon as there is capacity for it. Rejects with the first error of any work. */
    async add(size: number, work: () => Promise<void>): Promise<void> {
      while (running.size >= count || (running.size > 0 && total + size > bytes)) await Promise.race(running);
      refuseAfterFailure();
      total += size;
      const done = work()
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => {
          total -= size;
          running.delete(done);
        });
      running.add(done);
    },
    /** Settles when all work has ended. Rejects with the first error. */
    async ended(): Promise<void> {
      await Promise.all(running);
      refuseAfterFailure();
    },
  };
}

/** Blobs as files of a folder. A file appears complete and on disk, or not at all: it is written to a draft, synced, and renamed. */
export async function openFolderStorage(folder: string): Promise<BlobStorage> {
  const drafts = join(folder, 'drafts');
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const created = new Set<string>();
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
        if (!created.has(folderOf(hash))) await mkdir(folderOf(hash), { recursive: true, mode: 0o700 });
        created.add(folderOf(hash));
        await write(fileOf(hash), bytes);
      } catch (error) {
        // The folder may have been removed.
        created.delete(folderOf(hash));
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
    return new Refusal('STORAGE_FULL', 'The disk for the code is full. Ask the operator of the service to free space.', { cause: error });
  const sentence = 'A file of the code cannot be read or written. If this persists, ask the operator to check the code folder.';
  return new Refusal('STORAGE_UNAVAILABLE', sentence, { cause: error, retryAfter: 5 });
}

const HOUR = 60 * 60 * 1000;
