import { LRUCache } from 'lru-cache';
import type { CodeFile, CodeFiles, CodeStore } from './rules/ports.ts';
import type { BlobStore } from './blob-store.ts';
import { readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/**
 * Serves the files of branches. Which list of files counts is asked of the store each time, so that no node ever serves
 * old code after a sync; the lists themselves never change and are remembered.
 */
export function createCodeFiles(code: Pick<CodeStore, 'branch' | 'jobs'>, blobs: Pick<BlobStore, 'read' | 'stream'>): CodeFiles {
  const lists = new LRUCache<string, Promise<Manifest>>({ max: REMEMBERED_LISTS });

  function list(manifest: string): Promise<Manifest> {
    const known = lists.get(manifest) ?? blobs.read(manifest).then(readManifest);
    lists.set(manifest, known);
    known.catch(() => lists.delete(manifest));
    return known;
  }

  return {
    async standing(key, ref) {
      const [branch, [latest]] = await Promise.all([code.branch(key, ref), code.jobs(key, ref, 1)]);
      const error = latest?.record.error;
      if (branch !== undefined) return { state: 'served', sha: branch.sha, error };
      if (latest === undefined) return { state: 'never' };
      if (latest.record.state !== 'stopped') return { state: 'under-way' };
      return error === undefined ? { state: 'never' } : { state: 'failed', error };
    },
    async find(key, ref, path) {
      const branch = await code.branch(key, ref);
      if (branch === undefined) return undefined;
      const { files } = await list(branch.manifest);
      const entry = Object.hasOwn(files, path) ? files[path] : undefined;
      return entry === undefined ? undefined : fileOf(blobs, entry[0], entry[1]);
    },
  };
}

function fileOf(blobs: Pick<BlobStore, 'read' | 'stream'>, hash: string, size: number): CodeFile {
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
/** Bytes. More is read as fast as it is taken: what is read whole is in memory until its reader has it. */
const READ_WHOLE = 64 * 1024;
