import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { postgresBinaries } from './postgres.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Runs a command of whoever operates the service, with these settings alone. Out: its status, and what it said. */
export function operate(args: readonly string[], env: Record<string, string>, program = COMMAND_LINE) {
  return said(process.execPath, [join(ROOT, program), ...args], env);
}

/** The same where no file takes a byte more, as on a full disk: the system allows the program none. */
export function operateWithoutRoom(args: readonly string[], env: Record<string, string>, program = COMMAND_LINE) {
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
  return said('sh', ['-c', limited, process.execPath, join(ROOT, program), ...args], env);
}

const COMMAND_LINE = 'command-line/dist/main.js';

function said(command: string, args: readonly string[], env: Record<string, string>) {
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const path = `${postgresBinaries()}:${process.env['PATH'] ?? ''}`;
    const child = execFile(command, args, { env: { PATH: path, ...env } }, (_error, out, err) => {
      resolve({ status: child.exitCode ?? -1, out, err });
    });
  });
}

/** The names that a command lists, which must succeed. */
export async function names(answer: ReturnType<typeof operate>): Promise<string[]> {
  const { status, out, err } = await answer;
  expect([status, err]).toEqual([0, '']);
  return out.split('\n').flatMap((line) => (line === '' || /^(?:Restart|The key) /.test(line) ? [] : [line.replace(/ .*$/, '')]));
}
