import { freePorts, type Ports } from '@repoless/sandbox/addresses.ts';
import type { BackendOptions, BackendProcess } from '@repoless/sandbox/backend-process.ts';
import { type SandboxOptions, startSandbox } from '@repoless/sandbox/start.ts';
import { startBackend } from '@repoless/service/app.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { addressesOf, readSettings } from '@repoless/service/config.ts';
import { serviceHosts } from '@repoless/service/composition/front.ts';
import { createLog, type Log } from '@repoless/service/log.ts';
import { createWriteStream } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { checkAnswers, type CheckedAnswers } from './check-answers.ts';
import { launchChromium } from './chromium.ts';
import { type Constellation, openInBrowser } from './constellation.ts';

/** A worker's Chromium and sandbox, which its files use one after the other. */
export interface SharedConstellation {
  /**
   * The sandbox in the state of its first start, whatever earlier files did; with options besides `hosted`, a new one. Its `stop()` closes what was
   * opened. With `asPrograms` the servers are separate processes, which can be killed.
   */
  take(options?: KeptOptions): Promise<Constellation>;
  end(): Promise<void>;
}

export interface KeptOptions extends Pick<SandboxOptions, 'backend' | 'grown' | 'fleet' | 'hosted' | 'authoringTokenLifetime'> {
  readonly asPrograms?: boolean;
  /** In a separate Chromium, with windows. */
  readonly withWindows?: boolean;
}

export const test = base
  .extend('folderName', { scope: 'worker' }, 'repoless-constellation-')
  .extend('kept', { scope: 'worker' }, async ({ folderName }, { onCleanup }) => {
    const kept = keepConstellation(await mkdtemp(join(tmpdir(), folderName)));
    onCleanup(() => kept.end());
    return kept;
  });

/** Starts a sandbox in an empty folder for the first time, and stops it. Returns its ports, which are part of its data. */
async function seeded(folder: string, hosted: boolean): Promise<Ports> {
  await rm(folder, { recursive: true, force: true });
  const ports = await freePorts();
  await (await startSandbox({ dataDir: folder, ports, hosted, startServer: startWithin })).stop();
  return ports;
}

function keepConstellation(folder: string): SharedConstellation {
  const seeds = new Map<string, Ports>();
  const dataDir = join(folder, 'data');
  let browser: Browser | undefined;
  const seedFor = async (hosted: boolean) => {
    const seed = join(folder, hosted ? 'seed-hosted' : 'seed');
    const ports = seeds.get(seed) ?? (await seeded(seed, hosted));
    seeds.set(seed, ports);
    return { seed, ports };
  };
  return {
    async take({ asPrograms = false, withWindows = false, hosted = false, ...options } = {}) {
      const own = withWindows ? await launchChromium({ withWindows }) : undefined;
      const shown = own ?? (browser ??= await launchChromium());
      const seed = Object.keys(options).length > 0 ? undefined : await seedFor(hosted);
      await rm(dataDir, { recursive: true, force: true });
      if (seed !== undefined) await cp(seed.seed, dataDir, { recursive: true });
      const sandbox = await startSandbox({
        dataDir,
        ports: seed?.ports ?? 'free',
        hosted,
        ...(!asPrograms && { startServer: startWithin }),
        ...options,
      });
      const { assertAllowed, ...opened } = openInBrowser(sandbox, shown);
      return {
        ...opened,
        async stop() {
          await (own === undefined ? Promise.all(shown.contexts().map((context) => context.close())) : own.close());
          await sandbox.stop();
          assertAllowed();
          if (sandbox.hosted !== undefined && sandbox.hosted.violations.length > 0)
            throw new Error(`The hosted service was sent what no client may send:\n${sandbox.hosted.violations.join('\n')}`);
        },
      };
    },
    async end() {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
 * Starts a server of the sandbox in this process, whose modules are warm from earlier files: a separate process would take seconds of
 * processor time per file. Every answer is checked against its OpenAPI document. Tests that kill a server start it as a separate process.
 */
async function startWithin({ name, program, environment, address, logFile }: BackendOptions): Promise<BackendProcess> {
  const start = SERVERS[program];
  if (start === undefined) throw new Error(`${name} (${program}) runs only as a separate process.`);
  const lines = createWriteStream(logFile, { flags: 'a' });
  const startServer = () => start(environment, createLog('info', { write: (line) => void lines.write(line) }));
  let running: Served | undefined = await startServer();
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    address,
    pid: undefined,
    kill: () => Promise.reject(new Error(`${name} runs within the tests: start the sandbox with asPrograms to kill one.`)),
    async restart() {
      await stop();
      running = await startServer();
    },
    async stop() {
      await stop();
      await finished(lines.end());
    },
  };
}
