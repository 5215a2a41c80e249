import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createTimeSlices } from '../domain/fair-share.ts';
import type { BlobStore } from './blob-store.ts';
import type { CodeFile, CodeFiles, CodeStore } from './rules/ports.ts';

/** Serves the files of branches. The list in force is read each time, so that no node serves old code; lists never change. */
export function createCodeFiles(
  code: Pick<CodeStore, 'branch' | 'commits' | 'jobs'>,
  blobs: Pick<BlobStore, 'keep' | 'read' | 'stream'>,
): CodeFiles {
  const lists = new LRUCache<string, Promise<Manifest>>({ max: REMEMBERED_LISTS });

  function list(manifest: string): Promise<Manifest> {
    const known = lists.get(manifest) ?? blobs.read(manifest).then(readManifest);
    lists.set(manifest, known);
    known.catch(() => lists.delete(manifest));
    return known;
  }

  return {
    async standing(key, ref) {
      const [branch, [latest]] = await Promise.all([code.commits(key, ref), code.jobs(key, ref, 1)]);
      const error = latest?.record.error;
      if (branch !== undefined)
        return { state: 'served', sha: branch.served.sha, synced: branch.commits[0].sha, rolledBack: branch.rolledBack, error };
      if (latest === undefined) return { state: 'never' };
      if (latest.record.state !== 'stopped') return { state: 'under-way' };
      return error === undefined ? { state: 'never' } : { state: 'failed', error };
    },
    async isComplete(manifest) {
      const { files } = await list(manifest);
      const entries = new Map(Object.values(files).map(([hash, size]) => [hash, { hash, size }]));
      return (await blobs.keep([...entries.values()])).size === entries.size;
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
/** Bytes. Larger files are read as fast as they are sent: what is read at once is in memory until its reader has it. */
const READ_WHOLE = 64 * 1024;

const Entry = z.tuple([z.string(), z.number(), z.string()]);

/** The files of a branch: by path, the SHA-256 of the bytes, their number, and git's hash of them. */
export const Manifest = z.object({
  files: z.record(z.string(), Entry),
  /** Names of files that are pointers to others (Git LFS), so that they are not read again. */
  pointers: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestEntry = z.infer<typeof Entry>;

/** Equal lists have equal bytes. They have megabytes: they are JSON of many lines, read one at a time, and other work runs in between. */
export async function printManifest({ files, pointers }: Manifest): Promise<Uint8Array> {
  const turn = createTimeSlices();
  const paths = await sortedInTurns(Object.keys(files));
  const lines: Uint8Array[] = [];
  for (let at = 0; at < paths.length; at += LINE) {
    const here = paths.slice(at, at + LINE);
    const line = here.map((path) => `${JSON.stringify(path)}:${JSON.stringify(files[path])}`).join(',');
    lines.push(Buffer.from(`${at === 0 ? '' : ',\n'}${line}`));
    await turn();
  }
  const names = await sortedInTurns(pointers);
  return Buffer.concat([Buffer.from(`${BEGIN}\n`), ...lines, Buffer.from(`\n${BETWEEN}${JSON.stringify(names)}}`)]);
}

/** Also reads the single line of earlier versions. `__proto__` is not a path that is served, so a plain object can have them all. */
export async function readManifest(bytes: Uint8Array): Promise<Manifest> {
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (lines.length === 1) return Manifest.parse(JSON.parse(lines[0] ?? ''));
  const turn = createTimeSlices();
  const files: Manifest['files'] = {};
  const [first, last] = [lines.shift(), lines.pop()];
  for (const line of lines) {
    Object.assign(files, Line.parse(JSON.parse(`{${line.endsWith(',') ? line.slice(0, -1) : line}}`)));
    await turn();
  }
  const { pointers } = Manifest.parse(JSON.parse(`${first}${last}`));
  return { files, pointers };
}

/** Sorts like `sort`, and yields in between. */
async function sortedInTurns(texts: readonly string[]): Promise<string[]> {
  const turn = createTimeSlices();
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += PIECE) {
    runs.push(texts.slice(at, at + PIECE).sort());
    await turn();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergedInTurns(runs[at] ?? [], runs[at + 1] ?? [], turn));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns(one: readonly string[], other: readonly string[], turn: () => Promise<void>): Promise<string[]> {
  const merged: string[] = [];
  let [left, right] = [0, 0];
  for (let count = one.length + other.length; count > 0; count -= 1) {
    const [first, second] = [one[left], other[right]];
    const takesFirst = second === undefined || (first !== undefined && first <= second);
    const next = takesFirst ? first : second;
    if (next !== undefined) merged.push(next);
    if (takesFirst) left += 1;
    else right += 1;
    if (count % PIECE === 0) await turn();
  }
  return merged;
}

const Line = z.record(z.string(), Entry);
const BEGIN = '{"files":{';
const BETWEEN = '},"pointers":';
/** Files in a line, which takes milliseconds to read. */
const LINE = 1000;
/** Texts sorted or merged between two yields. */
const PIECE = 1000;
