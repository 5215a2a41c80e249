import { describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { CASES, type Shown, walkScreens } from './state-views.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

describe('A site has the same state in page properties, tree, list and sync status', () => {
  test.each(CASES)(
    '$word: $path',
    async (each) => {
      const { page } = await world.openConsole(ADA, { viewport: { width: 1280, height: 900 }, at: each.path });
      const shown: Shown[] = [];
      await walkScreens(page, each, async (one) => void shown.push(one));
      expect(new Set(shown.map(({ word }) => word))).toEqual(new Set([each.word]));
      expect(new Set(shown.map(({ colour }) => colour)).size).toBe(1);
    },
    240_000,
  );
});
