import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '#sandbox/backend-environment.ts';
import { BUILD_MANAGEMENT_KEY } from '#sandbox/build-management-environment.ts';
import { authoringTokenOf, serviceTokenOf } from '#sandbox/sign-in-as.ts';
import { ACCESS_TOKEN } from '#sandbox/vendor-host/access.ts';
import { documentedRows } from './documented-rows.ts';
import { renderReference } from './render-reference.ts';
import { runScenario } from './run-scenario.ts';
import type { ScenarioOutcome } from './run-scenario.ts';
import { SCENARIO } from './scenario.ts';
import { shownAddresses } from './shown-addresses.ts';
import { startDocumentedWorld } from './world.ts';

const DOCS = new URL('../../docs/', import.meta.url);

let outcome: ScenarioOutcome;
let pages: Map<string, string>;

// `npm run docs` runs this file too, and writes what differs: the pages are what these tests expect.
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
    pages = renderReference(documentedRows(), outcome.ran);
  } finally {
    await world.stop();
  }
}, 240_000);

describe('the examples of the reference', () => {
  it('are answered as they should be', () => {
    expect(outcome.problems).toEqual([]);
  });

  it('show every call: add what is missing to test/docs/scenario.ts', () => {
    const shown = new Set(outcome.ran.map(({ id }) => id));
    expect(documentedRows().flatMap(({ id }) => (shown.has(id) ? [] : [id]))).toEqual([]);
  });
});

describe('the pages made from the contract', () => {
  it('are up to date: otherwise run "npm run docs"', async () => {
    for (const [file, text] of pages) await expect(text).toMatchFileSnapshot(new URL(`reference/${file}`, DOCS).pathname);
    expect((await readdir(new URL('reference', DOCS))).filter((file) => !pages.has(file))).toEqual([]);
  });
});
