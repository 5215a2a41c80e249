import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
/** The workspaces that install separately. */
const PACKAGES = ['contract', 'core', 'command-line', 'backend', 'extension'];
/** Packs every package from what was built into this folder. */
const target = resolve(process.argv[2] ?? join(ROOT, 'dist/packages'));

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const name of PACKAGES) await cp(join(ROOT, 'LICENSE'), join(ROOT, name, 'LICENSE'));
const workspaces = PACKAGES.flatMap((name) => ['--workspace', name]);
const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target, ...workspaces], {
  cwd: ROOT,
  maxBuffer: 1e8,
});
for (const { filename, size, entryCount } of Object.values(JSON.parse(stdout)))
  process.stdout.write(`${filename}: ${entryCount} files, ${Math.ceil(size / 1024)} kB\n`);
