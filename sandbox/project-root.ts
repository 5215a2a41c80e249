import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this project, whether the caller runs from source or from dist. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package-lock.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('The sandbox runs only inside a clone of the project: no package-lock.json above its files.');
    folder = above;
  }
  return folder;
}
