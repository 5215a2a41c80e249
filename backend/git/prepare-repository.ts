import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './run-git.ts';

/**
 * Makes a bare repository where it is missing, whole or not at all; else clears what a program left that was killed. Out:
 * whether it is new.
 */
export async function prepareRepository(folder: string, signal: AbortSignal): Promise<boolean> {
  if ((await stat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined) {
    await clearLeftOver(folder);
    return false;
  }
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await askGit({ repository: draft, command: ['init', '--quiet', '--bare', '--initial-branch=main', draft], signal });
  await rename(draft, folder);
  return true;
}

/** Each transfer leaves a pack; many of them make git slow, and old commits are not needed. */
export async function tidyRepository(folder: string, signal: AbortSignal): Promise<void> {
  const packs = (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length > MANY_PACKS) await askGit({ repository: folder, command: ['gc', '--quiet', '--prune=now'], signal });
}

async function clearLeftOver(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isLeftOver = entry.name.endsWith('.lock') || entry.name.startsWith('tmp_');
    if (entry.isFile() && isLeftOver) await rm(join(entry.parentPath, entry.name), { force: true });
  }
}

const MANY_PACKS = 40;
