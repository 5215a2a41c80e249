import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const EXTENSION = new URL('../../extension', import.meta.url).pathname;
const VIEWS = join(EXTENSION, 'features');
/** Each folder imports only itself and those after it. */
const LAYERS = ['app', 'features', 'ui', 'host'];

it('folders of views have no circular imports', async () => {
  const imports = await importsByFolder();
  expect(imports.size).toBeGreaterThan(8);
  const circles = [...imports.keys()].filter((folder) => reachable(folder, imports).has(folder));
  expect(circles).toEqual([]);
});

it.each(LAYERS)('%s/ of the extension imports nothing from the layers above it', async (layer) => {
  const above = LAYERS.slice(0, LAYERS.indexOf(layer));
  const imports = await importsByFolder(EXTENSION);
  expect(imports.has('features')).toBe(true);
  expect([...(imports.get(layer) ?? [])].filter((folder) => folder === '.' || above.includes(folder))).toEqual([]);
});

/** The view folders that each folder imports from; `.` is their parent. */
async function importsByFolder(parent = VIEWS): Promise<Map<string, Set<string>>> {
  const names = (await readdir(parent, { recursive: true })).filter((name) => /^(?!dist|node_modules).*\.tsx?$/.test(name));
  const imports = new Map<string, Set<string>>();
  for (const name of names) {
    const text = await readFile(join(parent, name), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)) {
      const path = relative(parent, join(parent, dirname(name), specifier));
      if (path.startsWith('..') || folderOf(path) === folderOf(name)) continue;
      imports.set(folderOf(name), (imports.get(folderOf(name)) ?? new Set()).add(folderOf(path)));
    }
  }
  return imports;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
}

function reachable(folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(folder) ?? []) {
    if (!seen.has(next)) reachable(next, imports, seen.add(next));
  }
  return seen;
}
