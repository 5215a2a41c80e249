import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { lineOf, PROPERTIES } from '../support/older-projects.ts';
import { folder, inOwnFolder } from './command.ts';

inOwnFolder();

async function importOf(files: Readonly<Record<string, string>>, ...argv: string[]) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.folder, name)), { recursive: true });
    await folder.write(name, text);
  }
  return folder.repoless(['import', '.', ...argv]);
}

it.each(PROPERTIES.map((property) => [property.title, property] as const))('import accounts for %s', async (_, property) => {
  const result = await importOf(property.files);
  // Properties from other files are reported at the first line.
  const line = property.file === 'fstab.yaml' || property.file === 'paths.json' ? lineOf(property) : 1;
  const location = `${property.file}:${line}:`;
  if (property.imported === 'refused') return expect(result).toMatchObject({ code: 2, err: expect.stringContaining('fstab.yaml:3:') });
  expect(result.code).toBe(0);
  if (property.imported === 'carried') {
    expect(result.out).toContain(property.value);
    return expect(result.err).not.toContain(`${location.slice(0, -1)}:`);
  }
  const lines = result.err.split('\n').filter((one) => one.startsWith(location));
  expect(lines).toEqual([
    expect.stringContaining(property.file === 'fstab.yaml' || property.file === 'paths.json' ? property.name : '/config/wknd/'),
  ]);
});
