import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliasesDocument, buildManagementDocument } from '@repoless/service/http/openapi.ts';
import { OPERATOR, startTestBackend } from '../../support/backend.ts';
import type { TestBackend } from '../../support/backend.ts';
import { byOpenApiGeneratorForJava, byOpenApiGeneratorForPython, byOpenApiPythonClient } from './generators.ts';
import type { Documents, Generated, Warnings } from './generators.ts';

/** Milliseconds: what is fetched included, five minutes are the aim for all on two free cores. */
const PATIENCE = 540_000;
const at = ['http://localhost:4000', '1.0.0'] as const;

const hasPython = runs('python3', '-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))');
const hasJava = runs('javac', '-version') && runs('mvn', '-version');
if (!hasPython) console.log('Python 3.11 with venv is not installed: clients for Python are left out.');
if (!hasJava) console.log('A JDK and Maven are not installed: clients by openapi-generator are left out.');

let backend: TestBackend;
let documents: Documents;
beforeAll(async () => {
  backend = await startTestBackend();
  const made = {
    service: (await backend.call('GET', '/openapi.json')).json(),
    'dry-run': (await backend.call('GET', '/openapi-dry-run.json')).json(),
    aliases: aliasesDocument(...at),
    'build-management': buildManagementDocument(...at),
  };
  documents = { folder: await mkdtemp(join(tmpdir(), 'repoless-clients-')), names: Object.keys(made) };
  for (const [name, document] of Object.entries(made)) await writeFile(join(documents.folder, `${name}.json`), JSON.stringify(document));
});
afterAll(async () => {
  await backend.stop();
  await rm(documents.folder, { recursive: true, force: true });
});

const NOTHING: Warnings = { service: [], 'dry-run': [], aliases: [], 'build-management': [] };
const yamlAt = (site: string) =>
  ['query', 'sitemap'].flatMap((name) =>
    ['PUT', 'POST'].map((method) => `${method} ${site}/${name}.yaml within sites. Endpoint will not be generated.`),
  );
const parsing = (...calls: string[]) => calls.map((call) => `WARNING parsing ${call}`);

const generators: { name: string; isThere: boolean; generate(documents: Documents): Promise<Generated>; warnings: Warnings }[] = [
  {
    name: 'openapi-python-client',
    isThere: hasPython,
    generate: byOpenApiPythonClient,
    // It knows no bodies of plain text.
    warnings: {
      service: parsing(...yamlAt('/config/{org}/sites/{site}/content')),
      'dry-run': parsing(...yamlAt('/config/{org}/sites/{site}/content')),
      aliases: parsing(...yamlAt('/{org}/sites/{site}/config/content'), ...yamlAt('/{org}/sites/{site}/config')),
      'build-management': [],
    },
  },
  { name: 'openapi-generator for Python', isThere: hasPython && hasJava, generate: byOpenApiGeneratorForPython, warnings: NOTHING },
  { name: 'openapi-generator for Java', isThere: hasJava, generate: byOpenApiGeneratorForJava, warnings: NOTHING },
];

for (const { name, generate, warnings } of generators.filter(({ isThere }) => isThere)) {
  describe(`clients by ${name}`, () => {
    let generated: Generated;
    beforeAll(async () => {
      generated = await generate(documents);
    }, PATIENCE);

    it('are generated whole: what is left out, the generator does not know', () => {
      const sorted = (given: Warnings) =>
        Object.fromEntries(Object.entries(given).map(([document, lines]) => [document, lines.toSorted()]));
      expect(sorted(generated.warnings)).toEqual(sorted(warnings));
    });

    it('make, read, try, change and remove a site, and read what is refused', async () => {
      const used = await generated.use(backend.address, await backend.token(OPERATOR), 'orchard');
      expect(used).toEqual({
        made: 201,
        read: ['orchard', 'wknd', 'markup'],
        tried: [true, 200, ['add /~1**'], false],
        changed: ['x-frame-options: DENY'],
        refused: [404, 404, 'SITE_NOT_FOUND'],
        signedIn: [OPERATOR, 401, ['login_idp', 'login_idp_sa']],
        removed: [204, 404],
      });
    });
  });
}

function runs(program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters, { stdio: 'ignore' }).status === 0;
}
