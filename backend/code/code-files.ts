import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTimeSlices } from '../domain/fair-share.ts';
import type { BlobStore } from './blob-store.ts';
import type { CodeFile, CodeFiles, CodeStore, CodeOrigin } from './rules/ports.ts';
import type { ShortLived, ShortLivedKind } from '../domain/ports.ts';
import { mirrorFolder } from './git-snapshot.ts';

/**
 * Serves the files of branches. Which manifest a branch has is read each time, so that no node serves old code; a manifest never changes.
 */
export function createCodeFiles(
  code: Pick<CodeStore, 'branch' | 'commits' | 'jobs'>,
  blobs: Pick<BlobStore, 'read' | 'reserve' | 'stream'>,
): CodeFiles {
  const manifests = new LRUCache<string, Promise<Manifest>>({ max: CACHED_MANIFESTS });

  function cachedManifest(manifest: string): Promise<Manifest> {
    const known = manifests.get(manifest) ?? blobs.read(manifest).then(readManifest);
    manifests.set(manifest, known);
    known.catch(() => manifests.delete(manifest));
    return known;
  }

  return {
    async availability(key, ref) {
      const [branch, [latest]] = await Promise.all([code.commits(key, ref), code.jobs(key, ref, 1)]);
      const error = latest?.record.error;
      if (branch !== undefined)
        return { state: 'served', sha: branch.served.sha, synced: branch.commits[0].sha, rolledBack: branch.rolledBack, error };
      if (latest === undefined) return { state: 'never' };
      if (latest.record.state !== 'stopped') return { state: 'in-progress' };
      return error === undefined ? { state: 'never' } : { state: 'failed', error };
    },
    async isComplete(manifest) {
      const { files } = await cachedManifest(manifest);
      const entries = new Map(Object.values(files).map(([hash, size]) => [hash, { hash, size }]));
      return (await blobs.reserve([...entries.values()])).size === entries.size;
    },
    async find(key, ref, path) {
      const branch = await code.branch(key, ref);
      if (branch === undefined) return undefined;
      const { files } = await cachedManifest(branch.manifest);
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
      if (size > STREAMED_ABOVE) return blobs.stream(hash, range);
      return (await blobs.read(hash)).subarray(range.start, range.end + 1);
    },
  };
}

const CACHED_MANIFESTS = 64;
/** Bytes. Larger files are streamed: a file read at once stays in memory until its client has received it. */
const STREAMED_ABOVE = 64 * 1024;

const Entry = z.tuple([z.string(), z.number(), z.string()]);

