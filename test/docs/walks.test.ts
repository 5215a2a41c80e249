import { readFile, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

it.each(['docs/walks.md', 'docs/architecture.md'])('names in %s only files that are there', async (page) => {
  const text = await readFile(new URL(page, ROOT), 'utf8');
  const named = [...text.matchAll(/`((?:backend|contract|extension|sandbox|test|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path);
  const missing: string[] = [];
  for (const path of new Set(named)) if ((await stat(new URL(path, ROOT)).catch(() => undefined)) === undefined) missing.push(path);
  expect(named.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});
