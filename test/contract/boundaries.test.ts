import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

/** A line planted in a module. */
interface Plant {
  readonly from: string;
  readonly line: string;
  /** The end of its file's name, by default `.ts`. */
  readonly kind?: '.ts' | '.tsx' | '-queries.ts';
  /** The name of its file, if another line imports it. */
  readonly name?: string;
}

/** Each package, and each part of the service, has a list of what it may import; the linter refuses everything else. */
describe('the linter', () => {
  const REFUSED = [
    { from: 'contract', what: ['node:fs/promises', 'react', 'yaml', '@repoless/core/plan/plan.ts', '../core/plan/plan.ts'] },
    {
      from: 'core/plan',
      what: ['zod', 'yaml', 'node:crypto', '../api/client.ts', '../authoring/patient-proxy.ts', '../legacy/project-file.ts'],
    },
    { from: 'core/messages', what: ['zod', 'react', '../api/client.ts'] },
    { from: 'core', what: ['react', 'node:fs', 'undici', '@repoless/service/domain/context.ts', '@repoless/extension/routes.ts'] },
    ...['access', 'changes', 'domain', 'history', 'orgs', 'profiles', 'secrets', 'sessions', 'sites', 'code/rules', 'events/rules'].map(
      (name) => ({
        from: `backend/${name}`,
        what: [
          'express',
          'undici',
          'pino',
          'yaml',
          'kysely',
          'node:fs',
          'node:http',
          '../db/open-store.ts',
          '../sites/site-queries.ts',
          '../../http/mount.ts',
          '../remote/remote.ts',
        ],
      }),
    ),
    ...['sites', 'code', 'events'].map((name) => ({
      from: `backend/${name}`,
      kind: '-queries.ts' as const,
      what: ['express', 'undici', 'pg', 'better-sqlite3', 'node:fs', 'node:http', '../http/mount.ts', '../remote/remote.ts'],
    })),
    { from: 'backend/db', what: ['express', 'undici', 'pino', 'node:http', '../http/mount.ts', '../remote/remote.ts'] },
    { from: 'backend/http', what: ['kysely', 'pg', 'undici', '../db/open-store.ts', '../build-management/context.ts'] },
    { from: 'backend/delivery', what: ['undici', 'kysely', '../db/open-store.ts', '../remote/remote.ts'] },
    { from: 'backend/remote', what: ['better-sqlite3', 'express', '../http/mount.ts', '../db/open-store.ts'] },
    { from: 'backend/code', what: ['undici', 'kysely', 'node:http', 'node:net', 'node:child_process', '../remote/remote.ts'] },
    { from: 'backend/checks', what: ['undici', 'kysely', 'express', 'node:http', '../db/open-store.ts'] },
    { from: 'backend/git', what: ['undici', 'node:http', 'node:https', '../domain/documents.ts', '../code/snapshot.ts'] },
    { from: 'backend/events', what: ['undici', 'kysely', 'node:http', 'node:net', 'express', '../remote/remote.ts', '../db/row.ts'] },
    { from: 'backend/rollouts', what: ['express', 'undici', 'kysely', 'node:fs', 'node:http', 'nodemailer', '../db/row.ts'] },
    { from: 'backend/code/object-storage', what: ['undici', 'node:fs', 'node:http', '../blob-store.ts', '../../db/row.ts'] },
    { from: 'backend/metrics', what: ['express', 'pino', 'node:fs', '@repoless/contract/errors.ts', '../domain/documents.ts'] },
    { from: 'backend/tracing', what: ['express', 'pino', 'undici', 'node:fs', '@repoless/contract/errors.ts', '../domain/documents.ts'] },
    { from: 'backend/threads', what: ['express', 'undici', 'node:http', '../domain/documents.ts', '../db/row.ts'] },
    {
      from: 'backend/administration',
      what: ['express', 'undici', 'react', 'node:http', '../http/mount.ts', '@repoless/extension/routes.ts'],
    },
    { from: 'backend/mcp', what: ['express', 'undici', 'kysely', 'node:fs', '../db/open-store.ts', '@repoless/command-line/connect.ts'] },
    { from: 'backend/build-management', what: ['react', '../app.ts', '../config.ts', '../code/snapshot.ts', '../delivery/deliver.ts'] },
    { from: 'backend/hosted', what: ['react', 'undici', 'kysely', '@repoless/core/plan/plan.ts', '@repoless/sandbox/start.ts'] },
    { from: 'backend/composition', what: ['react', 'undici', 'kysely', '@repoless/core/plan/plan.ts', '@repoless/sandbox/start.ts'] },
    { from: 'upstream', what: ['express', 'react', 'node:fs', '@repoless/service/main.ts', '@repoless/command-line/run.ts'] },
    { from: 'command-line', what: ['react', '@repoless/extension/routes.ts', '@repoless/service/main.ts'] },
    { from: 'extension/host', what: ['node:fs', '@adobe/react-spectrum/Button', '../app/Panel.tsx'] },
    { from: 'extension/features', what: ['node:fs', 'node:crypto', 'express', '@repoless/service/main.ts', '@repoless/sandbox/start.ts'] },
    { from: 'sandbox', what: ['react', 'undici', '@repoless/service/domain/documents.ts', '@repoless/core/plan/plan.ts'] },
    { from: 'sandbox/console', what: ['node:fs', 'express', '@repoless/core/plan/plan.ts'] },
    { from: 'packaging/authoring', what: ['react', 'zod', 'node:fs', '@repoless/extension/routes.ts'] },
  ].map(importing);
  const ALLOWED = [
    { from: 'contract', what: ['zod', './names.ts'] },
    { from: 'core', what: ['zod', 'yaml', '@repoless/contract/limits.ts', '../core/plan/plan.ts'] },
    { from: 'upstream', what: ['undici', 'node:crypto', '@repoless/core/api/exchange.ts', './bridge.ts'] },
    { from: 'backend/domain', what: ['node:crypto', '@repoless/core/legacy/project-file.ts', './documents.ts'] },
    { from: 'backend/http', what: ['express', '../domain/documents.ts'] },
    { from: 'backend/db', what: ['kysely', 'node:fs/promises'] },
    { from: 'backend/sites', kind: '-queries.ts' as const, what: ['kysely', '../db/queries.ts', '../orgs/org-queries.ts'] },
    { from: 'backend/remote', what: ['undici'] },
    { from: 'backend/checks', what: ['node:crypto', '../domain/documents.ts', '@repoless/core/checks/check-site.ts'] },
    { from: 'extension/features', what: ['react', '@adobe/react-spectrum/Button', '@repoless/core/plan/plan.ts'] },
    { from: 'sandbox/console', what: ['react', '@adobe/uix-core'] },
  ].map(importing);
  const EFFECTS = {
    from: 'backend/domain',
    line: 'export const bad = [fetch, process.env, setTimeout, setInterval, Buffer, Math.random(), globalThis.fetch];\nconsole.log(bad);\n',
  };
  const CARELESS = { from: 'backend/http', line: 'export const bad = (x: any) => x!.y;\nconsole.log(bad);\n' };
  const FRAMED = ['extension/features', 'sandbox/console'].map((from): Plant => ({
    from,
    kind: '.tsx',
    line: `export const bad = [navigator.clipboard, document.execCommand, window.open, globalThis.open, open];
export const Bad = () => <a href="/" target="_blank" rel="noreferrer">bad</a>;`,
  }));
  const CIRCLE: readonly Plant[] = [
    {
      from: 'core/plan',
      name: 'planted-plan.ts',
      line: "import type { Step } from './planted-step.ts';\nexport type Plan = readonly Step[];",
    },
    {
      from: 'core/plan',
      name: 'planted-step.ts',
      line: "import type { Plan } from './planted-plan.ts';\nexport type Step = { plan: Plan };",
    },
  ];
  let outputOf: (plant: Plant) => string;
  let everywhere: readonly Plant[];
  beforeAll(async () => {
    const folders = await Promise.all(['contract', 'core', 'upstream', 'command-line', 'backend', 'extension'].map(foldersOf));
    everywhere = folders.flat().map((from) => importing({ from, what: ['@repoless/sandbox/start.ts'] }));
    outputOf = await lint([...REFUSED, ...ALLOWED, EFFECTS, CARELESS, ...FRAMED, ...CIRCLE, ...everywhere]);
  });

  test.each(REFUSED)('refuses in $from: $what', (plant) => {
    for (const name of plant.what) expect(outputOf(plant)).toMatch(new RegExp(`'${name}' import is restricted.*no-restricted-imports`));
  });

  test('has an import list for every folder', () => {
    expect(everywhere.length).toBeGreaterThan(60);
    expect(everywhere.filter((plant) => !outputOf(plant).includes('is restricted')).map(({ from }) => from)).toEqual([]);
  });

  test.each(ALLOWED)('allows in $from: $what', (plant) => {
    // The unused import is reported, so the file was linted.
    expect(outputOf(plant)).toMatch(/no-unused-vars/);
    expect(outputOf(plant)).not.toMatch(/no-restricted-imports/);
  });

  test('refuses fetch, process, timers, Buffer and randomness in the rules', () => {
    const report = outputOf(EFFECTS);
    for (const name of ['fetch', 'process', 'setTimeout', 'setInterval', 'Buffer']) expect(report).toContain(`Unexpected use of '${name}'`);
    for (const name of ['Math.random', 'globalThis.fetch']) expect(report).toContain(`'${name}' is restricted`);
    expect(report).toMatch(/no-console/);
  });

  test.each(FRAMED)('refuses in $from what a frame of the host must not do outside one module: clipboard and windows', (plant) => {
    const report = outputOf(plant);
    for (const name of ['navigator.clipboard', 'document.execCommand', 'window.open', 'globalThis.open'])
      expect(report).toContain(`'${name}' is restricted`);
    expect(report).toContain("Unexpected use of 'open'");
    expect(report).toMatch(/forbid-dom-props/);
  });

  test('refuses circular imports, also of types only', () => {
    for (const plant of CIRCLE) expect(outputOf(plant)).toMatch(/no-cycle/);
  });

  test('refuses any, non-null assertions and console output in the product', () => {
    const report = outputOf(CARELESS);
    expect(report).toMatch(/no-explicit-any/);
    expect(report).toMatch(/no-non-null-assertion/);
    expect(report).toMatch(/no-console/);
  });
});

/** A package and its folders with code. */
async function foldersOf(name: string): Promise<string[]> {
  const files = await readdir(join(root, name), { recursive: true });
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/(?:^|\/)(?:dist|node_modules)\//.test(file));
  return [...new Set(code.map((file) => dirname(join(name, file))))];
}

function importing<T extends Pick<Plant, 'from' | 'kind'> & { what: string[] }>(plant: T): T & Plant {
  return { ...plant, line: plant.what.map((name, index) => `import { one as one${index} } from '${name}';`).join('\n') };
}

/** Lints all lines in one run, each as a file of its module, in a folder with this project's rules. Returns the linter's output for one line. */
async function lint(plants: readonly Plant[]): Promise<(plant: Plant) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-boundaries-'));
  folders.push(folder);
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const fileOf = (plant: Plant) => join(plant.from, plant.name ?? `planted-${plants.indexOf(plant)}${plant.kind ?? '.ts'}`);
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
