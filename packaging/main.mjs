import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { collectFiles } from './collect-files.mjs';
import { PACKAGES } from './packages.mjs';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const CONTRACT = '@repoless/contract';
/** Packs every package from the compiled project into this folder. */
const target = resolve(process.argv[2] ?? join(DIST, 'packages'));

const project = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
await rm(target, { recursive: true, force: true });
const assembled = [];
for (const wanted of PACKAGES) assembled.push(await assemble(wanted));
const folders = assembled.map(({ folder }) => folder);
const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target, ...folders], { cwd: ROOT });
for (const [index, { filename, size, entryCount }] of JSON.parse(stdout).entries()) {
  const needed = Object.keys(assembled[index].dependencies).join(', ');
  process.stdout.write(`${filename}: ${entryCount} files, ${Math.ceil(size / 1024)} kB; depends on ${needed || 'nothing'}\n`);
}

/** Lays a package out in a folder. Out: the folder, and what the package depends on. */
async function assemble({ name, description, entries, exports, bin, optional = [], folder: copied }) {
  const folder = join(target, name.replace('@repoless/', ''));
  const first = (await Promise.all(entries.map(expanded))).flat();
  const isOther = (file) => (name !== CONTRACT && file.startsWith('contract/') ? CONTRACT : undefined);
  const { files, packages } = await collectFiles(DIST, first, isOther);
  for (const file of files) await copy(join(DIST, file), join(folder, file));
  if (copied !== undefined) await copy(join(DIST, copied), join(folder, copied));
  for (const file of ['LICENSE']) await copy(join(ROOT, file), join(folder, file));
  const versionsOf = (names) => Object.fromEntries(names.map((one) => [one, versionOf(one)]));
  const bySystem = packages.filter((one) => one in project.optionalDependencies);
  const dependencies = versionsOf(packages.filter((one) => !optional.includes(one) && !bySystem.includes(one)));
  const { version, license, type, engines } = project;
  const own = Object.fromEntries(
    ['backend', 'extension', 'legacy']
      .filter((part) => files.some((file) => file.startsWith(`${part}/`)))
      .map((part) => [`#${part}/*.ts`, `./${part}/*.js`]),
  );
  const imports = { ...(packages.includes(CONTRACT) && { '#contract/*.ts': `${CONTRACT}/*.js` }), ...own };
  const described = {
    name,
    version,
    description,
    license,
    type,
    engines,
    ...(exports && { exports }),
    ...(bin && { bin }),
    imports,
    dependencies,
    ...(bySystem.length > 0 && { optionalDependencies: versionsOf(bySystem) }),
    ...(optional.length > 0 && {
      peerDependencies: versionsOf(optional),
      peerDependenciesMeta: Object.fromEntries(optional.map((one) => [one, { optional: true }])),
    }),
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  return { folder, dependencies };
}

/** `contract/*.js` stands for the files that have a source: `dist` keeps what was compiled once. */
async function expanded(entry) {
  if (!entry.endsWith('/*.js')) return [entry];
  const folder = dirname(entry);
  const sources = (await readdir(join(ROOT, folder))).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  return sources.map((file) => `${folder}/${file.replace(/\.ts$/, '.js')}`);
}

function versionOf(name) {
  const version = name === CONTRACT ? project.version : (project.dependencies[name] ?? project.optionalDependencies[name]);
  if (version === undefined) throw new Error(`${name} is imported, but is no dependency of the project.`);
  return version;
}

async function copy(from, to) {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true });
}
