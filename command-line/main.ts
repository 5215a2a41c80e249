#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { operate } from './operate.ts';

const stopper = new AbortController();
const stop = () => stopper.abort();
// The first Ctrl-C lets running work finish; the second ends immediately.
process.once('SIGINT', stop);

const configHome = process.env['XDG_CONFIG_HOME'] ?? process.env['APPDATA'] ?? join(homedir(), '.config');

const argv = process.argv.slice(2);
process.exitCode = operate(argv) ?? (await runCommand());

/** Output could not be written. A closed reader (`| head`) has what it needs; a full disk does not have the answer. */
function lost(error: Error): void {
  stop();
  if ('code' in error && error.code === 'EPIPE') return;
  process.stderr.write(`The answer could not be written: ${error.message}.\n`);
  process.once('exit', (code) => {
    if (code === 0) process.exitCode = 1;
  });
}

/** Loaded lazily: loading everything takes longer than many operator commands. */
async function runCommand(): Promise<number> {
  const { run } = await import('./run.ts');
  const { readStandardInput } = await import('./site-files.ts');
  const { dispatcherOf, fetchThrough } = await import('./network.ts');
  const { wait } = await import('@repoless/core/api/exchange.ts');
  // Like the first Ctrl-C. Closing a terminal may send SIGHUP more than once, and its output is lost.
  process.once('SIGTERM', stop).on('SIGHUP', stop);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', lost);
  return run(argv, {
    env: process.env,
    cwd: process.cwd(),
    configDirectory: join(configHome, 'repoless'),
    fetch: fetchThrough(dispatcherOf(process.env)),
    signal: stopper.signal,
    out: (output) => process.stdout.write(output),
    err: (output) => process.stderr.write(output),
    readIn: () => readStandardInput(process.stdin, stopper.signal),
    wait,
    now: () => new Date(),
  });
}
