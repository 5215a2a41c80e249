#!/usr/bin/env node
import { startBackend } from './app.ts';
import { composeBeside } from './composition/beside.ts';
import { readSettings } from './config.ts';
import { runProgram } from './run-program.ts';

/** The backend alone: settings from the environment. */
await runProgram({
  title: 'The service',
  async start() {
    const settings = readSettings(process.env);
    const { log, beside } = composeBeside(settings);
    return { log, ...(await startBackend(settings, { log }, beside)) };
  },
});
