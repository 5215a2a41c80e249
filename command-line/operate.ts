import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Commands for operators: run by a program of the service, which no other command needs. */
export const OPERATOR_COMMANDS = [
  'backup',
  'verify-backup',
  'restore-backup',
  'keys',
  'jobs',
  'authoring-hosts',
  'content-roots',
  'move-code',
  'move-database',
];
/** Part of the service, which is installed where it runs. */
const PROGRAM = '@repoless/service/administration/main.js';

/** Runs an operator's command and returns its exit status; undefined if it is not one. */
export function operate([command = '', ...args]: readonly string[]): number | undefined {
  if (!OPERATOR_COMMANDS.includes(command)) return undefined;
  const file = installed(PROGRAM);
  if (file === undefined) {
    process.stderr.write(`${command} is a command of the service; run it where the service is installed and built.\n`);
    return 2;
  }
  const { status } = spawnSync(process.execPath, [file, command, ...args], { stdio: 'inherit' });
  return status ?? 2;
}

/** The file that a module name resolves to; undefined if there is none. */
function installed(name: string): string | undefined {
  try {
    const file = fileURLToPath(import.meta.resolve(name));
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}
