import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { ask, type TestRequest } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { startOrganizations } from '../support/code-host.ts';
import { Build } from '../support/extension-app.ts';
import { freePort } from '../support/free-port.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { tokenOf } from '../support/token-of.ts';
import { unpackPackages } from '../support/unpack-packages.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const ADDRESSES = ['--extension', 'https://extension.example.com', '--org', 'wknd', '--service', 'https://config.example.com'];
const SERVICE = ['contract', 'core', 'upstream', 'command-line', 'service'];
const PACKAGES = [...SERVICE, 'extension'];
const run = promisify(execFile);

/** The copy that the dry run left, with additions by this file. */
let copy: string;
let release: string;
let output: string;
let version: string;
let services: ChildBackend[] = [];
beforeAll(async () => {
  ({ stdout: output } = await run(process.execPath, [join(ROOT, 'packaging/release.mjs'), '--dry-run', ...ADDRESSES], { cwd: ROOT }));
  release = / is in (\S+)\. /.exec(output)?.[1] ?? '';
  copy = join(release, '../..');
  ({ version } = await versioned(copy));
}, 240_000);
afterAll(async () => {
  for (const { child, ended } of services) {
    child.kill('SIGKILL');
    await ended;
  }
  await rm(copy, { recursive: true, force: true });
});

it('builds every file of a release from a tag, with checksums, a bill of materials and what a user gets', async () => {
  const files = [
    'CHANGELOG.md',
    'SHA256SUMS',
    `repoless-${version}-source.tar.gz`,
    `repoless-${version}.cdx.json`,
    `repoless-authoring-${version}.zip`,
    `repoless-extension-app-${version}.zip`,
    ...PACKAGES.map((name) => `repoless-${name}-${version}.tgz`),
  ];
  expect((await readdir(release)).toSorted()).toEqual(files.toSorted());
  expect(files.filter((file) => file !== 'SHA256SUMS' && !new RegExp(`^${file}: \\d+ kB$`, 'm').test(output))).toEqual([]);
  const { stdout: verified } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
  expect(verified.match(/: OK$/gm)).toHaveLength(files.length - 1);

  const { metadata, components } = Bill.parse(JSON.parse(await readFile(join(release, `repoless-${version}.cdx.json`), 'utf8')));
  expect(metadata.component).toEqual({ name: 'repoless', version });
  const { devDependencies } = await versioned(copy);
  const listed = components.map(({ purl }) => purl);
  expect(listed).toEqual(expect.arrayContaining(PACKAGES.map((name) => `pkg:npm/%40repoless/${name}@${version}`)));
  for (const name of ['express', 'pg', 'react', 'undici', 'zod']) expect(listed).toContain(`pkg:npm/${name}@${devDependencies?.[name]}`);
  expect(listed.filter((one) => /\/(?:oidc-provider|vitest|typescript)@/.test(one))).toEqual([]);
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);

  const app = unzipSync(await readFile(join(release, `repoless-extension-app-${version}.zip`)));
  const { files: web } = Build.parse(JSON.parse(strFromU8(app['src/universal-editor-ui-1/web-src/build.json'] ?? new Uint8Array())));
  const { stdout: packed } = await run('tar', ['tzf', join(release, `repoless-extension-${version}.tgz`)]);
  const served = [...packed.matchAll(/^package\/dist\/web\/(.+)$/gm)].map(([, file]) => file);
  expect(new Set([...served, 'settings.json'])).toEqual(new Set(Object.keys(web)));
  expect(served).toContain('licenses.md');
  expect(Object.keys(app)).toContain('LICENSE');

  const changes = await readFile(join(release, 'CHANGELOG.md'), 'utf8');
  expect(changes).toMatch(new RegExp(`^# repoless ${version.replaceAll('.', '\\.')}\n`));
  expect(changes).not.toMatch(/Updated dependencies|^- [\da-f]{7}:/m);
  expect((await run('git', ['-C', copy, 'describe', '--exact-match'])).stdout).toBe(`v${version}\n`);
  // The archive contains dates, the changelogs commit hashes; with the same ones another dry run makes the same files.
  const [dated, own] = await Promise.all([copy, ROOT].map((folder) => run('git', ['-C', folder, 'log', '-1', '--format=%cI'])));
  expect(dated?.stdout).toBe(own?.stdout);
  expect((await run('git', ['-C', copy, 'status', '--porcelain'])).stdout).toBe('');
});

