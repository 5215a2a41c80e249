import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const ROOT = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);
const Described = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()) });

/** Unpacks packages into an empty folder, where they find only their declared dependencies, from those installed here. */
export async function unpackPackages(target: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const unpacked = await mkdtemp(join(target, 'unpacked-'));
    await run('tar', ['xzf', file, '--strip-components=1', '-C', unpacked]);
    const { name, dependencies } = Described.parse(JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')));
    const own = join(target, 'node_modules', name);
    await mkdir(dirname(own), { recursive: true });
    await rename(unpacked, own);
    for (const dependency of Object.keys(dependencies).filter((one) => !one.startsWith('@repoless/'))) {
      const link = join(target, 'node_modules', dependency);
      await mkdir(dirname(link), { recursive: true });
      await symlink(await realpath(join(ROOT, 'node_modules', dependency)), link).catch(ignoreExisting);
    }
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
