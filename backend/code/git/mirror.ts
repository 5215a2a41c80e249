import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a repository's mirror. */
export function mirrorFolder(mirrorDir: string, key: string): string {
  return join(mirrorDir, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.git`);
}

/** Bytes of what was transferred so far. */
export async function transferredBytes(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(packs).catch(() => [])) bytes += (await stat(join(packs, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
