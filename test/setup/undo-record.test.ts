import { expect, test } from 'vitest';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import type { StepId } from '@repoless/core/plan/plan.ts';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { type Applied, apply, enable, open, undo, writes } from './apply.ts';
import { ADA, OTTO, startSetupWorld } from './setup-world.ts';
import { english } from '@repoless/core/messages/english.ts';

const en = english['first-view'];

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

const edgePath = (conf: string) => `${conf}/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content`;

/** Shows the undo, makes a change, then presses the button. Returns the outcome and the writes. */
async function undoAfter(page: string, meanwhile: () => Promise<unknown>) {
  const ada = await around.person(ADA);
  const opened = await open(ada, page);
  const plan = planUndo(await readWithRemovalFacts(ada.ports, opened.situation));
  expect(plan.steps.find(({ state }) => state.kind === 'change')).toBeDefined();
  await meanwhile();
  const sent = ada.sent.length;
  const { result } = await apply(ada, page, { ...opened, plan });
  return { result, written: writes(ada.sent.slice(sent)) };
}

function expectPlanChanged({ result, written }: { readonly result: Applied['result']; readonly written: readonly string[] }, step: StepId) {
  expect(written).toEqual([]);
  expect(result).toMatchObject({ outcome: 'failed', step, failure: { finding: { kind: 'plan-changed' } } });
  expect(result.outcome === 'failed' ? explainFailure(en, result.failure).sentence : undefined).toBe(
    'Somebody changed this page or its site after the plan was shown, so the plan is out of date.',
  );
}

test('An undo whose record somebody removed after it was shown says so, and not that everything is as before', async () => {
  expect((await enable(await around.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
  const before = (await around.edgeConfiguration('/conf/harbour')) as { repolessPrevious: string };
  const forget = () => around.edit(edgePath('/conf/harbour'), { './repolessPrevious@Delete': 'true' }, OTTO);
  expectPlanChanged(await undoAfter('/content/harbour', forget), 'project-type');
  expect(await around.edgeConfiguration('/conf/harbour')).toMatchObject({ projectType: '4' });

  await around.edit(edgePath('/conf/harbour'), { './repolessPrevious': before.repolessPrevious }, OTTO);
});

test('An undo of a page that selects another configuration by now says so', async () => {
  const select = (conf: string) => () => around.edit('/content/harbour/_jcr_content', { './cq:conf': conf }, OTTO);
  expectPlanChanged(await undoAfter('/content/harbour', select('/conf/plaza')), 'project-type');
  // A page with its own record, which would revert another site.
  expect((await enable(await around.person(ADA), '/content/plaza')).result).toEqual({ outcome: 'complete' });
  await select('/conf/harbour')();
  expectPlanChanged(await undoAfter('/content/harbour', select('/conf/plaza')), 'project-type');
  expect(await around.edgeConfiguration('/conf/plaza')).toMatchObject({ projectType: '4' });
  await select('/conf/harbour')();
  expect((await undo(await around.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
});

test.each(['/content/ferry', '/content/willow', '/content/summit'])(
  'An undo of %s that somebody else carried out after it was shown is complete',
  async (page) => {
    expect((await enable(await around.person(ADA), page)).result).toEqual({ outcome: 'complete' });
    const otto = await around.person(OTTO);
    const done = await undoAfter(page, async () => expect((await undo(otto, page)).result).toEqual({ outcome: 'complete' }));
    expect(done).toEqual({ result: { outcome: 'complete' }, written: [] });
  },
);

test('An undo whose site somebody else made anew after it was shown is not complete', async () => {
  expect((await enable(await around.person(ADA), '/content/summit')).result).toEqual({ outcome: 'complete' });
  const otto = await around.person(OTTO);
  const ended = await undoAfter('/content/summit', async () => {
    const site = (await around.backend.call('GET', '/config/wknd/sites/summit.json', { as: OTTO })).json() as object;
    expect((await undo(otto, '/content/summit')).result).toEqual({ outcome: 'complete' });
    expect((await around.backend.call('PUT', '/config/wknd/sites/summit.json', { as: OTTO, body: site })).status).toBe(201);
  });
  expectPlanChanged(ended, 'project-type');
});

test('An undo is shown again where somebody undid the setup and set the page up again after it was shown', async () => {
  expect((await enable(await around.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
  const otto = await around.person(OTTO);
  const ended = await undoAfter('/content/harbour', async () => {
    expect((await undo(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
    expect((await enable(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
  });
  expectPlanChanged(ended, 'project-type');
  expect((await undo(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
});
