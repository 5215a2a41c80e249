import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createWorkPool } from '../code/blob-store.ts';
import { type BlobStorage, MissingBlob } from '../code/rules/ports.ts';
import { openCodeStorage } from '../composition/code.ts';
import type { Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { codeStore } from '../setting-forms.ts';
import { requireStopped, UsageError, withStore } from './database-state.ts';

/**
 * `move-code --to <store>`: copies the code from CODE_STORE to another store, and verifies each file there by its hash. Files that are
 * already there are only verified, so an interrupted move continues. Nothing is removed. Returns 1 if files were already damaged, and
 * reports each one.
 */
export async function moveCode(args: readonly string[], settings: Settings): Promise<number> {
  const target = parseTarget(args);
  if (JSON.stringify(target) === JSON.stringify(settings.CODE_STORE))
    throw new UsageError('The code is already there, according to CODE_STORE.');
  const usesDatabase = [target, settings.CODE_STORE].includes('database');
  // Only one program at a time may use the embedded database.
  if (usesDatabase && settings.DATABASE_URL === undefined) await requireStopped(settings);
  const work = (store?: Store) => moveTo(target, settings, store?.blobs);
  return usesDatabase ? await withStore(settings, work) : await work();
}

async function moveTo(target: Settings['CODE_STORE'], settings: Settings, blobs: Store['blobs'] | undefined): Promise<number> {
  const { CODE_STORE, CODE_DIR } = settings;
  // Opening a folder would create it.
  if (CODE_STORE === undefined && !existsSync(CODE_DIR))
    throw new Error(`The folder ${resolve(CODE_DIR)} does not exist. Set DATA_DIR, or CODE_DIR, to the value that the service uses.`);
  const failed = (error: unknown) => {
    throw error;
  };
  const from = await openCodeStorage(CODE_STORE, settings, { blobs, failed });
  const to = await openCodeStorage(target, settings, { blobs, failed }).catch(async (error: unknown) => {
    await from.close();
    throw error;
  });
  try {
    const status = await copy(from, to, describeStore(CODE_STORE, settings));
    process.stdout.write(`From ${describeStore(CODE_STORE, settings)} to ${describeStore(target, settings)}.\n`);
    return status;
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

function describeStore(store: Settings['CODE_STORE'], { CODE_DIR }: Settings): string {
  if (store === undefined) return `the folder ${resolve(CODE_DIR)}`;
  return store === 'database' ? 'the database' : `s3://${store.bucket}/${store.prefix}`;
}

function parseTarget([option, store, ...more]: readonly string[]): Settings['CODE_STORE'] {
  const parsed = store === 'folder' ? { success: true as const, data: undefined } : codeStore.safeParse(store);
  if (option === '--to' && store !== undefined && more.length === 0 && parsed.success) return parsed.data;
  throw new UsageError('Specify where to move the code: move-code --to <folder | database | s3://bucket/prefix>.');
}

async function copy(from: BlobStorage, to: BlobStorage, source: string): Promise<number> {
  let [found, moved, bytes, before] = [0, 0, 0, 0];
  const problems: string[] = [];

  async function copyFile(hash: string): Promise<void> {
    if (await isIntact(to, hash)) return void (before += 1);
    const content = await readIfPresent(from, hash);
    // A running service may have removed it in the meantime.
    if (content === undefined) return;
    if (sha256(content) !== hash) return void problems.push(`The file ${hash} is damaged. To restore it, sync its branches again.`);
    await to.remove([hash]);
    await to.write(hash, content);
    if (!(await isIntact(to, hash))) throw new Error(`The copied file ${hash} differs from the original. Nothing was removed; try again.`);
    moved += 1;
    bytes += content.length;
  }

  for await (const names of from.names()) {
    found += names.length;
    const pool = createWorkPool(FILES);
    try {
      for (const hash of names) await pool.add(0, () => copyFile(hash));
    } finally {
      await pool.ended();
    }
  }
  if (found === 0)
    throw new Error(`There are no files in ${source}. Nothing was moved. Set CODE_STORE and DATA_DIR to the values that the service uses.`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `Files ${moved}, bytes ${bytes}: copied and verified. Already there and verified: ${before}. Damaged: ${problems.length}.\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

async function isIntact(storage: BlobStorage, hash: string): Promise<boolean> {
  const content = await readIfPresent(storage, hash);
  return content !== undefined && sha256(content) === hash;
}

async function readIfPresent(storage: BlobStorage, hash: string): Promise<Uint8Array | undefined> {
  return await storage.read(hash).catch((error: unknown) => {
    if (error instanceof MissingBlob) return undefined;
    throw error;
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Each slot holds one file in memory. */
const FILES = { count: 8, bytes: Infinity };
