import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const IMPORT = /(?:^(?:import|export)\s(?:[^;'"=]*?\sfrom\s+)?|\bimport\(\s*|\.resolve\()['"]([.#@a-z][^'"\s]*)['"]/gm;

/**
 * Follows the imports of compiled files. In: the folder they lie in, and the first of them. `isOther`: whether a file belongs to
 * another package. Out: the files, each with its types where it has some, and the names of the packages that they import.
 */
export async function collectFiles(dist, entries, isOther) {
  const files = new Set();
  const packages = new Set();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    const text = await readFile(join(dist, file), 'utf8').catch(() => undefined);
    if (text === undefined) {
      if (file.endsWith('.d.ts')) continue;
      throw new Error(`${file} is not in ${dist}. Run: npm run build`);
    }
    files.add(file);
    if (file.endsWith('.js')) open.push(file.replace(/\.js$/, '.d.ts'));
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const imported = fileOf(specifier, file);
      if (imported === undefined) packages.add(packageOf(specifier));
      else if (isOther(imported)) packages.add(isOther(imported));
      else open.push(imported);
    }
  }
  const others = [...packages].filter((name) => !name.startsWith('node:'));
  return { files: sorted(files), packages: sorted(others) };
}

/** `./x.ts` and `#contract/x.ts` stand for compiled files, `.d.ts` in declarations is left as it is. */
function fileOf(specifier, importer) {
  if (specifier.startsWith('.')) return compiled(normalize(join(dirname(importer), specifier)));
  if (specifier.startsWith('#')) return compiled(specifier.slice(1));
  return undefined;
}

function compiled(path) {
  return path.endsWith('.d.ts') ? path : path.replace(/\.tsx?$/, '.js');
}

/** `@scope/name/file` and `name/file` belong to `@scope/name` and `name`. */
function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function sorted(names) {
  return [...names].toSorted((one, other) => (one < other ? -1 : 1));
}
