import { cp, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
/** What the service is made of. */
const PARTS = ['backend', 'contract', 'legacy', 'extension'];

/** The program of this checkout. */
export const THIS_PROGRAM = join(ROOT, 'dist/backend/main.js');

/** This program as a later release has it: with these migrations beside its own, which are the text of an object in JavaScript. */
export async function laterProgram(folder: string, migrations: string): Promise<string> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const part of PARTS) await cp(join(ROOT, 'dist', part), join(folder, 'dist', part), { recursive: true });
  const storage = join(folder, 'dist/backend/storage');
  await rename(join(storage, 'migrations.js'), join(storage, 'migrations-of-now.js'));
  const source = `import { sql } from 'kysely';
    import { migrations as ofNow } from './migrations-of-now.js';
    export const migrations = (dialect) => ({ ...ofNow(dialect), ...${migrations} });`;
  await writeFile(join(storage, 'migrations.js'), source);
  return join(folder, 'dist/backend/main.js');
}
