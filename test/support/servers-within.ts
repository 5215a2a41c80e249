import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { startBackend } from '@repoless/service/app.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { addressesOf, readSettings } from '@repoless/service/config.ts';
import { serviceHosts } from '@repoless/service/delivery/service-host.ts';
import { createLog } from '@repoless/service/log.ts';
import type { Log } from '@repoless/service/log.ts';
import type { BackendOptions, BackendProcess } from '@repoless/sandbox/backend-process.ts';
import { checkAnswers } from './check-answers.ts';
import type { CheckedAnswers } from './check-answers.ts';

type Environment = Readonly<Record<string, string>>;

interface Served {
  stop(): Promise<void>;
}

const SERVERS: Readonly<Record<string, (environment: Environment, log: Log) => Promise<Served>>> = {
  async 'backend/dist/main.js'(environment, log) {
    const settings = readSettings(environment);
    const server = await startBackend(settings, { log });
    const { publicAddress, hosts } = addressesOf(settings, settings.PORT);
    return judged(server, checkAnswers('service', settings.PORT, serviceHosts(publicAddress, hosts)));
  },
  async 'backend/dist/build-management/main.js'(environment, log) {
    const settings = readBuildManagementSettings(environment);
    const server = await startBuildManagement(settings, { log });
    return judged(
      server,
      checkAnswers('build-management', settings.PORT, () => true),
    );
  },
};

function judged(server: Served, answers: CheckedAnswers): Served {
  return {
    async stop() {
      await server.stop();
      answers.stop();
    },
  };
}

/**
 * A server of the sandbox in this process, whose modules are loaded and warm from the files before: as a program of its own it takes
 * seconds of processor time for each file. Every answer is checked against its OpenAPI document. It cannot be killed; what kills one starts it as a program.
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
