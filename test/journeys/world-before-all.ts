import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { type KeptOptions, test } from '../support/shared-constellation.ts';
import { standIn } from '../support/start-before-all.ts';
import { startWorld, type World } from './world.ts';

/** Starts a world before the tests of this file, and stops it after them. Consoles that a test opens are closed after it. */
export function worldBeforeAll(options: KeptOptions = {}, timeout?: number): World {
  let world: World | undefined;
  let opened: BrowserContext[] = [];
  test.beforeAll(async ({ kept }) => {
    const started = await startWorld({ kept, ...options });
    const openConsole: World['openConsole'] = async (...parameters) => {
      const session = await started.openConsole(...parameters);
      opened.push(session.context);
      return session;
    };
    world = { ...started, openConsole };
  }, timeout);
  beforeEach(() => {
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((context) => context.close())));
  afterAll(() => world?.stop());
  return standIn(() => {
    if (world === undefined) throw new Error('The world starts before the tests: use it within a test or a hook.');
    return world;
  });
}
