import { createHash } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Refusal } from '#backend/domain/errors.ts';
import type { CopyPlace } from '#backend/domain/publishing/ports.ts';
import { absent, draftName, listFolder, removeEmpty } from './list-folder.ts';

/** The published copy as files of a folder that a web server may read: whole or not at all, by a rename. */
export function folderCopy(where: string): CopyPlace {
  const folder = resolve(where);
  const fileOf = (key: string) => join(folder, key);
  /** Whoever goes on with the next page spares that what lies before it is read again. */
  let listed: { readonly list: AsyncGenerator<string>; readonly upTo: string } | undefined;

  async function read(key: string) {
    const bytes = await readFile(fileOf(key)).catch(absent);
    return bytes === undefined ? undefined : { bytes, tag: tagOf(bytes) };
  }

  return {
    read: (key) => read(key).catch(refused),
    async write(key, { bytes }, over) {
      try {
        if ((await read(key))?.tag !== over) return false;
        await replace(folder, fileOf(key), bytes);
        return true;
      } catch (error) {
        return refused(error);
      }
    },
    async remove(key, over) {
      try {
        if ((await read(key))?.tag !== over) return false;
        await rm(fileOf(key), { force: true });
        // Of the site, and of its organization: whoever reads the folder sees whose copies are there.
        for (const above of [dirname(fileOf(key)), dirname(dirname(fileOf(key)))]) await removeEmpty(above);
        return true;
      } catch (error) {
        return refused(error);
      }
    },
    async keys(after, limit) {
      const list = listed?.upTo === after ? listed.list : listFolder(folder, after);
      listed = undefined;
      const keys: string[] = [];
      try {
        while (keys.length < limit) {
          const { value, done } = await list.next();
          if (done === true) return { keys, hasMore: false };
          keys.push(value);
        }
      } catch (error) {
        return refused(error);
      }
      listed = { list, upTo: keys.at(-1) ?? after };
      return { keys, hasMore: true };
    },
    close: async () => undefined,
  };
}

/** Somebody may remove a folder of the file as an empty one meanwhile: then it is made again. */
async function replace(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await replaceOnce(folder, file, bytes);
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      absent(error);
    }
  }
}

async function replaceOnce(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), draftName());
  try {
    await writeDraft(draft, bytes);
    // Whatever the program may usually share: the copy is for everybody.
    for (let above = dirname(file); above.length >= folder.length && above !== dirname(above); above = dirname(above))
      await chmod(above, 0o755);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(draft: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
    // Nobody else reads it before it is whole.
    await handle.chmod(0o644);
  } finally {
    await handle.close();
  }
}

const ATTEMPTS = 20;

function tagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function refused(error: unknown): never {
  throw new Refusal('STORAGE_UNAVAILABLE', 'The folder of the published copy cannot be used.', { cause: error, retryAfter: 5 });
}
