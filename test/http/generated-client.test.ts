import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildManagementDocument } from '@repoless/service/http/openapi.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const THIRD_PARTY = join(ROOT, 'test/third-party');
const run = promisify(execFile);

const backend = startBeforeAll(startTestBackend);
const folder = startBeforeAll(temporaryDirectory);

beforeAll(async () => {
  await Promise.all(['package.json', 'tsconfig.json', 'ten-calls.ts'].map((name) => cp(join(THIRD_PARTY, name), join(folder.path, name))));
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
});

it('a client that public tools generate from the documents compiles, makes the ten calls of the design, makes a dry run and removes a site', async () => {
  await Promise.all([
    generate('service', await servedDocument('/openapi.json')),
    generate('dry-run', await servedDocument('/openapi-dry-run.json')),
    generate('build-management', buildManagementDocument('http://localhost', '1.0.0')),
  ]);
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder.path]).catch((error: unknown) => Object(error));
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, [join(folder.path, 'out/ten-calls.js'), backend.address, await backend.token(OPERATOR)]);
  expect(JSON.parse(stdout)).toEqual({
    statuses: [201, 201, 200, 200, 200, 200, 200, 200, 200],
    site: ['lantern', '100', 'auto'],
    refusal: 'SITE_NOT_FOUND',
    signedIn: [OPERATOR, ['logout']],
    tried: [true, 200, ['add /~1**']],
    changed: ['x-frame-options: DENY'],
    removed: 204,
    known: ['function', 'auto'],
  });
  const config = await backend.visit('preview', 'main--lantern--wknd', '/config.json');
  expect(config.json()).toMatchObject({ public: { paths: { includes: ['/content/lantern/'] } } });
}, 120_000);

async function servedDocument(path: string): Promise<unknown> {
  const { status, json } = await backend.call('GET', path);
  expect(status).toBe(200);
  return json();
}

/** Generates a document's types with openapi-typescript into `<name>.ts`. */
async function generate(name: string, document: unknown): Promise<void> {
  const file = join(folder.path, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  await run(join(THIRD_PARTY, 'node_modules/.bin/openapi-typescript'), [file, '-o', join(folder.path, `${name}.ts`)]);
}
