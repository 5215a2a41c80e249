import { beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '@repoless/sandbox/backend-environment.ts';
import { BUILD_MANAGEMENT_KEY } from '@repoless/sandbox/build-management-environment.ts';
import { authoringTokenOf, serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { DOCUMENTED_ROWS, runScenario } from './run-scenario.ts';
import type { ScenarioOutcome } from './run-scenario.ts';
import { SCENARIO } from './scenario.ts';
import { startDocumentedWorld } from './world.ts';

let outcome: ScenarioOutcome;

beforeAll(async () => {
  const world = await startDocumentedWorld();
  try {
    const { addresses } = world;
    outcome = await runScenario(SCENARIO, addresses, {
      API: addresses.backend,
      TOKEN: await serviceTokenOf(OPERATOR, addresses),
      AUTHORING_TOKEN: await authoringTokenOf(OPERATOR, addresses),
      ACCESS_TOKEN,
      BUILD_MANAGEMENT_KEY,
    });
  } finally {
    await world.stop();
  }
}, 240_000);

it('are answered as the rows say', () => {
  expect(outcome.problems).toEqual([]);
});

it('cover every call: add what is missing to test/docs/scenario.ts', () => {
  expect([...DOCUMENTED_ROWS.keys()].filter((id) => !outcome.ran.has(id))).toEqual([]);
});
