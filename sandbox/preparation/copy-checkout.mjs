import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './run.mjs';

const BUILT = ['contract', 'core', 'upstream', 'command-line', 'backend', 'extension', 'sandbox', 'packaging/authoring'].map(
  (part) => `${part}/dist`,
);
/** The project's own packages, which are linked to the copy instead of this checkout. */
const OWN = '@repoless';

/**
 * Copies the checkout into a folder: files that git tracks or does not ignore, build output, and links to packages, which nothing writes
 * to. `isLeftOut` excludes packages of `node_modules`. Returns the paths of the files that git tracks or does not ignore.
 */
export async function copyCheckout(copy, isLeftOut = () => false) {
  const parameters = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', parameters, { cwd: ROOT, maxBuffer: 1e8 });
  const files = new Set(stdout.split('\0').filter((one) => one !== ''));
  for (const file of files) {
    await cp(join(ROOT, file), join(copy, file)).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      files.delete(file);
    });
  }
  for (const built of BUILT)
    await cp(join(ROOT, built), join(copy, built), { recursive: true, preserveTimestamps: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  const packages = join(copy, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (isLeftOut(name) || name.startsWith('.vite') || name === OWN) continue;
    await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
  await cp(join(ROOT, 'node_modules', OWN), join(packages, OWN), { recursive: true, verbatimSymlinks: true });
  return [...files];
}
