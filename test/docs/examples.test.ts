import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '#sandbox/backend-environment.ts';
import { BUILD_MANAGEMENT_KEY } from '#sandbox/build-management-environment.ts';
import { authoringTokenOf, serviceTokenOf } from '#sandbox/sign-in-as.ts';
import { ACCESS_TOKEN } from '#sandbox/vendor-host/access.ts';
import { documentedRows } from './documented-rows.ts';
import { runScenario } from './run-scenario.ts';
import type { ScenarioOutcome } from './run-scenario.ts';
import { SCENARIO } from './scenario.ts';
import { shownAddresses } from './shown-addresses.ts';
import { startDocumentedWorld } from './world.ts';

let outcome: ScenarioOutcome;

beforeAll(async () => {
  const world = await startDocumentedWorld();
  try {
    const { addresses } = world;
    outcome = await runScenario(SCENARIO, shownAddresses(addresses), {
      API: addresses.backend,
      BUILD: addresses.buildManagement,
      TOKEN: await serviceTokenOf(OPERATOR, addresses),
      AUTHORING_TOKEN: await authoringTokenOf(OPERATOR, addresses),
      ACCESS_TOKEN,
      BUILD_MANAGEMENT_KEY,
    });
  } finally {
    await world.stop();
  }
}, 240_000);

describe('the examples of the calls', () => {
  it('are answered as they should be', () => {
    expect(outcome.problems).toEqual([]);
  });

  it('cover every call: add what is missing to test/docs/scenario.ts', () => {
    expect(documentedRows().flatMap(({ id }) => (outcome.ran.has(id) ? [] : [id]))).toEqual([]);
  });
});
