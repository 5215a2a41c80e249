#!/usr/bin/env node
import { startBackend } from './app.ts';
import { SERVICE_PROCESS, startBeside } from './composition/beside.ts';
import { readSettings } from './config.ts';
import { createLog } from './log.ts';
import { runProgram } from './run-program.ts';

/** The backend alone: settings from the environment. */
await runProgram({
  title: 'The service',
  async start() {
    const settings = readSettings(process.env);
    const log = createLog(settings.LOG_LEVEL, undefined, settings.DELIVERY_WORKERS === 0 ? undefined : SERVICE_PROCESS);
    return { log, ...(await startBackend(settings, { log }, startBeside(settings, log))) };
  },
});
