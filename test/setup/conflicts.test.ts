import { expect, test } from 'vitest';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { RunResult } from '@repoless/core/plan/plan.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, writes } from './apply.ts';
import { ADA, OTTO, plant, startSetupWorld } from './setup-world.ts';
import { english } from '@repoless/core/messages/english.ts';

const en = english['first-view'];

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

const ACCESS = '/config/wknd/sites/ferry/access.json';

const said = (result: RunResult) => (result.outcome === 'failed' ? explainFailure(en, result.failure) : undefined);

test('A 409 of the authoring system is a refusal, said as one, and not another person’s change', async () => {
  const properties = { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': OTTO, 'rep:privileges': ['rep:write'] };
  plant(around, '/conf/willow/rep:policy/entry', properties);
  const otto = await around.person(OTTO);
  const { result } = await enable(otto, '/content/willow');
  expect(result).toMatchObject({
    outcome: 'failed',
    step: 'create-configuration',
    failure: { kind: 'refused', status: 409, system: 'authoring' },
  });
  expect(said(result)?.sentence).toMatch(/You may lack permission, or somebody locked/);
  expect(writes(otto.sent)).toHaveLength(1);
});

test('A site that somebody keeps changing ends the run at the step that could not be taken, with the answer of the service', async () => {
  let changes = 0;
  const ada = await around.person(ADA, {
    before: async ({ method, address }) => {
      if (method !== 'POST' || !address.includes('/ferry/access.json') || address.includes('dryRun')) return;
      const { admin } = (await around.backend.call('GET', ACCESS, { as: OTTO })).json() as { admin: { role: object } };
      const body = { admin: { ...admin, role: { ...admin.role, author: [`author-${++changes}@example.com`] } } };
      await around.backend.call('POST', ACCESS, { as: OTTO, body });
    },
  });
  const { result } = await enable(ada, '/content/ferry');
  expect(changes).toBe(4);
  expect(result).toMatchObject({
    outcome: 'failed',
    step: 'set-access',
    failure: { status: 412, problem: { code: 'PRECONDITION_FAILED', requestId: expect.any(String) } },
  });
  expect(said(result)).toEqual(en.failures.changedMeanwhile);
});
