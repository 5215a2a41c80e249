#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { wait } from '#extension/api/wait.ts';
import { localFetch } from './local-fetch.ts';
import { operate } from './operate.ts';
import { run } from './run.ts';

const stopper = new AbortController();
// The first Ctrl-C lets what is under way end; the second ends at once.
process.once('SIGINT', () => stopper.abort());

const configHome = process.env['XDG_CONFIG_HOME'] ?? process.env['APPDATA'] ?? join(homedir(), '.config');

const argv = process.argv.slice(2);
process.exitCode =
  operate(argv) ??
  (await run(argv, {
    env: process.env,
    cwd: process.cwd(),
    configDirectory: join(configHome, 'repoless'),
    fetch: localFetch(),
    signal: stopper.signal,
    out: (said) => process.stdout.write(said),
    err: (said) => process.stderr.write(said),
    readIn: () => text(process.stdin),
    wait,
    now: () => new Date(),
  }));
