import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ShortLived, ShortLivedKind } from '../domain/ports.ts';
import type { BlobStore } from './blob-store.ts';
import { readManifest } from './code-files.ts';
import { mirrorFolder } from './git-snapshot.ts';
import type { CodeOrigin, CodeStore } from './rules/ports.ts';

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
 * Once an hour, finds code that no site uses and files that no branch serves, and removes those that were already unused an hour ago. The time of
 * the last run is stored, shared by all nodes; mirrors are local to each node. If a list of files cannot be read, nothing is removed.
 */
export function collectGarbage(services: GarbageServices): () => Promise<void> {
  const { code, blobs, shortLived, mirrorDir, now } = services;
  let next = 0;
  return async () => {
    const time = now();
    if (time.getTime() < next) return;
    next = time.getTime() + BETWEEN;
    const last = LastRun.safeParse(await shortLived.get('code-look', 'last')).data;
    const since = last === undefined ? undefined : time.getTime() - Date.parse(last.at);
    const isDue = since !== undefined && (since < 0 || since >= BETWEEN);
    if (since !== undefined && !isDue) next -= since;
    else await shortLived.put('code-look', 'last', { at: time.toISOString() } satisfies LastRun, later(time));
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
  const wanted = new Set<string>();
  for (const manifest of await code.manifests()) {
    wanted.add(manifest);
    for (const [hash] of Object.values((await readManifest(await blobs.read(manifest))).files)) wanted.add(hash);
  }
  return await blobs.sweep((hash) => wanted.has(hash), now);
}

const BETWEEN = 60 * 60 * 1000;

/** Code that was unused in one run and in all runs since: by its key, a branch by key and name. */
const Noted = z.object({ key: z.string(), since: z.iso.datetime() });
type Noted = z.infer<typeof Noted>;

/** Removes code that no site used for a day, and branches that no one requested whose sites use the repository. */
async function removeUnused({ code, shortLived, cameBack }: GarbageServices, time: Date): Promise<void> {
  await code.forgetAsked();
  const left = new Map((await code.leftBranches()).map((branch) => [`${branch.key} ${branch.ref}`, branch]));
  for await (const name of unusedForLong(shortLived, 'unused-branch', new Set(left.keys()), time)) {
    const branch = left.get(name);
    if (branch !== undefined) await code.deleteLeft(branch);
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
