import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { startBackend } from '#backend/app.ts';
import { readBuildManagementSettings } from '#backend/build-management/settings.ts';
import { startBuildManagement } from '#backend/build-management/start-build-management.ts';
import { readSettings } from '#backend/config.ts';
import { createLog } from '#backend/log.ts';
import type { Log } from '#backend/log.ts';
import type { BackendOptions, BackendProcess } from '#sandbox/backend-process.ts';

type Environment = Readonly<Record<string, string>>;

interface Served {
  readonly address: string;
  stop(): Promise<void>;
}

const SERVERS: Readonly<Record<string, (environment: Environment, log: Log) => Promise<Served>>> = {
  'backend/main.js': (environment, log) => startBackend(readSettings(environment), { log }),
  'backend/build-management/main.js': (environment, log) => startBuildManagement(readBuildManagementSettings(environment), { log }),
};

/**
 * A server of the sandbox in this process, whose modules are loaded and warm from the files before: as a program of its own it takes
 * seconds of processor time for each file. It cannot be killed; what kills one starts it as a program.
 */
export async function startWithin({ name, program, environment, address, logFile }: BackendOptions): Promise<BackendProcess> {
  const start = SERVERS[program];
  if (start === undefined) throw new Error(`${name} (${program}) runs as a program of its own alone.`);
  const lines = createWriteStream(logFile, { flags: 'a' });
  const begin = () => start(environment, createLog('info', { write: (line) => void lines.write(line) }));
  let running: Served | undefined = await begin();
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    address,
    pid: undefined,
    kill: () => Promise.reject(new Error(`${name} runs within the tests: start the sandbox with programs of their own to kill one.`)),
    async restart() {
      await stop();
      running = await begin();
    },
    async stop() {
      await stop();
      await finished(lines.end());
    },
  };
}
