import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_REF } from '#contract/names.ts';
import type { CodeOrigin } from '#backend/domain/code/code-origin.ts';
import type { CodeStore } from '#backend/domain/code/ports.ts';
import { mirrorFolder } from './git/mirror.ts';

export interface UnusedCode {
  readonly code: Pick<CodeStore, 'keys' | 'unusedKeys' | 'deleteUnused' | 'jobs'>;
  readonly mirrorDir: string;
  now(): Date;
  /** A site has the code again that was just removed: its `main` is synchronised. */
  cameBack(origin: CodeOrigin): Promise<unknown>;
}

/**
 * Removes code that no site had for a day: what is served, its jobs, and the mirrors of this node. Since when nobody has it is known to this
 * program alone; a new start begins to count anew. docs/decisions/0138.
 */
export function collectUnused({ code, mirrorDir, now, cameBack }: UnusedCode): () => Promise<void> {
  let unusedSince = new Map<string, number>();
  return async () => {
    const time = now().getTime();
    const unused = await code.unusedKeys();
    unusedSince = new Map(unused.map((key) => [key, unusedSince.get(key) ?? time]));
    for (const [key, since] of unusedSince) {
      if (time - since < KEPT) continue;
      const [latest] = await code.jobs(key, DEFAULT_REF, 1);
      unusedSince.delete(key);
      // Who registered a site between the two removals may have found its code there; its jobs stayed.
      if ((await code.deleteUnused(key)) && latest !== undefined && (await code.jobs(key, DEFAULT_REF, 1)).length > 0)
        await cameBack(latest.origin);
    }
    await removeMirrors(code, mirrorDir);
  };
}

/** Mirrors of code of which nothing is kept. One whose repository is synchronised again at this moment is made anew. */
async function removeMirrors(code: UnusedCode['code'], mirrorDir: string): Promise<void> {
  // Whose job begins after this look has a mirror that was not there then, or is known below.
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

const KEPT = 24 * 60 * 60 * 1000;
const MIRROR = '.git';
const REMOVED = '.removed';
