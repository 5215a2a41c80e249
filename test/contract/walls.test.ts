import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const planted: string[] = [];

afterEach(async () => {
  for (const folder of planted.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** The walls between the rooms are project references: the compiler knows nothing beyond them. */
describe('the compiler', () => {
  const CONTRACT = "export type { ErrorCode } from '#contract/errors.ts';";

  test.each([
    { from: 'contract', to: 'backend/domain', import: "export type { Caller } from '#backend/domain/caller.ts';" },
    { from: 'backend/domain', to: 'backend/storage', import: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/code', to: 'backend/storage', import: "export * from '#backend/storage/row.ts';" },
    { from: 'backend/domain', to: 'extension/setup', import: "export type { Plan } from '#extension/setup/plan.ts';" },
    { from: 'extension/setup', to: 'backend/domain', import: "export type { Caller } from '#backend/domain/caller.ts';" },
    { from: 'extension/setup', to: 'extension/api', import: "export type { Client } from '#extension/api/client.ts';" },
    { from: 'extension/command-line', to: 'backend/domain', import: "export type { Caller } from '#backend/domain/caller.ts';" },
    { from: 'extension/command-line', to: 'extension/views', import: "export * from '#extension/routes.ts';" },
    { from: 'backend/http', to: 'backend/build-management', import: "export * from '#backend/build-management/context.ts';" },
    { from: 'sandbox', to: 'backend/domain', import: "export type { Caller } from '#backend/domain/caller.ts';" },
  ])('refuses $from → $to', { timeout: 60_000 }, async ({ from, import: line }) => {
    const refused = await compile(from, line);
    expect(refused.output).toMatch(/TS6307/);
    expect(refused.code).not.toBe(0);
  });

  test.each(['backend/domain', 'extension/setup', 'sandbox'])('lets %s know the contract', { timeout: 60_000 }, async (from) => {
    expect(await compile(from, CONTRACT)).toEqual({ code: 0, output: '' });
  });
});

/** Packages are kept in their rooms by the linter. */
describe('the linter', () => {
  test.each([
    { from: 'contract', import: "import { readFile } from 'node:fs/promises';" },
    { from: 'backend/domain', import: "import express from 'express';" },
    { from: 'backend/domain', import: "import { openStore } from '#backend/storage/open-store.ts';" },
    { from: 'backend/domain', import: "import { request } from 'undici';" },
    { from: 'backend/http', import: "import { Kysely } from 'kysely';" },
    { from: 'backend/http', import: "import pg from 'pg';" },
    { from: 'backend/remote', import: "import Database from 'better-sqlite3';" },
    { from: 'backend/storage', import: "import express from 'express';" },
    { from: 'backend/build-management', import: "import { startBackend } from '#backend/app.ts';" },
    { from: 'backend/build-management', import: "import { syncPushed } from '#backend/domain/code/pushes.ts';" },
    { from: 'backend/code', import: "import { request } from 'undici';" },
    { from: 'backend/code', import: "import { request } from 'node:http';" },
    { from: 'extension/setup', import: "import { useState } from 'react';" },
    { from: 'extension/api', import: "import { useState } from 'react';" },
    { from: 'extension/authoring', import: "import { Button } from '@adobe/react-spectrum/Button';" },
    { from: 'extension/command-line', import: "import { useState } from 'react';" },
    { from: 'extension/command-line', import: "import { startBackend } from '#backend/main.ts';" },
    { from: 'extension/views', import: "import { startBackend } from '#backend/main.ts';" },
    { from: 'sandbox', import: "import { Refusal } from '#backend/domain/errors.ts';" },
  ])('refuses in $from: $import', async ({ from, import: line }) => {
    expect(await lint(from, line)).toMatch(/no-restricted-imports/);
  });

  test.each([
    { from: 'backend/http', import: "import express from 'express';" },
    { from: 'backend/storage', import: "import { Kysely } from 'kysely';" },
    { from: 'backend/remote', import: "import { request } from 'undici';" },
    { from: 'extension/views', import: "import { useState } from 'react';" },
  ])('lets $from have its own: $import', async ({ from, import: line }) => {
    expect(await lint(from, line)).not.toMatch(/no-restricted-imports/);
  });

  test('refuses any, the non-null assertion, and writing to the console in the product', async () => {
    const report = await lint('backend/http', 'export const bad = (x: any) => x!.y;\nconsole.log(bad);\n');
    expect(report).toMatch(/no-explicit-any/);
    expect(report).toMatch(/no-non-null-assertion/);
    expect(report).toMatch(/no-console/);
  });
});

const RoomProject = z.object({ references: z.array(z.object({ path: z.string() })) });

/** Compiles one line as if it stood in a file of the room: the room's own settings and references, output aside. */
async function compile(room: string, line: string): Promise<{ code: number; output: string }> {
  const folder = join(root, 'dist', `planted-${crypto.randomUUID()}`);
  planted.push(folder);
  await mkdir(folder, { recursive: true });
  const project = RoomProject.parse(JSON.parse(await readFile(join(root, room, 'tsconfig.json'), 'utf8')));
  await writeFile(join(folder, 'planted.ts'), `${line}\n`);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, room, 'tsconfig.json'),
      compilerOptions: { rootDir: root, outDir: join(folder, 'out'), tsBuildInfoFile: join(folder, 'out/planted.tsbuildinfo') },
      include: [],
      exclude: [],
      files: ['planted.ts'],
      references: project.references.map(({ path }) => ({ path: resolve(root, room, path) })),
    }),
  );
  return await run('typescript/bin/tsc', ['-p', folder], root);
}

/** Lints one line as if it stood in a file of the room, in a folder that has this project's rules. */
async function lint(room: string, line: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-walls-'));
  planted.push(folder);
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const file = join(folder, room, 'planted.ts');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${line}\n`);
  return (await run('oxlint/bin/oxlint', ['--config', '.oxlintrc.json', '--format', 'unix', '.'], folder)).output;
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
