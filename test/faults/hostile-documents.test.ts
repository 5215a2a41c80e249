import { beforeAll, it } from 'vitest';
import { buildBackend } from '../support/child-backend.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';
import { expectHarmless, startHostileWorld } from './hostile-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';

beforeAll(buildBackend, 120_000);
const world = startBeforeAll(startHostileWorld, 120_000);

it.each([...HOSTILE_DOCUMENTS, ...HOSTILE_PAGES].map((input) => [input.name, input] as const))('%s', { timeout: 90_000 }, (_, input) =>
  expectHarmless(world, input),
);
