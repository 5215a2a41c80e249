#!/usr/bin/env node
import { createLog } from '../log.ts';
import { runProgram } from '../run-program.ts';
import { readBuildManagementSettings } from './settings.ts';
import { startBuildManagement } from './start-build-management.ts';

/** Build management as a separate program: settings from the environment. */
await runProgram({
  title: 'Build management',
  async start() {
    const settings = readBuildManagementSettings(process.env);
    const log = createLog(settings.LOG_LEVEL);
    return { log, ...(await startBuildManagement(settings, { log })) };
  },
});
