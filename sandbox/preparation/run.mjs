import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A message for the user, shown without a stack. */
export class Trouble extends Error {}

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
    child.on('error', () => reject(new Trouble(trouble)));
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Trouble(`${output.trim()}\n\n${trouble}`))));
  });
}

/** Runs a program of node_modules with the same Node. */
export function runTool(file, parameters, trouble) {
  return run(process.execPath, [`${ROOT}node_modules/${file}`, ...parameters], trouble);
}

/** Runs `work`; a Trouble ends the process with its message, anything else with its stack. */
export async function reportErrors(work) {
  try {
    return await work();
  } catch (error) {
    process.stderr.write(error instanceof Trouble ? `\n${error.message}\n` : `\n${error?.stack ?? error}\n`);
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
  if (status !== 0) throw new Trouble(`${program} ${parameters.join(' ')} ended with status ${status}.`);
}
