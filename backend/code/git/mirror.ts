import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './run-git.ts';

/** The folder of a repository's mirror. */
export function mirrorFolder(mirrorDir: string, key: string): string {
  return join(mirrorDir, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.git`);
}

/** Makes the mirror where it is missing, whole or not at all, and clears what an earlier program left that was killed. */
export async function prepareMirror(folder: string, signal: AbortSignal): Promise<void> {
  if ((await stat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined) return clearLocks(folder);
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await askGit({ repository: draft, command: ['init', '--quiet', '--bare', draft], signal });
  await rename(draft, folder);
}

/** Bytes of what was transferred so far. */
export async function transferredBytes(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(packs).catch(() => [])) bytes += (await stat(join(packs, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** Each fetch leaves a pack; many of them make git slow, and old commits are not needed. */
export async function tidyMirror(folder: string, signal: AbortSignal): Promise<void> {
  const packs = (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length <= MANY_PACKS) return;
  await askGit({ repository: folder, command: ['gc', '--quiet', '--prune=now'], signal });
}

async function clearLocks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && (entry.name.endsWith('.lock') || entry.name.startsWith('tmp_')))
      await rm(join(entry.parentPath, entry.name), { force: true });
  }
}

const MANY_PACKS = 40;