/** The files of a branch, by path: the SHA-256 in hexadecimal, the size in bytes, and git's object ID. */
export const Manifest = z.object({
  files: z.record(z.string(), Entry),
  /** Names of files that are pointers to others (Git LFS), so that they are not read again. */
  pointers: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestEntry = z.infer<typeof Entry>;

/** Equal manifests have equal bytes. Large ones take megabytes, so they are JSON in lines, and other work runs between two lines. */
export async function serializeManifest({ files, pointers }: Manifest): Promise<Uint8Array> {
  const yieldIfDue = createTimeSlices();
  const paths = await sortYielding(Object.keys(files));
  const lines: Uint8Array[] = [];
  for (let at = 0; at < paths.length; at += FILES_PER_LINE) {
    const here = paths.slice(at, at + FILES_PER_LINE);
    const line = here.map((path) => `${JSON.stringify(path)}:${JSON.stringify(files[path])}`).join(',');
    lines.push(Buffer.from(`${at === 0 ? '' : ',\n'}${line}`));
    await yieldIfDue();
  }
  const names = await sortYielding(pointers);
  return Buffer.concat([Buffer.from(`${OPENING}\n`), ...lines, Buffer.from(`\n${BETWEEN}${JSON.stringify(names)}}`)]);
}

/** Also reads the single line of earlier versions. `__proto__` is never served, so a plain object can have every path as a key. */
export async function readManifest(bytes: Uint8Array): Promise<Manifest> {
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (lines.length === 1) return Manifest.parse(JSON.parse(lines[0] ?? ''));
  const yieldIfDue = createTimeSlices();
  const files: Manifest['files'] = {};
  const [first, last] = [lines.shift(), lines.pop()];
  for (const line of lines) {
    Object.assign(files, Line.parse(JSON.parse(`{${line.endsWith(',') ? line.slice(0, -1) : line}}`)));
    await yieldIfDue();
  }
  const { pointers } = Manifest.parse(JSON.parse(`${first}${last}`));
  return { files, pointers };
}

/** Sorts like `sort`, and yields to the event loop in between. */
async function sortYielding(texts: readonly string[]): Promise<string[]> {
  const yieldIfDue = createTimeSlices();
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += TEXTS_PER_SLICE) {
    runs.push(texts.slice(at, at + TEXTS_PER_SLICE).sort());
    await yieldIfDue();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergeYielding(runs[at] ?? [], runs[at + 1] ?? [], yieldIfDue));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeYielding(one: readonly string[], other: readonly string[], yieldIfDue: () => Promise<void>): Promise<string[]> {
  const merged: string[] = [];
  let [left, right] = [0, 0];
  for (let count = one.length + other.length; count > 0; count -= 1) {
    const [first, second] = [one[left], other[right]];
    const takesFirst = second === undefined || (first !== undefined && first <= second);
    const next = takesFirst ? first : second;
    if (next !== undefined) merged.push(next);
    if (takesFirst) left += 1;
    else right += 1;
    if (count % TEXTS_PER_SLICE === 0) await yieldIfDue();
  }
  return merged;
}

const Line = z.record(z.string(), Entry);
const OPENING = '{"files":{';
const BETWEEN = '},"pointers":';
/** Files in a line, which takes milliseconds to read. */
const FILES_PER_LINE = 1000;
/** Texts sorted or merged between two yields. */
const TEXTS_PER_SLICE = 1000;

interface GarbageServices {
  readonly code: CodeStore;
  readonly blobs: BlobStore;
  readonly shortLived: Pick<ShortLived, 'add' | 'get' | 'list' | 'put' | 'take'>;
  readonly mirrorDir: string;
  now(): Date;
  /** A site uses the code again that was just removed: synchronizes its `main`. */
  cameBack(origin: CodeOrigin): Promise<unknown>;
}

/**
 * Once an hour, finds code that no site uses and files that no branch serves, and removes those that were already unused an hour ago. The
 * time of the last run is stored, shared by all nodes; mirrors are local to each node. If a list of files cannot be read, nothing is
 * removed.
 */
export function collectGarbage(services: GarbageServices): () => Promise<void> {
  const { code, blobs, shortLived, mirrorDir, now } = services;
  let next = 0;
  return async () => {
    const time = now();
    if (time.getTime() < next) return;
    next = time.getTime() + PAUSE;
    const last = LastRun.safeParse(await shortLived.get('code-probe', 'last')).data;
    const since = last === undefined ? undefined : time.getTime() - Date.parse(last.at);
    const isDue = since !== undefined && (since < 0 || since >= PAUSE);
    if (since !== undefined && !isDue) next -= since;
    else await shortLived.put('code-probe', 'last', { at: time.toISOString() } satisfies LastRun, later(time));
    // Before the first run nothing counts as unused.
    if (isDue) await removeUnused(services, time);
    await removeMirrors(code, mirrorDir);
    if (isDue) await sweepUnserved(code, blobs, time);
  };
}

const LastRun = z.object({ at: z.iso.datetime() });
type LastRun = z.infer<typeof LastRun>;

/** After anyone could have synchronized anything in the meantime, which is when the next run follows. */
function later(time: Date): Date {
  return new Date(time.getTime() + 365 * UNUSED_FOR);
}

export async function sweepUnserved(code: Pick<CodeStore, 'manifests'>, blobs: BlobStore, now: Date): Promise<number> {
  const needed = new Set<string>();
  for (const manifest of await code.manifests()) {
    needed.add(manifest);
    for (const [hash] of Object.values((await readManifest(await blobs.read(manifest))).files)) needed.add(hash);
  }
  return await blobs.sweep((hash) => needed.has(hash), now);
}

const PAUSE = 60 * 60 * 1000;

/** Code that was unused in one run and in all runs since: by its key, a branch by key and name. */
const Noted = z.object({ key: z.string(), since: z.iso.datetime() });
type Noted = z.infer<typeof Noted>;

/** Removes code that no site used for a day, and branches that no one requested whose sites use the repository. */
async function removeUnused({ code, shortLived, cameBack }: GarbageServices, time: Date): Promise<void> {
  await code.removeStaleRequests();
  const left = new Map((await code.abandonedBranches()).map((branch) => [`${branch.key} ${branch.ref}`, branch]));
  for await (const name of unusedForLong(shortLived, 'unused-branch', new Set(left.keys()), time)) {
    const branch = left.get(name);
    if (branch !== undefined) await code.deleteAbandoned(branch);
  }
  for await (const key of unusedForLong(shortLived, 'unused-code', new Set(await code.unusedKeys()), time)) {
    const [latest] = await code.jobs(key, DEFAULT_REF, 1);
    // A site registered between the two removals may have found its code; its jobs remain.
    if ((await code.deleteUnused(key)) && latest !== undefined && (await code.jobs(key, DEFAULT_REF, 1)).length > 0)
      await cameBack(latest.origin);
  }
}

/** Records what is unused from now on, and deletes the records of what is used again. Yields what was unused for a day. */
async function* unusedForLong(
  shortLived: GarbageServices['shortLived'],
  kind: ShortLivedKind,
  unused: ReadonlySet<string>,
  time: Date,
): AsyncGenerator<string> {
  const before = (await shortLived.list(kind, '')).flatMap((value) => Noted.safeParse(value).data ?? []);
  for (const { key } of before) if (!unused.has(key)) await shortLived.take(kind, key);
  const known = new Set(before.map(({ key }) => key));
  const expires = later(time);
  for (const key of unused)
    if (!known.has(key)) await shortLived.add(kind, key, { key, since: time.toISOString() } satisfies Noted, expires);
  for (const { key, since } of before) {
    if (!unused.has(key) || time.getTime() - Date.parse(since) < UNUSED_FOR) continue;
    await shortLived.take(kind, key);
    yield key;
  }
}

/** Removes unused mirrors of this node. One that is being synchronized is recreated. */
async function removeMirrors(code: Pick<CodeStore, 'keys'>, mirrorDir: string): Promise<void> {
  // A job that starts after this either has a mirror that did not exist yet, or is known below.
  const names = (await readdir(mirrorDir)).filter((name) => name.endsWith(MIRROR) || name.endsWith(REMOVED));
  const known = new Set((await code.keys()).map((key) => mirrorFolder(mirrorDir, key)));
  for (const name of names) {
    const folder = join(mirrorDir, name);
    if (known.has(folder)) continue;
    const removed = name.endsWith(REMOVED) ? folder : `${folder}${REMOVED}`;
    if (removed !== folder) await rename(folder, removed);
    await rm(removed, { recursive: true, force: true });
  }
}

const UNUSED_FOR = 24 * 60 * 60 * 1000;
const MIRROR = '.git';
const REMOVED = '.removed';
