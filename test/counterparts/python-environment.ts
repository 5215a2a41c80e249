import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Third-party programs are cached here between runs, each below a name with its version. */
export const CACHE = new URL('../../node_modules/.cache', import.meta.url).pathname;

/** Installs a requirements file into a separate environment, once. Returns the folder of its programs. */
export async function installPython(name: string, requirements: URL): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const environment = join(CACHE, `${name}-${version}`);
  const programs = join(environment, 'bin');
  // Its last file, written when everything is installed.
  const finished = join(environment, 'installed');
  if ((await readFile(finished).catch(() => undefined)) !== undefined) return programs;
  await mkdir(CACHE, { recursive: true });
  await run('python3', ['-m', 'venv', '--clear', environment]);
  await run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements.pathname]);
  await writeFile(finished, '');
  return programs;
}
