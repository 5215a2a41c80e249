import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChildBackend } from '../support/child-backend.ts';
import type { ChildBackend } from '../support/child-backend.ts';

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

it('installed by itself, the service starts without React, and the client compiles and calls it', async () => {
  const place = await installed('contract', 'service');
  const { dependencies, bin } = await described(join(place, 'node_modules/@repoless/service'));
  expect(Object.keys(dependencies).filter((name) => /react|spectrum|uix|oidc-provider|vite/.test(name))).toEqual([]);
  service = await startChildBackend(
    place,
    {},
    {
      program: join(place, 'node_modules/@repoless/service', bin['repoless-service'] ?? ''),
    },
  );

  const other = await installed('contract', 'client');
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

it('installed by itself, the command line says what it can do', async () => {
  const place = await installed('contract', 'command-line');
  const { bin } = await described(join(place, 'node_modules/@repoless/command-line'));
  const { stdout } = await run(process.execPath, [join(place, 'node_modules/@repoless/command-line', bin['repoless'] ?? ''), '--help']);
  expect(stdout).toContain('Usage: repoless <command>');
}, 120_000);

/** A program of somebody else; a field that the table does not have would not compile. */
const USE = `
import { createClient } from '@repoless/client';
import { endpoints } from '@repoless/contract/endpoints.js';

const client = createClient({ service: process.argv[2] ?? '', token: async () => undefined });
const described = await client.call(endpoints.getService, { params: {} });
const version: string = described.ok ? described.value.version : described.failure.kind;
const sites = await client.call(endpoints.listSites, { params: { org: 'wknd' } });
const refused = sites.ok ? sites.value.sites.map(({ name }): string => name) : sites.failure.status;
console.log(JSON.stringify({ version, refused }));
declare const process: { argv: string[] };
`;

/** Unpacks packages into an empty folder; they find there what they declare, and nothing else. Out: the folder. */
async function installed(...names: readonly string[]): Promise<string> {
  const place = await mkdtemp(join(folder, 'place-'));
  for (const name of names) {
    const own = join(place, 'node_modules/@repoless', name);
    await mkdir(own, { recursive: true });
    const { version, dependencies } = await described(join(folder, 'packed', name));
    await run('tar', ['xzf', join(folder, 'packed', `repoless-${name}-${version}.tgz`), '--strip-components=1', '-C', own]);
    for (const dependency of Object.keys(dependencies).filter((one) => !one.startsWith('@repoless/'))) {
      const link = join(place, 'node_modules', dependency);
      await mkdir(dirname(link), { recursive: true });
      await symlink(await realpath(join(ROOT, 'node_modules', dependency)), link).catch(ignoreExisting);
    }
  }
  return place;
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

interface Described {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

async function described(place: string): Promise<Described> {
  return JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Described;
}
