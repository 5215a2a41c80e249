import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
/** The workspaces that are installed separately. */
const PACKAGES = ['contract', 'core', 'upstream', 'command-line', 'backend', 'extension'];
/** Packs every built package into this folder. */
const target = resolve(process.argv[2] ?? join(ROOT, 'dist/packages'));

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const name of PACKAGES) await removeStale(join(ROOT, name));
for (const name of PACKAGES) await makeExecutable(join(ROOT, name));
for (const name of PACKAGES) await cp(join(ROOT, 'LICENSE'), join(ROOT, name, 'LICENSE'));
const workspaces = PACKAGES.flatMap((name) => ['--workspace', name]);
const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target, ...workspaces], {
  cwd: ROOT,
  maxBuffer: 1e8,
});
for (const { filename, size, entryCount } of Object.values(JSON.parse(stdout)))
  process.stdout.write(`${filename}: ${entryCount} files, ${Math.ceil(size / 1024)} kB\n`);

/** The compiler leaves the output of deleted sources behind; it must not be packed. */
async function removeStale(folder) {
  const files = await readdir(join(folder, 'dist'), { recursive: true });
  for (const file of files.filter((one) => /\.(?:js|d\.ts)$/.test(one) && !one.startsWith('web'))) {
    const source = join(folder, file.replace(/(?:\.d\.ts|\.js)$/, ''));
    const exists = await Promise.all(
      ['.ts', '.tsx'].map((ending) =>
        access(source + ending).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!exists.includes(true)) await rm(join(folder, 'dist', file));
  }
}

/** Makes a package's programs executable, whether or not an earlier build did: otherwise the same version could be packed in two ways. */
async function makeExecutable(folder) {
  const { bin = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  for (const program of Object.values(bin)) await chmod(join(folder, program), 0o755);
}
