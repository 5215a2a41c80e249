import { aliasesDocument, buildManagementDocument } from '@repoless/service/http/openapi.ts';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../../support/backend.ts';
import { CACHE, installPython } from '../python-environment.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const GENERATOR = '7.25.0';
/** The generator's default HTTP library. */
const LIBRARY = 'okhttp-gson';
const MAVEN = ['-B', '-ntp'];
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';

/** The documents, as JSON, in a folder: `service.json`, and so on. */
interface Documents {
  readonly folder: string;
  readonly names: readonly string[];
}

/** Unexpected warnings of a generator, by document. */
type Warnings = Readonly<Record<string, readonly string[]>>;

interface Generated {
  readonly warnings: Warnings;
  /** Runs a program with the clients. Takes address, token, and the site that it may create. Returns its output. */
  use(...given: string[]): Promise<unknown>;
}

const FOLDER = new URL('.', import.meta.url).pathname;
const run = (program: string, parameters: readonly string[], cwd = FOLDER, env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(program, parameters, { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });

/** Clients by openapi-python-client. */
async function byOpenApiPythonClient({ folder, names }: Documents): Promise<Generated> {
  const programs = await pythonPrograms();
  const out = join(folder, 'openapi-python-client');
  await mkdir(out);
  const warnings: Record<string, string[]> = {};
  for (const name of names) {
    const options = ['generate', '--path', join(folder, `${name}.json`), '--output-path', join(out, moduleOf(name)), '--meta', 'none'];
    const { stdout, stderr } = await run(join(programs, 'openapi-python-client'), options, out, {
      PATH: `${programs}${delimiter}${process.env['PATH']}`,
    });
    warnings[name] = `${stdout}${stderr}`.split('\n').filter((line) => /^(?:WARNING|ERROR)\b/.test(line));
  }
  return { warnings, use: inPython(programs, out, 'with_openapi_python_client.py') };
}

/** Clients for Python by openapi-generator. */
async function byOpenApiGeneratorForPython(documents: Documents): Promise<Generated> {
  const programs = await pythonPrograms();
  const out = join(documents.folder, 'openapi-generator-python');
  const warnings = await generate('python', documents, (name) => [join(out, name), `packageName=${moduleOf(name)}`]);
  const packages = documents.names.map((name) => join(out, name)).join(delimiter);
  return { warnings, use: inPython(programs, packages, 'with_openapi_generator.py') };
}

/** Clients for Java by openapi-generator, compiled. */
async function byOpenApiGeneratorForJava(documents: Documents): Promise<Generated> {
  const out = join(documents.folder, 'openapi-generator-java');
  const warnings = await generate('java', documents, (name) => {
    const root = name.replaceAll('-', '');
    return [join(out, name), `library=${LIBRARY},invokerPackage=${root},apiPackage=${root}.api,modelPackage=${root}.model`];
  });
  const [first = ''] = documents.names;
  const libraries = join(await fetchLibraries(join(out, first)), '*');
  // Aliases have the same types, and compiling takes long.
  const names = documents.names.filter((name) => name !== 'aliases');
  const sources = await Promise.all(names.map((name) => javaIn(join(out, name, 'src/main/java'))));
  const compiled = join(out, 'compiled');
  await writeFile(join(out, 'sources'), [...sources.flat(), join(FOLDER, 'WithOpenApiGenerator.java')].join('\n'));
  await run('javac', ['-nowarn', '-proc:none', '-cp', libraries, '-d', compiled, `@${join(out, 'sources')}`]);
  const classPath = `${compiled}${delimiter}${libraries}`;
  return {
    warnings,
    use: async (...given) => JSON.parse((await run('java', ['-cp', classPath, 'WithOpenApiGenerator', ...given])).stdout),
  };
}

async function pythonPrograms(): Promise<string> {
  return installPython('clients', new URL('requirements.txt', import.meta.url));
}

function inPython(programs: string, path: string, script: string): Generated['use'] {
  return async (...given) => {
    const { stdout } = await run(join(programs, 'python'), [join(FOLDER, script), ...given], FOLDER, {
      PYTHONPATH: path,
      PYTHONDONTWRITEBYTECODE: '1',
    });
    return JSON.parse(stdout);
  };
}

/** Warnings of openapi-generator for any document, and about names adapted to a language. */
const ALWAYS = [
  'OpenAPI 3.1 support is still in beta',
  // For every unnamed string schema in a document of version 3.1.
  'Failed to get the schema name: null',
  '(reserved word) cannot be used as model name',
  'Ignoring complex example on request body',
];

/** Generates a client for each document into its folder, with properties of the generator. */
async function generate(
  language: string,
  { folder, names }: Documents,
  outputOf: (name: string) => readonly [string, string],
): Promise<Warnings> {
  const jar = await fetchGenerator();
  const warnings: Record<string, string[]> = {};
  for (const name of names) {
    const [out, properties] = outputOf(name);
    const document = ['-i', join(folder, `${name}.json`), '-o', out];
    const options = ['-jar', jar, 'generate', '-g', language, ...document, `--additional-properties=${properties}`];
    const { stdout, stderr } = await run('java', options, folder);
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => /\b(?:WARN|ERROR)\b/.test(line));
    warnings[name] = lines.filter((line) => !ALWAYS.some((one) => line.includes(one)));
  }
  return warnings;
}

