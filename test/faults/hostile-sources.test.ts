import { afterAll, beforeAll, it } from 'vitest';
import { buildBackend } from '../support/child-backend.ts';
import { HOSTILE_SOURCES } from './hostile-sources.ts';
import { expectHarmless, type HostileWorld, startHostileWorld } from './hostile-world.ts';

let world: HostileWorld;
beforeAll(async () => {
  await buildBackend();
  world = await startHostileWorld();
}, 120_000);
afterAll(() => world.stop());

it.each(HOSTILE_SOURCES.map((input) => [input.name, input] as const))('%s', { timeout: 90_000 }, (_, input) =>
  expectHarmless(world, input),
);
