import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the figures depend on: machine, versions, and the previous load of the machine. */
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

/** Finds a program in PATH (and the given directories); undefined if it is not installed. */
export async function installed(program: string, directories: readonly string[] = []): Promise<string | undefined> {
  for (const directory of [...(process.env['PATH'] ?? '').split(delimiter), ...directories]) {
    const path = join(directory, program);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (directory !== '' && runs) return path;
  }
  return undefined;
}

/** Debian's directories of PostgreSQL programs, newest version first. */
export async function postgresDirectories(): Promise<string[]> {
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch(() => []);
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(base, version, 'bin'));
}
