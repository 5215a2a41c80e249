import type { CodeStore } from '#backend/domain/code/ports.ts';
import type { BlobStore } from './blob-store.ts';
import { readManifest } from './manifest.ts';

/**
 * Looks for code that no site has and files that no branch serves, at most once an hour, and removes those that were not served an hour ago either. Where a list
 * of files cannot be read, nothing is removed: what it holds is not known.
 */
export function collectGarbage(
  code: Pick<CodeStore, 'manifests'>,
  blobs: BlobStore,
  { now, unused }: { now(): Date; unused(): Promise<void> },
): () => Promise<void> {
  let last = now().getTime();
  return async () => {
    if (now().getTime() - last < BETWEEN) return;
    last = now().getTime();
    await unused();
    await sweepUnserved(code, blobs, now());
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

const BETWEEN = 60 * 60 * 1000;
