import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { postgresBinaries } from './postgres.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Runs a command of whoever operates the service, with these settings alone. Out: its status, and what it said. */
export function operate(words: readonly string[], env: Record<string, string>, program = 'dist/extension/command-line/main.js') {
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const path = `${postgresBinaries()}:${process.env['PATH'] ?? ''}`;
    const child = execFile(process.execPath, [join(ROOT, program), ...words], { env: { PATH: path, ...env } }, (_error, out, err) => {
      resolve({ status: child.exitCode ?? -1, out, err });
    });
  });
}

/** The names that a command lists, which must succeed. */
export async function names(said: ReturnType<typeof operate>): Promise<string[]> {
  const { status, out, err } = await said;
  expect([status, err]).toEqual([0, '']);
  return out.split('\n').flatMap((line) => (line === '' || line.startsWith('Restart') ? [] : [line.replace(/ .*$/, '')]));
}
