import { z } from 'zod';
import type { CodeStore } from './rules/ports.ts';
import type { ShortLived, ShortLivedKind } from '../domain/short-lived.ts';
import type { BlobStore } from './blob-store.ts';
import { readManifest } from './manifest.ts';

export interface Garbage {
  readonly code: Pick<CodeStore, 'manifests'>;
  readonly blobs: BlobStore;
  readonly shortLived: Pick<ShortLived, 'get' | 'put'>;
  now(): Date;
  /** Finds code that no site has, as of this time. */
  unused(time: Date): Promise<void>;
  /** Finds mirrors of this node whose repository is no longer used. */
  mirrors(): Promise<void>;
}

const Looked = z.object({ at: z.iso.datetime() });

/**
 * Once an hour, finds code that no site uses and files that no branch serves, and removes those that were already unused an hour ago. The time of
 * the last run is stored, shared by all nodes; mirrors are local to each node. If a list of files cannot be read, nothing is removed.
 */
export function collectGarbage({ code, blobs, shortLived, now, unused, mirrors }: Garbage): () => Promise<void> {
  let next = 0;
  return async () => {
    const time = now();
    if (time.getTime() < next) return;
    next = time.getTime() + BETWEEN;
    const last = Looked.safeParse(await shortLived.get(KIND, KEY)).data;
    const since = last === undefined ? undefined : time.getTime() - Date.parse(last.at);
    const isDue = since !== undefined && (since < 0 || since >= BETWEEN);
    if (since !== undefined && !isDue) next -= since;
    else await shortLived.put(KIND, KEY, { at: time.toISOString() } satisfies z.infer<typeof Looked>, new Date(time.getTime() + KEPT));
    // Before the first run nothing counts as unused.
    if (isDue) await unused(time);
    await mirrors();
    if (isDue) await sweepUnserved(code, blobs, time);
  };
}

export async function sweepUnserved(code: Pick<CodeStore, 'manifests'>, blobs: BlobStore, now: Date): Promise<number> {
  const wanted = new Set<string>();
  for (const manifest of await code.manifests()) {
    wanted.add(manifest);
    for (const [hash] of Object.values((await readManifest(await blobs.read(manifest))).files)) wanted.add(hash);
  }
  return await blobs.sweep((hash) => wanted.has(hash), now);
}

const KIND = 'code-look' satisfies ShortLivedKind;
const KEY = 'last';
const BETWEEN = 60 * 60 * 1000;
/** Longer than it takes until somebody synchronises anything, which is when the next look follows. */
const KEPT = 365 * 24 * BETWEEN;
