import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes the mirrors of repositories that are not there any more, which an earlier program left. What else lies there stays. */
export async function sweepMirrors(folder: string, keys: () => Promise<readonly string[]>): Promise<void> {
  // Before the keys: what is onboarded from now on is not among these.
  const present = await readdir(folder).catch(() => []);
  const kept = new Set(await keys());
  for (const name of present) {
    const key = MIRROR.exec(name)?.[1];
    if (key !== undefined && !kept.has(key)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

const MIRROR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.git(?:\.unfinished)?$/;
