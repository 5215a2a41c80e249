import { spawn, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A message for the user, shown without a stack. */
export class ScriptError extends Error {}

/** Prints one line of progress. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/** Runs an installed program in the project's folder; rejects with `trouble` if it fails. */
export function run(command, parameters, trouble) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], shell: onWindows(command) });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', () => reject(new ScriptError(trouble)));
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new ScriptError(`${output.trim()}\n\n${trouble}`))));
  });
}

/** Runs a program of node_modules with the same Node. */
export function runTool(file, parameters, trouble) {
  return run(process.execPath, [`${ROOT}node_modules/${file}`, ...parameters], trouble);
}

/** Runs `work`; a ScriptError ends the process with its message, anything else with its stack. */
export async function reportErrors(work) {
  try {
    return await work();
  } catch (error) {
    process.stderr.write(error instanceof ScriptError ? `\n${error.message}\n` : `\n${error?.stack ?? error}\n`);
    process.exit(1);
  }
}

function onWindows(command) {
  return process.platform === 'win32' && command === 'npm';
}

/** Runs a program in a folder and passes its output through. Rejects if it fails. */
export async function runIn(cwd, program, ...parameters) {
  const status = await new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (status !== 0) throw new ScriptError(`${program} ${parameters.join(' ')} ended with status ${status}.`);
}

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