/** The name of a Python module. */
function moduleOf(name: string): string {
  return name.replaceAll('-', '_');
}

/** Downloads the generator from Maven Central, once. Returns its file. */
async function fetchGenerator(): Promise<string> {
  const folder = join(CACHE, `openapi-generator-${GENERATOR}`);
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`;
  await once(folder, (output) => run('mvn', [...MAVEN, `${PLUGIN}:copy`, artifact, `-DoutputDirectory=${output}`]));
  return join(folder, `openapi-generator-cli-${GENERATOR}.jar`);
}

/** Downloads what a generated client needs, by its own list. Returns the folder. */
async function fetchLibraries(client: string): Promise<string> {
  const folder = join(CACHE, `openapi-generator-${GENERATOR}-${LIBRARY}`);
  const options = ['-DincludeScope=compile', '-f', join(client, 'pom.xml')];
  await once(folder, (output) => run('mvn', [...MAVEN, `${PLUGIN}:copy-dependencies`, ...options, `-DoutputDirectory=${output}`]));
  return folder;
}

/** Creates a folder elsewhere first, so that an incomplete one does not count. */
async function once(folder: string, make: (output: string) => Promise<unknown>): Promise<void> {
  if (existsSync(folder)) return;
  const output = `${folder}.new`;
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  await make(output);
  await rename(output, folder);
}

async function javaIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.java')).map((name) => join(folder, name));
}

/** Milliseconds. Including downloads, the goal is five minutes for everything on two free cores. */
const TIMEOUT = 540_000;
const at = ['http://localhost:4000', '1.0.0'] as const;

const hasPython = runs('python3', '-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))');
const hasJava = runs('javac', '-version') && runs('mvn', '-version');
if (!hasPython) console.log('Python 3.11 with venv is not installed: clients for Python are left out.');
if (!hasJava) console.log('A JDK and Maven are not installed: clients by openapi-generator are left out.');

let documents: Documents;
const backend = startBeforeAll(startTestBackend);
beforeAll(async () => {
  const output = {
    service: (await backend.call('GET', '/openapi.json')).json(),
    'dry-run': (await backend.call('GET', '/openapi-dry-run.json')).json(),
    aliases: aliasesDocument(...at),
    'build-management': buildManagementDocument(...at),
  };
  documents = { folder: await mkdtemp(join(tmpdir(), 'repoless-clients-')), names: Object.keys(output) };
  for (const [name, document] of Object.entries(output)) await writeFile(join(documents.folder, `${name}.json`), JSON.stringify(document));
});
afterAll(() => rm(documents.folder, { recursive: true, force: true }));

const NOTHING: Warnings = { service: [], 'dry-run': [], aliases: [], 'build-management': [] };
const yamlAt = (site: string) =>
  ['query', 'sitemap'].flatMap((name) =>
    ['PUT', 'POST'].map((method) => `${method} ${site}/${name}.yaml within sites. Endpoint will not be generated.`),
  );
const parsing = (...calls: string[]) => calls.map((call) => `WARNING parsing ${call}`);

const generators: { name: string; isAvailable: boolean; generate(documents: Documents): Promise<Generated>; warnings: Warnings }[] = [
  {
    name: 'openapi-python-client',
    isAvailable: hasPython,
    generate: byOpenApiPythonClient,
    // It does not support plain text bodies.
    warnings: {
      service: parsing(...yamlAt('/config/{org}/sites/{site}/content')),
      'dry-run': parsing(...yamlAt('/config/{org}/sites/{site}/content')),
      aliases: parsing(...yamlAt('/{org}/sites/{site}/config/content'), ...yamlAt('/{org}/sites/{site}/config')),
      'build-management': [],
    },
  },
  { name: 'openapi-generator for Python', isAvailable: hasPython && hasJava, generate: byOpenApiGeneratorForPython, warnings: NOTHING },
  { name: 'openapi-generator for Java', isAvailable: hasJava, generate: byOpenApiGeneratorForJava, warnings: NOTHING },
];

for (const { name, generate, warnings } of generators.filter(({ isAvailable }) => isAvailable)) {
  describe(`clients by ${name}`, () => {
    let generated: Generated;
    beforeAll(async () => {
      generated = await generate(documents);
    }, TIMEOUT);

    it('omit only what the generator does not support', () => {
      const sorted = (given: Warnings) =>
        Object.fromEntries(Object.entries(given).map(([document, lines]) => [document, lines.toSorted()]));
      expect(sorted(generated.warnings)).toEqual(sorted(warnings));
    });

    it('create, read, dry-run, change and remove a site, and decode an error response', async () => {
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
