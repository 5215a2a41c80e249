import { chmod, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, runTool, say } from './run.mjs';

const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'contract', 'core'];
const PARTS = {
  programs: {
    sources: [...CONFIGURATION, 'upstream', 'command-line', 'backend', 'sandbox'],
    build: async () => {
      await runTool('typescript/bin/tsc', ['-b', 'backend', 'sandbox'], 'The programs do not compile; the messages above say where.');
      await chmod(join(ROOT, 'command-line/dist/main.js'), 0o755);
    },
  },
  extension: {
    sources: [...CONFIGURATION, 'extension'],
    build: () => runTool('vite/bin/vite.js', ['build', 'extension', '--logLevel', 'warn'], 'The extension could not be built.'),
  },
  authoring: {
    sources: [...CONFIGURATION, 'packaging/authoring'],
    build: () =>
      runTool(
        'vite/bin/vite.js',
        ['build', 'packaging/authoring', '--logLevel', 'warn'],
        'The script of the content package could not be built.',
      ),
  },
  console: {
    sources: [...CONFIGURATION, 'sandbox/console'],
    build: () => runTool('vite/bin/vite.js', ['build', 'sandbox/console', '--logLevel', 'warn'], 'The console could not be built.'),
  },
};

/** Builds the parts (all, or the named ones) whose sources are newer than their last build. */
export async function buildParts(names = Object.keys(PARTS)) {
  const stale = [];
  for (const name of names) if (await isStale(name)) stale.push(name);
  if (stale.length === 0) return;
  say(`Building what changed (${stale.join(', ')}) …`);
  await Promise.all(stale.map(build));
}

async function build(name) {
  const begun = new Date();
  await PARTS[name].build();
  await mkdir(join(ROOT, 'dist/.build'), { recursive: true });
  await writeFile(stampOf(name), '');
  // Changes made during the build are newer than this stamp.
  await utimes(stampOf(name), begun, begun);
}

async function isStale(name) {
  const stamp = await stat(stampOf(name)).catch(() => undefined);
  if (stamp === undefined) return true;
  const times = await Promise.all(PARTS[name].sources.map((source) => newest(join(ROOT, source))));
  return Math.max(...times) > stamp.mtimeMs;
}

/** When a file, or anything in a folder, last changed; removing a file changes its folder's own time. */
async function newest(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const below = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(found.mtimeMs, ...below);
}

function stampOf(name) {
  return join(ROOT, 'dist/.build', `${name}.built`);
}
