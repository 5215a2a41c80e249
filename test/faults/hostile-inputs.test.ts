import { beforeAll, it } from 'vitest';
import { buildBackend } from '../support/child-backend.ts';
import { HOSTILE_REQUESTS } from './hostile-requests.ts';
import { expectHarmless, startHostileWorld } from './hostile-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { HOSTILE_CONFIGURATIONS } from './hostile-configurations.ts';
import { HOSTILE_SOURCES } from './hostile-sources.ts';

beforeAll(buildBackend, 120_000);
const world = startBeforeAll(startHostileWorld, 120_000);

it.each([...HOSTILE_REQUESTS, ...HOSTILE_CONFIGURATIONS, ...HOSTILE_SOURCES].map((input) => [input.name, input] as const))(
  '%s',
  { timeout: 90_000 },
  (_, input) => expectHarmless(world, input),
);
