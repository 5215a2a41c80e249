import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Commands of whoever runs the service: a program of the service does them, which no other command needs. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'verify-backup': '../../backend/verify-backup.js',
};

/** Runs a command of this kind; undefined where it is none. Out: its exit status. */
export function operate([command = '', ...messages]: readonly string[]): number | undefined {
  const program = Object.hasOwn(PROGRAMS, command) ? PROGRAMS[command] : undefined;
  if (program === undefined) return undefined;
  const file = fileURLToPath(new URL(program, import.meta.url));
  if (!existsSync(file)) {
    process.stderr.write(`${command} is a command of the service; run it where the service is installed and built.\n`);
    return 2;
  }
  const { status } = spawnSync(process.execPath, [file, ...messages], { stdio: 'inherit' });
  return status ?? 2;
}
