#!/usr/bin/env node
import type { Settings } from '../config.ts';

/**
 * Commands for operators, run with the settings of the service: `repoless-admin`, or `repoless` itself. Exit status 0: done; 1: the data is
 * damaged or incomplete; 2: nothing was done. Each command is loaded on its own, because loading all takes longer than running most of them.
 */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  backup: async (args) => (await import('./backup.ts')).backup(args, await settings()),
  'verify-backup': async (args) => (await import('./verify.ts')).verify(args),
  'restore-backup': async (args) => (await import('./restore.ts')).restore(args, await settings()),
  keys: async (args) => (await import('./keys.ts')).keys(args, await settings()),
  jobs: async (args) => (await import('./jobs.ts')).jobs(args, await settings()),
  'authoring-hosts': async (args) => (await import('./authoring-hosts.ts')).authoringHosts(args, await settings()),
  'content-roots': async (args) => (await import('./authoring-hosts.ts')).contentRoots(args, await settings()),
  'move-code': async (args) => (await import('./move-code.ts')).moveCode(args, await settings()),
  'move-database': async (args) => (await import('./move.ts')).move(args, await settings()),
};

const USAGE = `Commands for the operator of the service. They use its settings (DATA_DIR, DATABASE_URL, …)

  backup <file>                              write a copy of the database while the service runs
  verify-backup <file>                       check that a copy is complete; also accepts a postgres:// address
  restore-backup <file>                      replace the database with a copy; stop the service first
  keys <signing|secret> make                 create the file, with one key
  keys <signing|secret> list                 list the keys of the file; the first signs or seals
  keys <signing|secret> add [--last]         add a new key, first or last
  keys <signing|secret> use <key>            move a key to the front
  keys <signing|secret> remove <key>         remove a key that is not the first; it is kept next to the file
  keys <signing|secret> put-back <file>      add the key of such a file again
  jobs list                                  list the open code sync jobs, oldest first
  jobs end <job>                             stop one, even if a node works on it
  authoring-hosts list                       list the assigned authoring hosts with their organizations
  authoring-hosts assign <host> <organization>
                                             reserve the content roots on it for the organization, and release those of others
  authoring-hosts release <host>             let every organization claim content roots on it again
  content-roots list <host>                  list the sites that use the content roots on an authoring host
  content-roots release <host><path>         release one from its site, which is still served
  move-code --to <store>                     copy the code to folder, database or s3://bucket/prefix, and verify it there
  move-database <postgres:// address>        copy the embedded database to an empty PostgreSQL database; stop the service first
  move-database --back                       let the service use the moved embedded database again
`;

const HELP: readonly string[] = ['--help', '-h'];

process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  if ([name, ...args].some((arg) => HELP.includes(arg)) || name === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`${name === '' ? 'Choose a command.' : `Unknown command "${name}".`}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await command(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function settings(): Promise<Settings> {
  return (await import('../config.ts')).readSettings(process.env);
}
