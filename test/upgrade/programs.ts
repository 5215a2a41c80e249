import { execFile } from 'node:child_process';
import { cp, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);
/** What the service is made of. */
const PARTS = ['backend', 'contract', 'legacy', 'extension'];
/** It came with the rule by which nodes of two versions run beside each other. */
const RULE = 'docs/decisions/0115-nodes-are-upgraded-one-after-the-other.md';

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

/** The first program that keeps the rule, or the last that did not, compiled from the history; undefined where this checkout has none of it. */
export async function earlierProgram(folder: string, which: 'first' | 'before'): Promise<string | undefined> {
  const git = async (...args: readonly string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
  const before = await git('log', '--diff-filter=A', '--format=%H', '--', RULE)
    .then((found) => git('rev-parse', '--verify', '--quiet', `${found.split('\n').at(-1) ?? ''}^`))
    .catch(() => '');
  if (before === '') return undefined;
  const commit = which === 'before' ? before : await git('log', '--diff-filter=A', '--format=%H', '--', RULE);
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'program.tar');
  await git('archive', '--output', archive, commit, ...PARTS, 'package.json', 'tsconfig.base.json');
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // It was checked when it was this program.
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'backend', '--noCheck'], { cwd: folder });
  return join(folder, 'dist/backend/main.js');
}
