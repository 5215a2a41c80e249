#!/usr/bin/env node
import { startBackend } from './app.ts';
import { readSettings } from './config.ts';
import { runProgram } from './run-program.ts';

await runProgram('The service', readSettings, startBackend);
