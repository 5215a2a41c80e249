import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Names of packages of this repository, and their folders. */
const FOLDERS = new Map([['service', 'backend']]);
/** Static imports run when a file is loaded; a module named by `import()` is loaded on demand. */
const STATIC = /^(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

/** `@repoless/service/app.ts` is `backend/app.js`. */
function ownFile(specifier: string): string {
  const [, name = '', ...path] = specifier.split('/');
  return join(FOLDERS.get(name) ?? name, ...path).replace(/\.ts$/, '.js');
}

function compiled(file: string): string {
  const [folder = '', ...path] = file.split('/');
  return join(ROOT, folder, 'dist', ...path);
}

/** Everything that is loaded with a program, given its compiled file: our own files, and packages. */
async function loadedWith(entry: string): Promise<{ files: Set<string>; packages: Set<string> }> {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, specifier = ''] of (await readFile(compiled(file), 'utf8')).matchAll(STATIC)) {
      if (specifier.startsWith('.')) open.push(normalize(join(dirname(file), specifier)));
      else if (specifier.startsWith('@repoless/')) open.push(ownFile(specifier));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

it('the service starts without the modules for assistants, which are loaded with their first message', async () => {
  const { files, packages } = await loadedWith('backend/app.js');
  expect(files).toContain('backend/composition/assistant.js');
  expect([...files].filter((file) => file.startsWith('backend/mcp/') || file.startsWith('command-line/'))).toEqual([]);
  expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
  // The counter-check: its user does load it.
  expect([...(await loadedWith('backend/mcp/answer-assistant.js')).packages].join(' ')).toContain('@modelcontextprotocol/sdk');
});

it('the first view loads none of the service’s messages, which are loaded to translate one', async () => {
  const sentences = ['contract/code-sentences.js', 'contract/value-rules.js'];
  const { files } = await loadedWith('extension/app/Panel.js');
  expect(files).toContain('contract/code-check.js');
  expect(sentences.filter((file) => files.has(file))).toEqual([]);
  // The counter-check.
  expect([...(await loadedWith('core/messages/problem-sentence.js')).files]).toEqual(expect.arrayContaining(sentences));
});

const LATE: Readonly<Record<string, string>> = {
  '@aws-sdk/client-s3': 'backend/code/object-storage/bucket.js',
  htmlparser2: 'backend/delivery/main-element.js',
  nodemailer: 'backend/events/mailer.js',
  pg: 'backend/db/postgres/open-postgres.js',
  undici: 'backend/remote/remote.js',
};

it('the service starts without its optional packages', async () => {
  const { files, packages } = await loadedWith('backend/main.js');
  expect([...files]).toEqual(expect.arrayContaining(['backend/config.js', 'backend/remote/remote.js']));
  expect([...packages].filter((name) => name in LATE)).toEqual([]);
  // The counter-check: its users do load each.
  for (const [name, file] of Object.entries(LATE)) {
    const { packages: first } = await loadedWith(file);
    expect(first.has(name) || (await readFile(compiled(file), 'utf8')).includes(`import('${name}')`), name).toBe(true);
  }
});
