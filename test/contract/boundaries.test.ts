import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A line that is planted in a module. */
interface Plant {
  readonly from: string;
  readonly line: string;
  /** Of its file; `ts` unless it says otherwise. */
  readonly kind?: 'ts' | 'tsx';
}

/** The boundaries between the modules are project references: the compiler knows nothing beyond them. */
describe('the compiler', { timeout: 60_000 }, () => {
  const CONTRACT = "export type { ErrorCode } from '#contract/errors.ts';";
  const CALLER = "export type { Caller } from '#backend/domain/caller.ts';";
  const REFUSED = [
    { from: 'contract', to: 'backend/domain', line: CALLER },
    { from: 'backend/domain', to: 'backend/storage', line: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/code', to: 'backend/storage', line: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/git', to: 'backend/domain', line: CALLER },
    { from: 'backend/metrics', to: 'backend/domain', line: CALLER },
    { from: 'backend/tracing', to: 'backend/domain', line: CALLER },
    { from: 'backend/domain', to: 'backend/tracing', line: "export type { Tracing } from '#backend/tracing/tracing.ts';" },
    { from: 'backend/events', to: 'backend/remote', line: "export * from '#backend/remote/remote.ts';" },
    { from: 'backend/object-storage', to: 'backend/storage', line: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/checks', to: 'backend/storage', line: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/checks', to: 'extension/api', line: "export type { Client } from '#extension/api/client.ts';" },
    { from: 'backend/mcp', to: 'backend/storage', line: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/domain', to: 'extension/setup', line: "export type { Plan } from '#extension/setup/plan.ts';" },
    { from: 'contract', to: 'legacy', line: "export type { LegacyPlace } from '#legacy/project-file.ts';" },
    { from: 'extension/setup', to: 'backend/domain', line: CALLER },
    { from: 'extension/setup', to: 'extension/api', line: "export type { Client } from '#extension/api/client.ts';" },
    { from: 'extension/command-line', to: 'backend/domain', line: CALLER },
    { from: 'extension/command-line', to: 'extension/views', line: "export * from '#extension/routes.ts';" },
    { from: 'backend/http', to: 'backend/build-management', line: "export * from '#backend/build-management/context.ts';" },
    { from: 'sandbox', to: 'backend/domain', line: CALLER },
    { from: 'packaging/authoring', to: 'extension', line: "export * from '#extension/routes.ts';" },
  ];
  const ALLOWED = ['backend/domain', 'extension/setup', 'sandbox'].map((from) => ({ from, line: CONTRACT }));
  let refused: Compiled;
  let allowed: Compiled;
  beforeAll(async () => {
    refused = await compile(REFUSED);
    allowed = await compile(ALLOWED);
  });

  test.each(REFUSED)('refuses $from → $to', (plant) => {
    expect(refused.said(plant)).toMatch(/TS6307/);
    expect(refused.code).not.toBe(0);
  });

  test.each(ALLOWED)('lets $from know the contract', () => {
    expect([allowed.code, allowed.output]).toEqual([0, '']);
  });
});

/** Each module has a list of the packages and modules that it may know; the linter refuses everything else. */
describe('the linter', { timeout: 60_000 }, () => {
  const REFUSED = [
    { from: 'contract', what: ['node:fs/promises', 'react', 'yaml', '#legacy/project-file.ts', '#backend/domain/caller.ts'] },
    { from: 'legacy', what: ['node:fs', 'undici', '#backend/domain/caller.ts', '#extension/setup/plan.ts'] },
    { from: 'backend/domain', what: ['express', 'undici', 'pino', 'yaml', 'node:fs', 'node:http', '#backend/storage/open-store.ts'] },
    { from: 'backend/storage', what: ['express', 'undici', 'pino', '@opentelemetry/api', '#backend/http/mount.ts'] },
    {
      from: 'backend/git',
      what: ['undici', 'node:http', '#backend/domain/errors.ts', '#backend/code/snapshot.ts', '#backend/build-management/context.ts'],
    },
    { from: 'backend/object-storage', what: ['undici', 'node:fs', 'node:http', '#backend/code/blob-store.ts', '#backend/storage/row.ts'] },
    { from: 'backend/events', what: ['undici', 'kysely', 'node:http', 'node:net', '#backend/remote/remote.ts', '#backend/storage/row.ts'] },
    {
      from: 'backend/mcp',
      what: ['express', 'undici', 'kysely', 'node:fs', '#backend/storage/row.ts', '#extension/command-line/connect.ts'],
    },
    { from: 'backend/metrics', what: ['express', 'pino', 'node:fs', '#contract/errors.ts', '#backend/domain/errors.ts'] },
    { from: 'backend/tracing', what: ['express', 'pino', 'undici', 'node:fs', '#contract/errors.ts', '#backend/domain/errors.ts'] },
    { from: 'backend/code', what: ['undici', 'kysely', 'node:http', 'node:net', 'node:child_process', '#backend/remote/remote.ts'] },
    { from: 'backend/remote', what: ['better-sqlite3', 'express', '#backend/http/mount.ts', '#backend/storage/row.ts'] },
    { from: 'backend/http', what: ['kysely', 'pg', 'undici', '#backend/storage/row.ts', '#backend/build-management/context.ts'] },
    { from: 'backend/delivery', what: ['express', 'undici', 'kysely', '#backend/http/mount.ts', '#backend/code/snapshot.ts'] },
    { from: 'backend/checks', what: ['undici', 'kysely', 'express', 'node:http', '#backend/storage/row.ts', '#extension/api/client.ts'] },
    { from: 'backend/rollouts', what: ['express', 'undici', 'kysely', 'node:fs', 'node:http', '#backend/storage/row.ts'] },
    { from: 'backend/threads', what: ['express', 'undici', 'node:http', '#backend/domain/errors.ts', '#backend/storage/row.ts'] },
    { from: 'backend/administration', what: ['express', 'undici', 'react', 'node:http', '#backend/http/mount.ts', '#extension/routes.ts'] },
    { from: 'backend/composition', what: ['react', 'undici', 'kysely', '#extension/setup/plan.ts', '#sandbox/start.ts'] },
    { from: 'backend', what: ['react', 'undici', '#extension/setup/plan.ts', '#sandbox/start.ts'] },
    {
      from: 'backend/build-management',
      what: [
        'react',
        '#backend/app.ts',
        '#backend/config.ts',
        '#backend/domain/code/pushes.ts',
        '#backend/code/snapshot.ts',
        '#backend/delivery/deliver.ts',
        '#extension/routes.ts',
      ],
    },
    {
      from: 'extension/setup',
      what: ['zod', 'react', 'node:crypto', '#legacy/project-file.ts', '#extension/api/client.ts', '#backend/domain/caller.ts'],
    },
    { from: 'extension/api', what: ['react', 'node:fs', 'undici', '#extension/authoring/patient-proxy.ts', '#backend/domain/caller.ts'] },
    { from: 'extension/authoring', what: ['@adobe/react-spectrum/Button', 'node:fs', '#extension/views/Panel.tsx'] },
    { from: 'extension/messages', what: ['react', 'zod', '#extension/views/Panel.tsx'] },
    { from: 'extension/command-line', what: ['react', '#extension/views/Panel.tsx', '#backend/main.ts'] },
    { from: 'extension/host', what: ['node:fs', '@adobe/react-spectrum/Button', '#extension/views/Panel.tsx'] },
    { from: 'extension/views', what: ['node:fs', 'node:crypto', 'express', '#backend/main.ts', '#sandbox/start.ts'] },
    { from: 'sandbox', what: ['react', 'undici', '#backend/domain/errors.ts', '#extension/setup/plan.ts'] },
    { from: 'sandbox/console', what: ['node:fs', 'express', '#extension/setup/plan.ts'] },
    { from: 'packaging/authoring', what: ['react', 'zod', 'node:fs', '#extension/routes.ts'] },
  ].map(importing);
  const ALLOWED = [
    { from: 'contract', what: ['zod', '#contract/errors.ts', './names.ts', '../contract/names.ts'] },
    { from: 'legacy', what: ['zod', 'yaml', '#contract/limits.ts'] },
    { from: 'backend/domain', what: ['node:crypto', '#legacy/project-file.ts', '#backend/domain/errors.ts'] },
    { from: 'backend/http', what: ['express', '#backend/domain/errors.ts'] },
    { from: 'backend/storage', what: ['kysely', 'node:fs/promises'] },
    { from: 'backend/remote', what: ['undici'] },
    { from: 'backend/events', what: ['nodemailer', '#backend/domain/errors.ts'] },
    { from: 'backend/metrics', what: ['prom-client', 'node:http'] },
    { from: 'backend/tracing', what: ['@opentelemetry/sdk-trace', 'node:crypto'] },
    { from: 'backend/checks', what: ['node:crypto', '#backend/domain/errors.ts', '#extension/setup/check-site.ts'] },
    { from: 'backend/object-storage', what: ['@aws-sdk/client-s3', '#backend/domain/errors.ts'] },
    { from: 'backend', what: ['pino', 'node:path', '#backend/storage/open-store.ts'] },
    { from: 'extension/views', what: ['react', '@adobe/react-spectrum/Button', '#extension/setup/plan.ts'] },
    { from: 'sandbox/console', what: ['react', '@adobe/uix-core'] },
  ].map(importing);
  const EFFECTS = {
    from: 'backend/domain',
    line: 'export const bad = [fetch, process.env, setTimeout, setInterval, Buffer, Math.random(), globalThis.fetch];\nconsole.log(bad);\n',
  };
  const CARELESS = { from: 'backend/http', line: 'export const bad = (x: any) => x!.y;\nconsole.log(bad);\n' };
  const FRAMED = ['extension/views', 'sandbox/console'].map((from): Plant => ({
    from,
    kind: 'tsx',
    line: `export const bad = [navigator.clipboard, document.execCommand, window.open, globalThis.open, open];
export const Bad = () => <a href="/" target="_blank" rel="noreferrer">bad</a>;`,
  }));
  let said: (plant: Plant) => string;
  beforeAll(async () => {
    said = await lint([...REFUSED, ...ALLOWED, EFFECTS, CARELESS, ...FRAMED]);
  });

  test.each(REFUSED)('refuses in $from: $what', (plant) => {
    for (const name of plant.what) expect(said(plant)).toMatch(new RegExp(`'${name}' import is restricted.*no-restricted-imports`));
  });

  test('has a list for every module', async () => {
    const tops = await Promise.all(['backend', 'extension'].map(modulesIn));
    const planted = new Set(REFUSED.map(({ from }) => from));
    expect(['contract', 'legacy', 'backend', 'sandbox', ...tops.flat()].filter((module) => !planted.has(module))).toEqual([]);
  });

  test.each(ALLOWED)('lets $from have its own: $what', (plant) => {
    // The name that is imported and not used is told of: the file was linted.
    expect(said(plant)).toMatch(/no-unused-vars/);
    expect(said(plant)).not.toMatch(/no-restricted-imports/);
  });

  test('refuses calls, settings, timers, bytes and chance in the domain', () => {
    const report = said(EFFECTS);
    for (const name of ['fetch', 'process', 'setTimeout', 'setInterval', 'Buffer']) expect(report).toContain(`Unexpected use of '${name}'`);
    for (const name of ['Math.random', 'globalThis.fetch']) expect(report).toContain(`'${name}' is restricted`);
    expect(report).toMatch(/no-console/);
  });

  test.each(FRAMED)('refuses in $from what a frame of the host may not do: the clipboard and windows, but for their one place', (plant) => {
    const report = said(plant);
    for (const name of ['navigator.clipboard', 'document.execCommand', 'window.open', 'globalThis.open'])
      expect(report).toContain(`'${name}' is restricted`);
    expect(report).toContain("Unexpected use of 'open'");
    expect(report).toMatch(/forbid-dom-props/);
  });

  test('refuses any, the non-null assertion, and writing to the console in the product', () => {
    const report = said(CARELESS);
    expect(report).toMatch(/no-explicit-any/);
    expect(report).toMatch(/no-non-null-assertion/);
    expect(report).toMatch(/no-console/);
  });
});

/** The folders of a part that hold code. */
async function modulesIn(part: string): Promise<string[]> {
  const entries = await readdir(join(root, part), { withFileTypes: true });
  const folders = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
  const files = await Promise.all(folders.map((name) => readdir(join(root, part, name), { recursive: true })));
  return folders.flatMap((name, index) => (files[index]?.some((file) => /\.tsx?$/.test(file)) === true ? [`${part}/${name}`] : []));
}

function importing<T extends { from: string; what: string[] }>(plant: T): T & Plant {
  return { ...plant, line: plant.what.map((name, index) => `import { one as one${index} } from '${name}';`).join('\n') };
}

const ModuleProject = z.object({ references: z.array(z.object({ path: z.string() })) });

interface Compiled {
  readonly code: number;
  readonly output: string;
  /** What the compiler said of a plant. */
  said(plant: Plant): string;
}

/** Compiles lines at once, each as if it stood in a file of its module: with the module’s settings and references, output aside. */
async function compile(plants: readonly Plant[]): Promise<Compiled> {
  const folder = join(root, 'dist', `planted-${crypto.randomUUID()}`);
  folders.push(folder);
  for (const [index, { from, line }] of plants.entries()) {
    const own = join(folder, String(index));
    await mkdir(own, { recursive: true });
    const project = ModuleProject.parse(JSON.parse(await readFile(join(root, from, 'tsconfig.json'), 'utf8')));
    await writeFile(join(own, 'planted.ts'), `${line}\n`);
    await writeFile(
      join(own, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, from, 'tsconfig.json'),
        compilerOptions: { rootDir: root, outDir: join(own, 'out'), tsBuildInfoFile: join(own, 'out/planted.tsbuildinfo') },
        include: [],
        exclude: [],
        files: ['planted.ts'],
        references: project.references.map(({ path }) => ({ path: resolve(root, from, path) })),
      }),
    );
  }
  const { code, output } = await run('typescript/bin/tsc', ['-b', ...plants.keys()].map(String), folder);
  return { code, output, said: (plant) => linesOf(output, `${plants.indexOf(plant)}/planted.ts`) };
}

/** Lints lines at once, each as if it stood in a file of its module, in a folder that has this project's rules. Out: what is said of one. */
async function lint(plants: readonly Plant[]): Promise<(plant: Plant) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-boundaries-'));
  folders.push(folder);
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const fileOf = (plant: Plant) => join(plant.from, `planted-${plants.indexOf(plant)}.${plant.kind ?? 'ts'}`);
  for (const plant of plants) {
    const file = join(folder, fileOf(plant));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${plant.line}\n`);
  }
  const { output } = await run('oxlint/bin/oxlint', ['--config', '.oxlintrc.json', '--format', 'unix', '.'], folder);
  return (plant) => linesOf(output, fileOf(plant));
}

function linesOf(output: string, file: string): string {
  const lines = output.split('\n');
  return lines.filter((line) => line.startsWith(`${file}:`) || line.startsWith(`${file}(`)).join('\n');
}

async function run(tool: string, parameters: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...parameters], { cwd });
    return { code: 0, output: stdout };
  } catch (error) {
    const failed = z.object({ code: z.number(), stdout: z.string() }).parse(error);
    return { code: failed.code, output: failed.stdout };
  }
}
