import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { Database, DATABASE_FILE } from '@repoless/service/db/sqlite/connect.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startTestBackend, type TestBackend } from './backend.ts';
import { execute, postgresBinaries } from './postgres.ts';
import type { StoreOptions } from '@repoless/service/db/store.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Runs an operator's command with only these settings. Returns its status and output. */
export function operate(args: readonly string[], env: Record<string, string>, program = COMMAND_LINE) {
  return outputOf(process.execPath, [join(ROOT, program), ...args], env);
}

/** The same on a full disk, simulated by a file size limit. */
export function operateOnFullDisk(args: readonly string[], env: Record<string, string>, program = COMMAND_LINE) {
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
  return outputOf('sh', ['-c', limited, process.execPath, join(ROOT, program), ...args], env);
}

const COMMAND_LINE = 'command-line/dist/main.js';

function outputOf(command: string, args: readonly string[], env: Record<string, string>) {
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

/** A deployment that an operator stops, changes and starts again: its data, keys and address stay the same. */
export interface Operated {
  readonly dataDir: string;
  /** The service's log so far. */
  readonly logged: string[];
  /** Restarts it, or starts it if none runs. */
  start(settings?: Readonly<Record<string, string>>): Promise<TestBackend>;
  /** Stops the service and keeps its data. */
  halt(): Promise<void>;
  /** Runs commands of docs/operations.md verbatim, with these variables. */
  operate(heading: string, variables?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

const MANUAL = new URL('../../docs/operations.md', import.meta.url);

/** Takes a PostgreSQL address; without one the database is embedded. */
export async function operated(databaseUrl?: string): Promise<Operated> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-operated-'));
  const { backend: port } = await freePorts();
  const logged: string[] = [];
  const database = databaseUrl === undefined ? {} : { databaseUrl };
  let running: TestBackend | undefined;
  let claimed = false;
  const halt = async () => {
    const before = running;
    running = undefined;
    await before?.stop();
  };
  return {
    dataDir,
    logged,
    halt,
    async start(settings = {}) {
      await halt();
      running = await startTestBackend({
        settings: { PORT: String(port), DATA_DIR: dataDir, ...settings },
        open: () => openStore({ dataDir, ...database }),
        logged: (line) => logged.push(line),
        claim: !claimed,
      });
      claimed = true;
      return running;
    },
    async operate(heading, variables = {}) {
      const env = {
        PATH: `${postgresBinaries()}:${process.env['PATH'] ?? ''}`,
        DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...variables,
      };
      const cwd = new URL('../..', import.meta.url).pathname;
      await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', await commandsOf(heading)], { env, cwd });
    },
    async stop() {
      await halt();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The first block of commands below a heading of the manual. */
async function commandsOf(heading: string): Promise<string> {
  const text = await readFile(MANUAL, 'utf8');
  const [, section = ''] = text.split(`\n### ${heading}\n`);
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  if (commands === undefined) throw new Error(`docs/operations.md has no commands below "${heading}".`);
  return commands;
}

/** Executes a statement in a database directly, without its store. */
export async function executeIn(
  { dataDir, databaseUrl }: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>,
  statement: string,
  file = DATABASE_FILE,
): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new Database(join(dataDir, file));
    database.exec(statement);
    database.close();
  } else {
    await execute(databaseUrl, statement);
  }
}
