#!/usr/bin/env node
import { startBackend } from './app.ts';
import { readSettings } from './config.ts';
import { createLog } from './log.ts';
import { runProgram } from './run-program.ts';

/** The backend as a separate program: settings from the environment. */
await runProgram({
  title: 'The service',
  async start() {
    const settings = readSettings(process.env);
    const log = createLog(settings.LOG_LEVEL);
    return { log, ...(await startBackend(settings, { log })) };
  },
});
