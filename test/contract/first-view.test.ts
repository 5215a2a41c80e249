import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { LANGUAGES } from '@repoless/core/messages/catalogue.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const run = promisify(execFile);

/** Bytes of gzipped script that are loaded before anything is drawn. */
const MOST = 200_000;

const Chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
});
const Manifest = z.record(z.string(), Chunk);
type Manifest = z.infer<typeof Manifest>;

const folder = startBeforeAll(temporaryDirectory);
let manifest: Manifest;
beforeAll(async () => {
  manifest = await build(folder.path);
});

test.each(LANGUAGES)('the first view is at most 200 kB of gzipped script, in the language %s', async (language) => {
  const screens = manifest['index.html']?.dynamicImports.filter((name) => name !== 'register.ts' && !name.includes('messages/')) ?? [];
  expect(screens).toContain('render-route.tsx');
  const atOnce = [...screens, `../core/messages/${language}/first-view.json`];
  expect(Object.keys(manifest)).toEqual(expect.arrayContaining(atOnce));
  const sizes = new Map<string, number>();
  for (const file of filesOf(manifest, ['index.html', ...atOnce]))
    sizes.set(file, gzipSync(await readFile(join(folder.path, file))).length);
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(all, `${all} bytes: ${JSON.stringify([...sizes])}`).toBeLessThanOrEqual(MOST);
});

/** Builds for production: the environment of tests would select development builds of libraries. */
async function build(folder: string): Promise<Manifest> {
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const flags = ['build', 'extension', '--manifest', 'manifest.json', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  await run(process.execPath, [vite, ...flags], { env: { ...process.env, NODE_ENV: 'production' } });
  return Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
}

/** The files of these modules and all their static imports, each once. */
function filesOf(manifest: Manifest, names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(manifest[name]?.imports ?? []));
  }
  return new Set([...seen].flatMap((name) => manifest[name]?.file ?? []));
}
