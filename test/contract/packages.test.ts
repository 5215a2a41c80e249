import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { localesFile } from '../command-line/command.ts';
import { startRepositories } from '../setup/repositories.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { tokenOf } from '../support/token-of.ts';
import { unpackPackages } from '../support/unpack-packages.ts';
import { settingsOf } from '../upstream/hosted-world.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

let folder: string;
let service: ChildBackend | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repoless-packages-'));
  await run(process.execPath, [join(ROOT, 'packaging/main.mjs'), join(folder, 'packed')], { cwd: ROOT });
}, 120_000);
afterAll(async () => {
  service?.child.kill();
  await service?.ended;
  await rm(folder, { recursive: true, force: true });
});

it('installed by itself, the service starts without React and serves assistants, and the client compiles and calls it', async () => {
  const target = await installed('contract', 'core', 'upstream', 'command-line', 'service');
  const { dependencies, bin } = await described(join(target, 'node_modules/@repoless/service'));
  expect(Object.keys(dependencies).filter((name) => /react|spectrum|uix|oidc-provider|vite/.test(name))).toEqual([]);
  const programs = Object.values(bin).map((program) => stat(join(target, 'node_modules/@repoless/service', program)));
  for (const { mode } of await Promise.all(programs)) expect(mode & 0o111).toBe(0o111);
  service = await startChildBackend(
    target,
    {},
    {
      program: join(target, 'node_modules/@repoless/service', bin['repoless-service'] ?? ''),
    },
  );

  const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(target, service.address)}` };
  const tools = await fetch(`${service.address}/mcp`, { method: 'POST', headers, body: listing });
  expect([tools.status, await tools.text()]).toEqual([200, expect.stringContaining('"apply_plan"')]);

  const other = await installed('contract', 'core');
  await writeFile(join(other, 'package.json'), '{ "type": "module" }');
  await writeFile(join(other, 'use.ts'), USE);
  const settings = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--types', ''];
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), [...settings, 'use.ts'], { cwd: other }).catch((error: unknown) =>
    Object(error),
  );
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, ['use.js', service.address], { cwd: other });
  const { version } = await described(ROOT);
  expect(JSON.parse(stdout)).toEqual({ version, refused: 401 });
}, 120_000);

it('installed with npm into an empty folder, the command line plans against a running service', async () => {
  const target = await installedByNpm();
  const npm = (...args: readonly string[]) => run('npm', args, { cwd: target });
  expect((await npm('exec', '--offline', '--', 'repoless', '--help')).stdout).toContain('Usage: repoless [options] [command]');
  // The dependencies of assistants are not installed with it.
  await expect(npm('exec', '--offline', '--', 'repoless', 'mcp')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm install @modelcontextprotocol/sdk'),
  });

  const codeHost = await startRepositories();
  const CODE_HOST = codeHost.address;
  const settings = { CODE_HOST, CODE_HOST_API: `${CODE_HOST}/api`, CODE_HOST_RAW: `${CODE_HOST}/raw` };
  const backend = await startTestBackend({ settings });
  await writeFile(join(target, 'sites.yaml'), localesFile(backend.address, 'packed', 2));
  const env = { ...process.env, REPOLESS_TOKEN: await backend.token(OPERATOR), REPOLESS_SERVICE: backend.address };
  const plan = run('npx', ['--offline', 'repoless', 'plan', '-f', 'sites.yaml'], { cwd: target, env });
  const planned = await plan.catch((error: unknown) => Object(error));
  await backend.stop();
  await codeHost.stop();
  expect(planned).toMatchObject({ code: 3, stdout: expect.stringMatching(/^2 to create, 0 to change, 0 in sync\.$/m) });
}, 180_000);

it('installed with npm, the command line sets up a site on the hosted service without a server, and undoes a change', async () => {
  const target = await installedByNpm();
  const files = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
  const codeFiles = { 'wknd/wknd': Object.fromEntries(files.map((name) => [`/${name}`, '{}'])) };
  const hosted = await startHosted({ switches: { codeFiles, requestsPerSecond: 0 } });
  const env = { ...process.env, ...settingsOf(hosted), REPOLESS_TOKEN: hosted.token('session', { email: EXAMPLE.admin }) };
  const transcript: string[] = [];
  const repoless = async (line: string) => {
    const done = run('npx', ['--offline', 'repoless', ...line.split(' ')], { cwd: target, env });
    const { code = 0, stdout, stderr } = await done.catch((error: unknown) => Object(error));
    transcript.push(`$ npx repoless ${line}`, String(stdout), String(stderr));
    return Number(code);
  };
  const codes = [
    await repoless('doctor --organization wknd --site neighbours'),
    await repoless('export --organization wknd -o sites.yaml'),
  ];
  const file = join(target, 'sites.yaml');
  await writeFile(file, `${await readFile(file, 'utf8')}  - name: wknd-ch-de\n    contentRoot: /content/wknd/ch/de\n`);
  for (const line of ['plan -f sites.yaml', 'apply -f sites.yaml', 'plan -f sites.yaml']) codes.push(await repoless(line));
  codes.push(await repoless('check -f sites.yaml'));
  hosted.change('POST', '/config/wknd/sites/wknd-ch-de/folders.json', { '/a': '/b' });
  for (const command of ['undo', 'history']) codes.push(await repoless(`${command} --organization wknd --site wknd-ch-de`));
  const { violations } = hosted;
  await hosted.close();
  // The check reports that the home pages of the stand-in's sites are not published.
  expect(codes, transcript.join('\n')).toEqual([0, 0, 3, 0, 0, 3, 0, 0]);
  expect(violations).toEqual([]);
}, 180_000);

/** An empty folder into which npm installed the command line from its packages. Offline: dependencies are packed from those installed here. */
async function installedByNpm(): Promise<string> {
  const target = await mkdtemp(join(folder, 'empty-'));
  const own = await Promise.all(['contract', 'core', 'upstream', 'command-line'].map(packageOf));
  const needed = new Set(own.flatMap(({ dependencies }) => Object.keys(dependencies)).filter((name) => !name.startsWith('@repoless/')));
  const modules = await Promise.all([...needed].map((name) => realpath(join(ROOT, 'node_modules', name))));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...modules], { cwd: target });
  const packed = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  const quiet = ['--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...own.map(({ file }) => file), ...packed], { cwd: target });
  return target;
}

/** A third party's program, which would not compile with a field that the table lacks. */
const USE = `
import { createClient } from '@repoless/core/api/client.js';
import { endpoints } from '@repoless/contract/endpoints.js';

const client = createClient({ service: process.argv[2] ?? '', token: async () => undefined });
const described = await client.call(endpoints.getService, { params: {} });
const version: string = described.ok ? described.value.version : described.failure.kind;
const sites = await client.call(endpoints.listSites, { params: { org: 'wknd' } });
const refused = sites.ok ? sites.value.sites.map(({ name }): string => name) : sites.failure.status;
console.log(JSON.stringify({ version, refused }));
declare const process: { argv: string[] };
`;

/** Unpacks packages into an empty folder, where they find only their declared dependencies. Returns the folder. */
async function installed(...names: readonly string[]): Promise<string> {
  const target = await mkdtemp(join(folder, 'place-'));
  await unpackPackages(target, await Promise.all(names.map(async (name) => (await packageOf(name)).file)));
  return target;
}

/** A packed package. */
async function packageOf(name: string): Promise<Described & { readonly file: string }> {
  const found = await described(join(ROOT, name === 'service' ? 'backend' : name));
  return { ...found, file: join(folder, 'packed', `repoless-${name}-${found.version}.tgz`) };
}

interface Described {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

async function described(target: string): Promise<Described> {
  return JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Described;
}
