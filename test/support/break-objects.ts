import { chmod, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Damages every object of a git repository in the middle; the index of its packs stays. Takes the repository's folder. */
export async function breakObjects(folder: string): Promise<void> {
  for (const entry of await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.idx') || entry.parentPath.endsWith('info')) continue;
    const file = join(entry.parentPath, entry.name);
    await chmod(file, 0o644);
    const handle = await open(file, 'r+');
    await handle.write('XXXXXXXX', Math.floor((await handle.stat()).size / 2));
    await handle.close();
  }
}
