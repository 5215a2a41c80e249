// `node packaging/installation.mjs <folder> <package>…`: prepares a folder for `npm install` from packed packages: their files, and from
// the project's own lock the versions of everything they need.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ScriptError, reportErrors } from '../sandbox/preparation/run.mjs';

const ROOT = join(import.meta.dirname, '..');
const OWN = '@repoless/';

await reportErrors(async () => {
  const [folder, ...names] = parseArgs({ allowPositionals: true }).positionals;
  if (folder === undefined || names.length === 0)
    throw new ScriptError('Specify the folder and the packages: packaging/installation.mjs /app service');
  const target = resolve(folder);
  const { version, allowScripts } = await read('package.json');
  await mkdir(target, { recursive: true });
  const { packages, ...lock } = await read('package-lock.json');
  const dependencies = {};
  for (const name of withNeeded(names, packages)) {
    const packed = join(ROOT, 'dist/packages', `repoless-${name}-${version}.tgz`);
    await cp(packed, join(target, basename(packed))).catch(() => {
      throw new ScriptError(`There is no ${packed}. Run: npm run packages`);
    });
    dependencies[`${OWN}${name}`] = `file:${basename(packed)}`;
  }
  const described = { name: 'repoless-installation', version, private: true, allowScripts, dependencies };
  // The project's own workspaces do not belong in the installation.
  const installed = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
  await writeJson(join(target, 'package.json'), described);
  await writeJson(join(target, 'package-lock.json'), {
    ...lock,
    name: described.name,
    packages: { '': described, ...Object.fromEntries(installed) },
  });
});

/**
 * The packages and those of the project that they need: npm would look for these in a registry, where anyone may have published their
 * names.
 */
function withNeeded(names, packages) {
  const needed = new Set(names);
  // The loop also visits names that it adds.
  for (const name of needed) {
    const { dependencies = {} } = packages[packages[`node_modules/${OWN}${name}`]?.resolved] ?? {};
    for (const one of Object.keys(dependencies).filter((other) => other.startsWith(OWN))) needed.add(one.slice(OWN.length));
  }
  return needed;
}

async function read(file) {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'));
}

async function writeJson(file, value) {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
