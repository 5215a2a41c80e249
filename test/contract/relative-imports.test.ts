import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PARTS = ['backend', 'contract', 'extension', 'legacy', 'sandbox', 'packaging'] as const;
/** Parts whose folders are modules with a list of what they may import. */
const OF_MODULES = new Set<string>(['backend', 'extension']);
/** Modules that are put together by the files beside them, or put those together. Every other one names what it imports by `#`, which the linter judges. */
const TOGETHER = new Set([
  'backend/composition → backend',
  'backend/administration → backend',
  'backend → backend/composition',
  'backend/administration → backend/composition',
  'extension → extension/host',
  'extension → extension/views',
  'extension → extension/messages',
  'extension/views → extension',
  'extension/views → extension/host',
]);

function moduleOf(file: string): string {
  const [part = '', folder = '', ...below] = file.split('/');
  return OF_MODULES.has(part) && below.length > 0 ? `${part}/${folder}` : part;
}

function crossings(file: string, text: string): string[] {
  const from = moduleOf(file);
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.\.?\/[^'"]+)['"]/g)].flatMap(([, name = '']) => {
    const to = moduleOf(normalize(join(dirname(file), name)));
    return to === from || TOGETHER.has(`${from} → ${to}`) ? [] : [`${file}: ${name}`];
  });
}

test('A relative import stays in its module: what the linter refuses by its name is not reached by a path', async () => {
  const files = (
    await Promise.all(PARTS.map(async (part) => (await readdir(join(ROOT, part), { recursive: true })).map((name) => `${part}/${name}`)))
  ).flat();
  // Vite reads its settings before anything is compiled that a name by "#" could lead to.
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes('/node_modules/') && !file.endsWith('/vite.config.ts'));
  expect(sources.length).toBeGreaterThan(1000);
  const found = await Promise.all(sources.map(async (file) => crossings(file, await readFile(join(ROOT, file), 'utf8'))));
  expect(found.flat()).toEqual([]);
});

test.each([
  ['backend/build-management/settings.ts', '../app.ts'],
  ['backend/build-management/links/link.ts', '../../config.ts'],
  ['backend/domain/sites/check-site.ts', '../../http/mount.ts'],
  ['extension/setup/plan.ts', '../api/client.ts'],
])('in %s, %s leaves it', (file, name) => {
  expect(crossings(file, `import { one } from '${name}';`)).toEqual([`${file}: ${name}`]);
});
