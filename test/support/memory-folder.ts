import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable with the folder for temporary files that must be on a disk. */
const DISK = 'REPOLESS_DISK';
const MEMORY = '/dev/shm';
/** Bytes that must be free in memory; the databases of a complete run take less. */
const ROOM = 2 * 1024 ** 3;

/** The folder for temporary files that must be on a disk, unlike `tmpdir()`: those of tests that kill programs. */
export function diskFolder(): string {
  return process.env[DISK] ?? tmpdir();
}

/**
 * Runs once around the tests. Puts temporary files into memory if there is enough, because databases under test mostly wait for
 * the disk. At the end it stops the shared databases and removes the files.
 */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR'];
  process.env[DISK] = tmpdir();
  const folder = await mkdtemp(join((await hasFreeMemory()) ? MEMORY : tmpdir(), 'repoless-'));
  // PostgreSQL runs under another account, and its folder is in here.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return async () => {
    await endDatabases(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  };
}

async function hasFreeMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** They outlive the test processes, which are killed. PostgreSQL writes its process id into its data folder. */
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
    // The process has already ended.
  }
}
