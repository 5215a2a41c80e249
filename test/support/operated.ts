import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { startTestBackend } from './backend.ts';
import type { TestBackend } from './backend.ts';
import { postgresBinaries } from './postgres.ts';

/** A deployment that an operator stops, changes and starts again: its data, keys and address stay the same. */
export interface Operated {
  readonly dataDir: string;
  /** Everything that the service wrote to its log. */
  readonly logged: string[];
  /** Starts it, after stopping the one that runs. */
  start(settings?: Readonly<Record<string, string>>): Promise<TestBackend>;
  /** Stops the service, and keeps everything. */
  halt(): Promise<void>;
  /** Runs commands of docs/operations.md as they stand there, with these variables. */
  operate(heading: string, variables?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

const MANUAL = new URL('../../docs/operations.md', import.meta.url);

/** In: a PostgreSQL address, or none for the embedded database. */
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
