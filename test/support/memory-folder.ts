import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable with the folder for temporary files that shall lie on a disk. */
const DISK = 'REPOLESS_DISK';
const MEMORY = '/dev/shm';
/** Bytes that must be free in memory; databases of a whole run take less. */
const ROOM = 2 * 1024 ** 3;

/** Where temporary files lie that shall be on a disk, whatever `tmpdir()` says: of tests that kill programs. */
export function diskFolder(): string {
  return process.env[DISK] ?? tmpdir();
}

/**
 * Runs once around the tests: temporary files lie in memory, where there is enough of it, for most of what a database does
 * in a test is to wait for the disk. In the end ends the databases that the tests shared, and removes the files.
 */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR'];
  process.env[DISK] = tmpdir();
  const folder = await mkdtemp(join((await hasRoom()) ? MEMORY : tmpdir(), 'repoless-'));
  // PostgreSQL runs under an account of its own, and its folder is in here.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return async () => {
    await endDatabases(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  };
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** They outlive the processes of the tests, which are ended without notice. PostgreSQL writes its process id into its data. */
async function endDatabases(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.startsWith('repoless-pg-'))) {
    const text = await readFile(join(folder, name, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    if (pid > 0) await ended(pid);
  }
}

async function ended(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGQUIT');
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      process.kill(pid, 0);
    }
  } catch {
    // There is no such process any more.
  }
}
