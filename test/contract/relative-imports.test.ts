import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['contract', 'core', 'upstream', 'command-line', 'backend', 'extension', 'sandbox'] as const;

/** The relative imports of a file that leave its package. */
function crossings(file: string, text: string): string[] {
  const [own = ''] = file.split('/');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.\.?\/[^'"]+)['"]/g)].flatMap(([, name = '']) =>
    normalize(join(dirname(file), name)).startsWith(`${own}/`) ? [] : [`${file}: ${name}`],
  );
}

test('relative imports stay in their package', async () => {
  const files = (
    await Promise.all(PACKAGES.map(async (part) => (await readdir(join(ROOT, part), { recursive: true })).map((name) => `${part}/${name}`)))
  ).flat();
  // Vite reads its settings before the packages are compiled.
  const sources = files.filter(
    (file) => /\.tsx?$/.test(file) && !/\/(?:dist|node_modules)\//.test(file) && !file.endsWith('/vite.config.ts'),
  );
  expect(sources.length).toBeGreaterThan(500);
  const found = await Promise.all(sources.map(async (file) => crossings(file, await readFile(join(ROOT, file), 'utf8'))));
  expect(found.flat()).toEqual([]);
});

test('a relative import into another package is found', () => {
  expect(crossings('core/plan/plan.ts', "import { one } from '../../backend/app.ts';")).toEqual([
    'core/plan/plan.ts: ../../backend/app.ts',
  ]);
});