it('has the sources of the images in the source archive, with the version in every file that names it', async () => {
  const target = join(copy, 'dist/source');
  await mkdir(target);
  await run('tar', ['xzf', join(release, `repoless-${version}-source.tar.gz`), '--strip-components=1', '-C', target]);
  const text = (file: string) => readFile(join(target, file), 'utf8');
  const copied = [...(await text('deploy/images/Dockerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, all = '']) =>
    all.split(' '),
  );
  expect(copied.length).toBeGreaterThan(9);
  await run('ls', ['-d', ...copied], { cwd: target });
  expect([
    (await versioned(target)).version,
    /"version": "(.+)"/.exec(await text('manifest.json'))?.[1],
    ...[...(await text('deploy/helm/repoless/Chart.yaml')).matchAll(/^(?:version|appVersion): (.+)$/gm)].map(([, found]) => found),
    /'(.+)'/.exec(await text('contract/version.ts'))?.[1],
    ...[...(await text('docs/operations.md')).matchAll(/export VERSION=(\d\S*)/g)].map(([, found]) => found),
  ]).toEqual(Array.from({ length: 7 }, () => version));
});

it('installs the service on a server as the operations page says, with nothing of the project from a registry', async () => {
  const [command = ''] = /^node packaging\/installation\.mjs .+$/m.exec(await readFile(join(copy, 'docs/operations.md'), 'utf8')) ?? [];
  await run('sh', ['-c', command], { cwd: copy, env: { ...process.env, VERSION: version } });
  const target = join(copy, `dist/repoless-${version}`);
  await run('npm', ['install', '--omit=dev', '--package-lock-only', '--offline', '--prefix', target]);
  const { packages } = Lock.parse(JSON.parse(await readFile(join(target, 'package-lock.json'), 'utf8')));
  const resolved = SERVICE.map((name) => packages[`node_modules/@repoless/${name}`]?.resolved);
  expect(resolved).toEqual(SERVICE.map((name) => `file:repoless-${name}-${version}.tgz`));
});

it('releases the next commit as the next version, which migrates the tables and continues with the previous data', async () => {
  const first = await installed(version);
  const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const migration = await addMigration();
  await writeFile(join(copy, '.changeset/next.md'), `---\n'@repoless/service': patch\n---\n\nSomething was mended.\n`);
  await run('git', ['-C', copy, 'add', '--all']);
  await run('git', ['-C', copy, 'commit', '--quiet', '--message', 'Mend something']);
  await run(process.execPath, ['packaging/release.mjs'], { cwd: copy });
  expect(await readFile(join(release, 'CHANGELOG.md'), 'utf8')).toBe(`# repoless ${next}\n\n## Patch Changes\n\n- Something was mended.\n`);
  expect(await readdir(release)).not.toContain(expect.stringContaining('authoring'));
  const second = await installed(next);

  const codeHost = await startOrganizations('wknd');
  for (const settings of [{}, { DATABASE_URL: await (await sharedPostgres()).database() }]) {
    const data = await mkdtemp(join(tmpdir(), 'repoless-upgrade-'));
    const start = (program: string) => startService(program, data, { ...settings, CODE_HOST_API: codeHost.address });
    const before = await start(first);
    expect(await before.version()).toBe(version);
    await before.as(before.token, '/config/wknd.json', { method: 'PUT', body: {} });
    for (const count of [1, 2]) {
      const body = siteBody('wknd', 'kept', { title: `Version ${count}`, public: publicPart('kept') });
      await before.as(before.token, '/config/wknd/sites/kept.json?unchecked=true', { method: 'PUT', body });
    }
    const key = await before.as(before.token, '/config/wknd/apiKeys.json', {
      method: 'POST',
      body: { description: 'Kept', roles: ['admin'] },
    });
    const { value } = CreatedApiKey.parse(key);
    await before.as(before.token, '/config/wknd/sites/kept/versions/1.json', { method: 'POST', body: { name: 'As it began' } });
    const secret = await before.as(before.token, '/config/wknd/sites/kept/secrets.json', { method: 'POST', body: { value: 'sealed' } });
    const preserved = await before.everything(value);
    expect(JSON.stringify(preserved)).toContain('Version 1');
    expect(JSON.stringify(preserved.versions)).toContain('As it began');
    expect(JSON.stringify(preserved)).toContain(z.object({ id: z.string() }).parse(secret).id);
    // Nodes on PostgreSQL are replaced one by one: the previous version runs on the next version's tables.
    if (!('DATABASE_URL' in settings)) await before.stop();
    const after = await start(second);
    expect(await after.version()).toBe(next);
    expect(await after.everything(value)).toEqual(preserved);
    if ('DATABASE_URL' in settings) {
      expect(await before.everything(value)).toEqual(preserved);
      await before.stop();
    }
    await after.stop();

    await expect(start(first)).rejects.toThrow(
      `A newer version has migrated the tables ("${migration}"), and this version cannot use them. Start the newer version, or restore the backup from before it.`,
    );
    const again = await start(second);
    expect(await again.everything(value)).toEqual(preserved);
    await again.stop();
    await rm(data, { recursive: true, force: true });
  }
  await codeHost.stop();
}, 240_000);

/** Adds a migration to the next version, as CONTRIBUTING describes, and a query of its column, to which version names move. Returns its name. */
async function addMigration(): Promise<string> {
  const edit = async (file: string, pattern: RegExp, by: (found: string) => string) => {
    const text = await readFile(join(copy, file), 'utf8');
    expect(text).toMatch(pattern);
    await writeFile(join(copy, file), text.replace(pattern, by));
  };
  let name = '';
  await edit('backend/db/schema.ts', /^ {4}'(\d{4})-.+\n(?= {2}\};)/m, (last) => {
    name = `${String(Number(last.trim().slice(1, 5)) + 1).padStart(4, '0')}-labels`;
    return `${last}    '${name}': ['alter table versions add column label text', 'update versions set label = name'],\n`;
  });
  await edit('backend/history/history-queries.ts', /version, created, name,/, (columns) => columns.replace('name', 'label as name'));
  return name;
}

/** Unpacks the service of a released version. Returns the path of its program. */
async function installed(released: string): Promise<string> {
  const target = await mkdtemp(join(copy, 'dist/installed-'));
  await unpackPackages(
    target,
    SERVICE.map((name) => join(release, `repoless-${name}-${released}.tgz`)),
  );
  return join(target, 'node_modules/@repoless/service/dist/main.js');
}

async function startService(program: string, data: string, settings: Readonly<Record<string, string>>) {
  const issuer = 'http://service.example.com';
  const port = await freePort();
  const fixed = {
    PORT: String(port),
    PUBLIC_ADDRESS: issuer,
    INTERNAL_ADDRESSES: 'allow',
    OPERATORS: OPERATOR,
    LIVE_DOMAIN: 'live.example.com',
  };
  const service = await startChildBackend(data, { ...fixed, ...settings }, { program });
  services.push(service);
  const token = await tokenOf(data, issuer);
  const get = (path: string, request: TestRequest = {}) =>
    ask(`http://127.0.0.1:${port}`, path, { host: 'service.example.com', ...request });
  const as = async (credential: string, path: string, request: TestRequest = {}): Promise<unknown> => {
    const answer = await get(path, { ...request, headers: { 'x-auth-token': credential } });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json();
  };
  return {
    token,
    as,
    version: async () => z.object({ version: z.string() }).parse((await get('/service.json')).json()).version,
    /** What an API key can read: the site, its history, the audit trail, and what visitors get. */
    everything: async (key: string) => ({
      site: await as(key, '/config/wknd/sites/kept.json'),
      versions: await as(key, '/config/wknd/sites/kept/versions.json'),
      earlier: await as(key, '/config/wknd/sites/kept/versions/1.json'),
      secrets: await as(key, '/config/wknd/sites/kept/secrets.json'),
      log: await as(key, '/config/wknd/log/verification.json'),
      served: (await get('/config.json', { host: 'main--kept--wknd.live.example.com' })).json(),
    }),
    async stop() {
      service.child.kill('SIGTERM');
      expect(await service.ended).toMatchObject({ code: 0 });
      services = services.filter((one) => one !== service);
    },
  };
}

const Versioned = z.object({ version: z.string(), devDependencies: z.record(z.string(), z.string()).optional() });
async function versioned(target: string): Promise<z.infer<typeof Versioned>> {
  return Versioned.parse(JSON.parse(await readFile(join(target, 'package.json'), 'utf8')));
}

const Bill = z.object({
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(z.object({ purl: z.string(), hashes: z.array(z.unknown()).default([]) })),
});

const Lock = z.object({ packages: z.record(z.string(), z.object({ resolved: z.string().optional() })) });
