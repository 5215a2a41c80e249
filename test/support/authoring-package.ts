import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * Builds the content package as `npm run package:authoring` does once the script is built, in the folder `target` and with options of
 * the command. Returns the path of the file. Rejects with the command’s output.
 */
export async function makeAuthoringPackage(
  target: string,
  options: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const command = [join(ROOT, 'packaging/authoring-package.mjs'), '--target', target, ...options];
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, ...environment } });
  const files = await readdir(target);
  if (files.length !== 1) throw new Error(`Expected one package, found: ${files.join(', ')}`);
  return join(target, files[0] ?? '');
}

/** The text of every file in a package, by its path. */
export async function textsOf(file: string): Promise<Readonly<Record<string, string>>> {
  const entries = Object.entries(unzipSync(await readFile(file)));
  return Object.fromEntries(entries.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}
