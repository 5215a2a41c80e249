import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const DIST = new URL('../../dist/', import.meta.url).pathname;
/** What runs when a file is loaded: a module that `import()` names waits until somebody asks for it. */
const STATIC = /^(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

/** Everything that is loaded with a program. In: its compiled file. Out: its own files, and the packages. */
async function loadedWith(entry: string): Promise<{ files: Set<string>; packages: Set<string> }> {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, specifier = ''] of (await readFile(join(DIST, file), 'utf8')).matchAll(STATIC)) {
      if (specifier.startsWith('.')) open.push(normalize(join(dirname(file), specifier)));
      else if (specifier.startsWith('#')) open.push(specifier.slice(1).replace(/\.ts$/, '.js'));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

it('the service starts without what assistants need, which is loaded with their first message', async () => {
  const { files, packages } = await loadedWith('backend/app.js');
  expect(files).toContain('backend/composition/assistant.js');
  expect([...files].filter((file) => file.startsWith('backend/mcp/') || file.startsWith('extension/command-line/'))).toEqual([]);
  expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
  // The other way round: it is there where it is asked for.
  expect([...(await loadedWith('backend/mcp/answer-assistant.js')).packages].join(' ')).toContain('@modelcontextprotocol/sdk');
});

const LATE: Readonly<Record<string, string>> = {
  '@aws-sdk/client-s3': 'backend/object-storage/bucket.js',
  htmlparser2: 'backend/delivery/main-element.js',
  nodemailer: 'backend/events/mailer.js',
  pg: 'backend/storage/postgres/open-postgres.js',
  undici: 'backend/remote/remote.js',
};

it('the service starts without the packages that not every service needs', async () => {
  const { files, packages } = await loadedWith('backend/main.js');
  expect([...files]).toEqual(expect.arrayContaining(['backend/config.js', 'backend/remote/remote.js']));
  expect([...packages].filter((name) => name in LATE)).toEqual([]);
  // The other way round: each is loaded by what needs it.
  for (const [name, file] of Object.entries(LATE)) {
    const { packages: first } = await loadedWith(file);
    expect(first.has(name) || (await readFile(join(DIST, file), 'utf8')).includes(`import('${name}')`), name).toBe(true);
  }
});
