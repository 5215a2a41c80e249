import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Finds a program in PATH (and the given directories); undefined where it is not installed. */
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

/** The directories of PostgreSQL's programs where Debian puts them, newest version first. */
export async function postgresDirectories(): Promise<string[]> {
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch(() => []);
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(base, version, 'bin'));
}
