#!/usr/bin/env node
import type { Settings } from '../config.ts';

/**
 * What whoever runs the service does beside it, with the settings that the service has: `repoless-admin`, or `repoless` itself. Exit status 0: done; 1: what was
 * looked at is not whole; 2: nothing was done, and a sentence says why. A command loads what it needs: to load all of them takes longer than most of
 * them do.
 */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  audit: async (args) => (await import('./audit.ts')).audit(args, await settings()),
  backup: async (args) => (await import('./backup.ts')).backup(args, await settings()),
  'verify-backup': async (args) => (await import('./verify.ts')).verify(args),
  'restore-backup': async (args) => (await import('./restore.ts')).restore(args, await settings()),
  keys: async (args) => (await import('./keys.ts')).keys(args, await settings()),
  jobs: async (args) => (await import('./jobs.ts')).jobs(args, await settings()),
  'authoring-hosts': async (args) => (await import('./authoring-hosts.ts')).authoringHosts(args, await settings()),
  'content-roots': async (args) => (await import('./content-roots.ts')).contentRoots(args, await settings()),
  publish: async (args) => (await import('./publish.ts')).publish(args, await settings()),
  'move-code': async (args) => (await import('./move-code.ts')).moveCode(args, await settings()),
  'move-database': async (args) => (await import('./move.ts')).move(args, await settings()),
};

const USAGE = `Commands for whoever runs the service, with its settings (DATA_DIR, DATABASE_URL, …)

  backup <file>                              write a copy of the database while the service runs
  verify-backup <file> [<secret key file>]   check that a copy is complete; a postgres:// address is taken, too
  restore-backup <file>                      put a copy in the place of the database; the service is stopped
  keys <signing|secret> make                 make the file, with one key
  keys <signing|secret> list                 name the keys of the file; the first signs or seals
  keys <signing|secret> add [--last]         add a new key, in front or at the end
  keys <signing|secret> use <key>            move a key to the front
  keys <signing|secret> remove <key>         remove a key that is not the first; it is kept beside the file
  keys <signing|secret> put-back <file>      add the key of such a file again
  audit prune --before <date> --archive <file> [--org <organization>]
                                             write old entries of the audit trails to a file, and remove them
  audit verify-archive <file> …              check that such files are as they were written, and what is left goes on from them
  jobs list                                  name the code sync jobs that are not stopped, the oldest first
  jobs end <job>                             stop one, whoever works on it
  authoring-hosts list                       name the authoring hosts that are assigned, and whose they are
  authoring-hosts assign <host> <organization>
                                             let nobody else claim content roots on it, and release those that others hold
  authoring-hosts release <host>             let everybody claim content roots on it again
  content-roots list <host>                  name the sites that hold the content roots on an authoring host
  content-roots release <host><path>         take one from its site, which is served as before
  publish verify                             compare the published copy with what is stored, and queue what differs
  publish stop                               no longer queue changes to be published
  move-code --to <place>                     copy the code to folder, database or s3://bucket/prefix, and verify it there
  move-database <postgres:// address>        copy the embedded database to an empty PostgreSQL database; the service is stopped
  move-database --live [--wait <seconds>] <postgres:// address>
                                             the same while the service runs: it is read-only for the last seconds
  move-database --back                       let the service use the embedded database again that was moved
`;

process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  if (name === '--help' || name === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`${name === '' ? 'Choose a command.' : `There is no command "${name}".`}\n\n${USAGE}`);
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
