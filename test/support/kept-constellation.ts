import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { test as base } from 'vitest';
import { freePorts } from '#sandbox/addresses.ts';
import type { Ports } from '#sandbox/addresses.ts';
import { startSandbox } from '#sandbox/start.ts';
import { launchChromium } from './chromium.ts';
import { lookAt } from './constellation.ts';
import type { Constellation } from './constellation.ts';

/** The Chromium and the sandbox of a worker, which the files that it runs use one after the other. */
export interface KeptConstellation {
  /** The sandbox as it is after its first start, whatever was done in it before. Its `stop()` closes what was opened. */
  take(): Promise<Constellation>;
  end(): Promise<void>;
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
  await (await startSandbox({ dataDir: folder, ports })).stop();
  return ports;
}

function keepConstellation(folder: string): KeptConstellation {
  const seed = join(folder, 'seed');
  const dataDir = join(folder, 'data');
  let ports: Ports | undefined;
  let browser: Browser | undefined;
  return {
    async take() {
      browser ??= await launchChromium();
      ports ??= await seeded(seed);
      await rm(dataDir, { recursive: true, force: true });
      await cp(seed, dataDir, { recursive: true });
      const sandbox = await startSandbox({ dataDir, ports });
      const { assertAllowed, ...seen } = lookAt(sandbox, browser);
      return {
        ...seen,
        async stop() {
          await Promise.all(seen.browser.contexts().map((context) => context.close()));
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
