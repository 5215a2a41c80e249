import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * The content of a folder. Out: the SHA-256 of each file below it by its path (with `/`), sorted, and one of all of them
 * together: that of the lines `<hash>  <path>`, as `sha256sum` prints them.
 */
export async function hashesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const files = {};
  for (const path of paths.map((one) => one.split(sep).join('/')).toSorted(byCodeUnits)) {
    files[path] = sha256(await readFile(join(folder, path)));
  }
  const lines = Object.entries(files).map(([path, hash]) => `${hash}  ${path}\n`);
  return { hash: sha256(lines.join('')), files };
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function byCodeUnits(one, other) {
  return one < other ? -1 : Number(one > other);
}
