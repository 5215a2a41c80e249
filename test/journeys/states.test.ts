import { afterAll, describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { CASES, walkScreens } from './state-views.ts';
import type { Shown } from './state-views.ts';
import { ADA, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
test.beforeAll(async ({ kept }) => {
  world = await startWorld({ kept });
});
afterAll(() => world.stop());

describe('A site is called the same in page properties, tree, list and sync status', () => {
  test.each(CASES)(
    '$word: $path',
    async (each) => {
      const { page, context } = await world.openConsole(ADA, { viewport: { width: 1280, height: 900 }, at: each.path });
      const shown: Shown[] = [];
      await walkScreens(page, each, async (one) => void shown.push(one));
      expect(new Set(shown.map(({ word }) => word))).toEqual(new Set([each.word]));
      expect(new Set(shown.map(({ colour }) => colour)).size).toBe(1);
      await context.close();
    },
    240_000,
  );
});
