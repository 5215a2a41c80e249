import { spawn } from 'node:child_process';
import { Trouble } from '../sandbox/preparation/run.mjs';

/** Runs a program in a folder and passes its output through. Rejects if it fails. */
export async function runIn(cwd, program, ...parameters) {
  const status = await new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (status !== 0) throw new Trouble(`${program} ${parameters.join(' ')} ended with status ${status}.`);
}
