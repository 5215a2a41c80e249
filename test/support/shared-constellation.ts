import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import type { Ports } from '@repoless/sandbox/addresses.ts';
import { startSandbox } from '@repoless/sandbox/start.ts';
import type { SandboxOptions } from '@repoless/sandbox/start.ts';
import { launchChromium } from './chromium.ts';
import { lookAt } from './constellation.ts';
import type { Constellation } from './constellation.ts';
import { startWithin } from './servers-within.ts';

/** The Chromium and the sandbox of a worker, which the files that it runs use one after the other. */
export interface SharedConstellation {
  /**
   * The sandbox as it is after its first start, whatever was done in it before; with options, a new one. Its `stop()` closes what was
   * opened. With `asPrograms` the servers are programs of their own, which can be killed.
   */
  take(options?: KeptOptions): Promise<Constellation>;
  end(): Promise<void>;
}

export interface KeptOptions extends Pick<SandboxOptions, 'backend' | 'grown' | 'fleet' | 'authoringTokenLifetime'> {
  readonly asPrograms?: boolean;
  /** In a Chromium of its own, with windows. */
  readonly withWindows?: boolean;
}

export const test = base
  .extend('folderName', { scope: 'worker' }, 'repoless-constellation-')
  .extend('kept', { scope: 'worker' }, async ({ folderName }, { onCleanup }) => {
    const kept = keepConstellation(await mkdtemp(join(tmpdir(), folderName)));
    onCleanup(() => kept.end());
    return kept;
  });

/** Starts a sandbox in an empty folder for the first time, and stops it. Out: its ports, which are part of what it keeps. */
async function seeded(folder: string): Promise<Ports> {
  await rm(folder, { recursive: true, force: true });
  const ports = await freePorts();
  await (await startSandbox({ dataDir: folder, ports, startServer: startWithin })).stop();
  return ports;
}

function keepConstellation(folder: string): SharedConstellation {
  const seed = join(folder, 'seed');
  const dataDir = join(folder, 'data');
  let ports: Ports | undefined;
  let browser: Browser | undefined;
  return {
    async take({ asPrograms = false, withWindows = false, ...options } = {}) {
      const own = withWindows ? await launchChromium({ withWindows }) : undefined;
      const shown = own ?? (browser ??= await launchChromium());
      const isNew = Object.keys(options).length > 0;
      if (!isNew) ports ??= await seeded(seed);
      await rm(dataDir, { recursive: true, force: true });
      if (!isNew) await cp(seed, dataDir, { recursive: true });
      const sandbox = await startSandbox({
        dataDir,
        ports: isNew || ports === undefined ? 'free' : ports,
        ...(!asPrograms && { startServer: startWithin }),
        ...options,
      });
      const { assertAllowed, ...seen } = lookAt(sandbox, shown);
      return {
        ...seen,
        async stop() {
          await (own === undefined ? Promise.all(shown.contexts().map((context) => context.close())) : own.close());
          await sandbox.stop();
          assertAllowed();
        },
      };
    },
    async end() {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
