import type { CodeFile, CodeFiles, CodeStore } from '#backend/domain/code/ports.ts';
import type { BlobStore } from './blob-store.ts';
import { readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/**
 * Serves the files of branches. Which list of files counts is asked of the store each time, so that no node ever serves
 * old code after a sync; the lists themselves never change and are remembered.
 */
export function createCodeFiles(code: Pick<CodeStore, 'branch'>, blobs: BlobStore): CodeFiles {
  const lists = new Map<string, Promise<Manifest>>();

  function list(manifest: string): Promise<Manifest> {
    const known = lists.get(manifest) ?? blobs.read(manifest).then(readManifest);
    lists.delete(manifest);
    lists.set(manifest, known);
    known.catch(() => lists.delete(manifest));
    const [oldest] = lists.keys();
    if (lists.size > REMEMBERED_LISTS && oldest !== undefined) lists.delete(oldest);
    return known;
  }

  return {
    async find(key, ref, path) {
      const branch = await code.branch(key, ref);
      if (branch === undefined) return undefined;
      const { files } = await list(branch.manifest);
      const entry = Object.hasOwn(files, path) ? files[path] : undefined;
      return entry === undefined ? undefined : fileOf(blobs, entry[0], entry[1]);
    },
  };
}

function fileOf(blobs: BlobStore, hash: string, size: number): CodeFile {
  return {
    hash,
    size,
    async read(range = { start: 0, end: size - 1 }) {
      if (size > READ_WHOLE) return blobs.stream(hash, range);
      return (await blobs.read(hash)).subarray(range.start, range.end + 1);
    },
  };
}

const REMEMBERED_LISTS = 64;
const READ_WHOLE = 1024 * 1024;
