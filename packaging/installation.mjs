// `node packaging/installation.mjs <folder> <package>…`: prepares a folder for `npm install` from packed packages: their files, and from
// the project's own lock the versions of everything they need.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Trouble, reportErrors } from '../sandbox/preparation/run.mjs';

const ROOT = join(import.meta.dirname, '..');
const OWN = '@repoless/';

await reportErrors(async () => {
  const [folder, ...names] = parseArgs({ allowPositionals: true }).positionals;
  if (folder === undefined || names.length === 0)
    throw new Trouble('Specify the folder and the packages: packaging/installation.mjs /app service');
  const place = resolve(folder);
  const { version, allowScripts } = await read('package.json');
  await mkdir(place, { recursive: true });
  const { packages, ...lock } = await read('package-lock.json');
  const dependencies = {};
  for (const name of withNeeded(names, packages)) {
    const packed = join(ROOT, 'dist/packages', `repoless-${name}-${version}.tgz`);
    await cp(packed, join(place, basename(packed))).catch(() => {
      throw new Trouble(`There is no ${packed}. Run: npm run packages`);
    });
    dependencies[`${OWN}${name}`] = `file:${basename(packed)}`;
  }
  const described = { name: 'repoless-installation', version, private: true, allowScripts, dependencies };
  // The project's own workspaces do not belong in the installation.
  const kept = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
  await writeJson(join(place, 'package.json'), described);
  await writeJson(join(place, 'package-lock.json'), {
    ...lock,
    name: described.name,
    packages: { '': described, ...Object.fromEntries(kept) },
  });
});

/** The packages and those of the project that they need: npm would look for these in a registry, where anyone may have published their names. */
function withNeeded(names, packages) {
  const needed = new Set(names);
  // What is added is visited, too.
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
