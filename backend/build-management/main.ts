#!/usr/bin/env node
import { runProgram } from '../run-program.ts';
import { readBuildManagementSettings } from './settings.ts';
import { startBuildManagement } from './start-build-management.ts';

await runProgram('Build management', readBuildManagementSettings, startBuildManagement);
