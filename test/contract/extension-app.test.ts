import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, cp, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { startFolder } from '@repoless/sandbox/web.ts';
import { Build, makeExtensionApp, readManifest } from '../support/extension-app.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { extensionPolicy } from '@repoless/contract/extension.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

let app: string;
let web: string;
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  app = join(folder.path, 'app');
  web = await makeExtensionApp(app, '--service', 'https://config.example.com/');
});

const Loaded = z.record(
  z.string(),
  z.object({
    app: z.object({ name: z.string(), version: z.string(), hasFrontend: z.boolean(), hasBackend: z.boolean() }),
    operations: z.object({ view: z.tuple([z.object({ type: z.string(), impl: z.string() })]) }),
    web: z.object({ src: z.string(), distProd: z.string(), distDev: z.string() }),
    hooks: z.object({ 'build-static': z.string() }),
  }),
);

it('App Builder’s own loader reads it, and its hook copies the files unchanged to where they are deployed from', async () => {
  const manifest = await readManifest();
  // The configuration that `aio app build` reads (with a package of the vendor), in the application’s folder and without the user’s settings.
  const load = `createRequire(${JSON.stringify(join(ROOT, 'test/third-party/package.json'))})('@adobe/aio-cli-lib-app-config').load()`;
  const script = `import { createRequire } from 'node:module'; ${load}.then(({ all }) => console.log(JSON.stringify(all)))`;
  const env = { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: app, env });
  const all = Loaded.parse(JSON.parse(stdout));
  expect(Object.keys(all)).toEqual([manifest.extensionPoint]);
  const loaded = all[manifest.extensionPoint];
  expect(loaded).toMatchObject({
    app: { name: manifest.id, version: manifest.version, hasFrontend: true, hasBackend: false },
    operations: { view: [{ type: 'web', impl: 'index.html' }] },
    web: { src: web },
  });
  const [program = '', ...parameters] = loaded?.hooks['build-static'].split(' ') ?? [];
  expect(program).toBe('node');
  await run(process.execPath, parameters, { cwd: app });
  for (const directory of [loaded?.web.distProd, loaded?.web.distDev])
    expect(await contentOf(directory ?? '')).toEqual(await contentOf(web));
});

it('names only existing files', async () => {
  const { extensionPoint } = await readManifest();
  const { extensions } = z
    .object({ extensions: z.record(z.string(), z.object({ $include: z.string() })) })
    .parse(await yaml('app.config.yaml'));
  expect(Object.keys(extensions)).toEqual([extensionPoint]);
  const included = extensions[extensionPoint]?.$include ?? '';
  const { operations, hooks } = z
    .object({ operations: z.object({ view: z.array(z.object({ impl: z.string() })) }), hooks: z.record(z.string(), z.string()) })
    .parse(await yaml(included));
  const named = [
    ...operations.view.map(({ impl }) => join(web, impl)),
    ...Object.values(hooks)
      .flatMap(filesOf)
      .map((file) => join(app, file)),
  ];
  expect(named.length).toBeGreaterThan(1);
  for (const file of named) expect((await stat(file)).isDirectory() || (await stat(file)).size > 0).toBe(true);
  expect(JSON.parse(await readFile(join(web, 'settings.json'), 'utf8'))).toEqual({ service: 'https://config.example.com' });
});

it('has the version and hash of its content', async () => {
  const { id, version, extensionPoint } = await readManifest();
  const build = await buildOf(web);
  expect(build).toMatchObject({ id, version, extensionPoint });
  const content = await contentOf(web);
  delete content['build.json'];
  expect(build.files).toEqual(content);
  const lines = Object.entries(content).map(([path, hash]) => `${hash}  ${path}\n`);
  expect(build.hash).toBe(sha256(lines.join('')));

  const built = join(ROOT, 'extension/dist/web');
  const [same, changed] = [join(folder.path, 'same'), join(folder.path, 'changed')];
  const again = await makeExtensionApp(join(folder.path, 'again'), '--service', 'https://config.example.com');
  expect(await contentOf(join(folder.path, 'again'))).toEqual(await contentOf(app, 'dist/'));
  expect((await buildOf(again)).hash).toBe(build.hash);
  await cp(built, changed, { recursive: true });
  await appendFile(join(changed, 'index.html'), '\n');
  const other = await buildOf(await makeExtensionApp(same, '--web', changed, '--service', 'https://config.example.com'));
  expect(other.hash).not.toBe(build.hash);
  const differing = Object.keys(other.files).filter((file) => other.files[file] !== build.files[file]);
  expect(differing).toEqual(['index.html']);
});

it('serves index.html and each file in build.json from a static host', async () => {
  const { extension: port } = await freePorts();
  const served = await startFolder({ port, folder: web });
  try {
    const address = `http://localhost:${port}/`;
    const index = await fetch(address);
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const scripts = [...(await index.text()).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file = '']) => file);
    const { files } = await buildOf(web);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((file) => !(file in files))).toEqual([]);
    for (const [file, hash] of Object.entries(files)) {
      const answer = await fetch(new URL(file, address));
      expect([file, answer.status, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([file, 200, hash]);
    }
  } finally {
    await served.stop();
  }
});

it.each([
  ['config.example.com', 'is not a valid address'],
  ['http://config.example.com', 'must start with https://'],
  ['https://config.example.com/?a=b', 'no query'],
])('refuses %s as the service’s address with a message', async (service, sentence) => {
  const refused = await makeExtensionApp(join(folder.path, 'refused'), '--service', service).catch(
    (error: unknown) => Failed.parse(error).stderr,
  );
  expect(refused).toContain(sentence);
  expect(refused).not.toContain('    at ');
});

const Failed = z.object({ stderr: z.string() });

async function yaml(file: string): Promise<unknown> {
  return parse(await readFile(join(app, file), 'utf8'));
}

/** The paths in a command: words with a slash. */
function filesOf(command: string): string[] {
  return command.split(' ').filter((word) => word.includes('/') && !word.startsWith('dist/'));
}

async function buildOf(directory: string): Promise<Build> {
  return Build.parse(JSON.parse(await readFile(join(directory, 'build.json'), 'utf8')));
}

/** SHA-256 of each file below a folder, by path, except those below `without`. */
async function contentOf(directory: string, without?: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  const kept = paths.filter((path) => without === undefined || !path.startsWith(without)).toSorted((one, other) => (one < other ? -1 : 1));
  return Object.fromEntries(await Promise.all(kept.map(async (path) => [path, sha256(await readFile(join(directory, path)))])));
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
const info = { protocol: 'https', previewDomain: 'preview.example.com', liveDomain: 'live.example.com' } as const;
const service = 'https://config.example.com';

test('names each address by its origin, and forbids embedding if no host is given', () => {
  const policy = extensionPolicy({
    service: `${service}/behind/a/path`,
    info: { ...info, buildManagement: 'https://git.example.com/x' },
    hosts: [],
  });
  expect(policy).toContain(
    "; connect-src 'self' https://config.example.com https://*.preview.example.com https://*.live.example.com https://git.example.com; frame-src https://*.preview.example.com;",
  );
  expect(policy).toMatch(/; frame-ancestors 'none'$/);
});

test('is the policy in the operations page', async () => {
  const hosts = ['https://experience.adobe.com', 'https://author-p100-e200.example.com'];
  const policy = extensionPolicy({ service, info, hosts });
  expect(await readFile('docs/operations.md', 'utf8')).toContain(`\ncontent-security-policy: ${policy}\n`);
});
