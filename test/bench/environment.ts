import { execFile } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { installed, postgresDirectories } from './installed.ts';

const run = promisify(execFile);

/** What the figures depend on: machine, versions and how busy the machine was before. */
export async function environment(): Promise<Record<string, string | number>> {
  return {
    node: process.version,
    system: `${process.platform} ${release()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    loadAverage: Number((loadavg()[0] ?? 0).toFixed(2)),
    generator: (await installed('wrk')) === undefined ? 'autocannon' : 'wrk',
    postgres: await version('postgres', await postgresDirectories()),
  };
}

async function version(program: string, directories: readonly string[] = []): Promise<string> {
  const path = await installed(program, directories);
  if (path === undefined) return 'not installed';
  const { stdout } = await run(path, ['--version']);
  return stdout.split('\n')[0] ?? '';
}
