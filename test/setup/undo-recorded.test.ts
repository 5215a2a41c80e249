import { expect, test } from 'vitest';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, open, situationOf, undo, writes, type Applied } from './apply.ts';
import { ADA, OTTO, startSetupWorld } from './setup-world.ts';
import { PAGE, SITE } from './summit.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { StepId } from '@repoless/core/plan/plan.ts';
import { english } from '@repoless/core/messages/english.ts';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const stored = async (path: string) => (await world.backend.call('GET', path, { as: OTTO })).json() as Record<string, unknown>;
const put = async (path: string, body: unknown) => {
  const answer = await world.backend.call('PUT', path, { as: OTTO, body });
  expect(answer.status, answer.text).toBeLessThan(300);
};
const headers = { '/**': [{ key: 'x-of-otto', value: 'yes' }] };
const isSiteWrite = ({ method, address }: { method: string; address: string }, path: string) =>
  method !== 'GET' && address.includes(path.replace('.json', '')) && !address.includes('dryRun');

/** The site as a setup creates it, but created by someone else with an additional header. */
async function sitePlus(): Promise<unknown> {
  const ada = await world.person(ADA);
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  const created = await stored(SITE);
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  return { ...created, headers };
}

test('A site that someone else creates during the setup is left unchanged by the undo', async () => {
  const theirs = await sitePlus();
  let created = false;
  const ada = await world.person(ADA, {
    before: async (sent) => {
      if (created || !isSiteWrite(sent, SITE)) return;
      created = true;
      await put(SITE, theirs);
    },
  });
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  const before = await stored(SITE);
  expect(before).toMatchObject({ headers });
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect(await stored(SITE)).toEqual(before);
  expect((await world.backend.call('DELETE', SITE, { as: OTTO })).status).toBe(204);
});

test('A site that someone else creates after a setup was stopped and before it continues is left unchanged by the undo', async () => {
  const theirs = await sitePlus();
  const ada = await world.person(ADA);
  const stopped = await apply(ada, PAGE, await open(ada, PAGE), ({ step, state }, stop) => {
    if (step === 'keep-previous' && state === 'done') stop();
  });
  expect(stopped.result).toMatchObject({ outcome: 'stopped' });
  await put(SITE, theirs);
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect(await stored(SITE)).toMatchObject({ headers });
  expect((await world.backend.call('DELETE', SITE, { as: OTTO })).status).toBe(204);
});

test('Concurrent changes of another person during a setup are preserved by the undo', async () => {
  const path = '/config/wknd/sites/wknd-it-it.json';
  let changed = false;
  const ada = await world.person(ADA, {
    before: async (sent) => {
      if (changed || !isSiteWrite(sent, path)) return;
      changed = true;
      const site = await stored(path);
      const { admin } = site['access'] as { admin: { role: object } };
      await put(path, { ...site, headers, access: { admin: { ...admin, role: { ...admin.role, author: ['anna@example.com'] } } } });
    },
  });
  const edited = { administrators: [ADA, 'zoe.new@example.com'] };
  expect((await enable(ada, '/content/wknd/it/it', edited)).result).toMatchObject({ outcome: 'complete' });
  expect(changed).toBe(true);
  expect((await undo(ada, '/content/wknd/it/it')).result).toEqual({ outcome: 'complete' });
  expect(await stored(path)).toMatchObject({ headers, access: { admin: { role: { author: ['anna@example.com'] } } } });
});

test('A site that the setup created is removed by the undo, even if the answer to its write was lost', async () => {
  let lost = false;
  const ada = await world.person(ADA, {
    after: (sent) => {
      if (lost || !isSiteWrite(sent, SITE)) return;
      lost = true;
      throw new TypeError('The network is away.');
    },
  });
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect(lost).toBe(true);
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect((await world.backend.call('GET', SITE, { as: OTTO })).status).toBe(404);
});

const FERRY = '/config/wknd/sites/ferry.json';

/** Sets up the ferry, then changes its site as Otto. Returns the previous site, and what an undo plans for it. */
async function changedAfterSetup(page: string, path: string, change: (site: Record<string, unknown>) => unknown) {
  const ada = await world.person(ADA);
  const before = await world.backend.call('GET', path, { as: OTTO });
  const edited = { administrators: [ADA, 'zoe.new@example.com'] };
  expect((await enable(ada, page, edited)).result).toEqual({ outcome: 'complete' });
  await put(path, change(await stored(path)));
  const plan = planUndo(await readWithRemovalFacts(ada.ports, await situationOf(ada, page)));
  return { ada, before: before.status === 200 ? (before.json() as Record<string, unknown>) : undefined, plan };
}

test('Changes of another person after a setup are preserved by the undo', async () => {
  const { ada, before, plan } = await changedAfterSetup('/content/ferry', FERRY, (site) => ({ ...site, headers }));
  expect(plan.back).toMatchObject({ kind: 'merge', later: [{ user: OTTO }] });
  expect((await undo(ada, '/content/ferry')).result).toEqual({ outcome: 'complete' });
  const { lastModified: _now, ...after } = await stored(FERRY);
  const { lastModified: _then, ...was } = before ?? {};
  expect(after).toEqual({ ...was, headers });
});

test('Changes of another person are named as lost if the setup had changed the same, or if the site is removed', async () => {
  const swapped = (site: Record<string, unknown>) => ({
    ...site,
    headers: {},
    access: { admin: { role: { admin: [OTTO], config_admin: ['nobody@example.com'] } } },
  });
  const changed = await changedAfterSetup('/content/ferry', FERRY, swapped);
  expect(changed.plan.back).toMatchObject({ kind: 'restore', later: [{ user: OTTO }] });
  expect((await undo(await world.person(OTTO), '/content/ferry')).result).toEqual({ outcome: 'complete' });
  const { lastModified: _now, ...after } = await stored(FERRY);
  const { lastModified: _then, ...was } = changed.before ?? {};
  expect(after).toEqual(was);

  const { ada, plan } = await changedAfterSetup(PAGE, SITE, (site) => ({ ...site, headers }));
  expect(plan.back).toMatchObject({ kind: 'remove', later: [{ user: OTTO }] });
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect((await world.backend.call('GET', SITE, { as: OTTO })).status).toBe(404);
});

test('An undo writes nothing if the site was changed after the undo was shown', async () => {
  const ada = await world.person(ADA);
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  const opened = await open(ada, PAGE);
  const plan = planUndo(await readWithRemovalFacts(ada.ports, opened.situation));
  await put(SITE, { ...(await stored(SITE)), headers });
  const sent = ada.sent.length;
  const { result } = await apply(ada, PAGE, { ...opened, plan });
  expect(result).toMatchObject({ outcome: 'failed', step: 'register-site', failure: { finding: { kind: 'plan-changed' } } });
  expect(writes(ada.sent.slice(sent))).toEqual([]);
  expect(await stored(SITE)).toMatchObject({ headers });
});
const en = english['first-view'];

const edgePath = (conf: string) => `${conf}/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content`;

/** Shows the undo, makes a change, then presses the button. Returns the outcome and the writes. */
async function undoAfter(page: string, meanwhile: () => Promise<unknown>) {
  const ada = await world.person(ADA);
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

test('An undo whose record was removed after it was shown reports that, instead of a restored state', async () => {
  expect((await enable(await world.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
  const before = (await world.edgeConfiguration('/conf/harbour')) as { repolessPrevious: string };
  const forget = () => world.edit(edgePath('/conf/harbour'), { './repolessPrevious@Delete': 'true' }, OTTO);
  expectPlanChanged(await undoAfter('/content/harbour', forget), 'project-type');
  expect(await world.edgeConfiguration('/conf/harbour')).toMatchObject({ projectType: '4' });

  await world.edit(edgePath('/conf/harbour'), { './repolessPrevious': before.repolessPrevious }, OTTO);
});

test('An undo of a page that selects another configuration now reports that', async () => {
  const select = (conf: string) => () => world.edit('/content/harbour/_jcr_content', { './cq:conf': conf }, OTTO);
  expectPlanChanged(await undoAfter('/content/harbour', select('/conf/plaza')), 'project-type');
  // A page with its own record, which would revert another site.
  expect((await enable(await world.person(ADA), '/content/plaza')).result).toEqual({ outcome: 'complete' });
  await select('/conf/harbour')();
  expectPlanChanged(await undoAfter('/content/harbour', select('/conf/plaza')), 'project-type');
  expect(await world.edgeConfiguration('/conf/plaza')).toMatchObject({ projectType: '4' });
  await select('/conf/harbour')();
  expect((await undo(await world.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
});

test.each(['/content/ferry', '/content/willow', '/content/summit'])(
  'An undo of %s that someone else completed after it was shown is complete',
  async (page) => {
    expect((await enable(await world.person(ADA), page)).result).toEqual({ outcome: 'complete' });
    const otto = await world.person(OTTO);
    const done = await undoAfter(page, async () => expect((await undo(otto, page)).result).toEqual({ outcome: 'complete' }));
    expect(done).toEqual({ result: { outcome: 'complete' }, written: [] });
  },
);

test('An undo whose site was created again by someone else after it was shown is not complete', async () => {
  expect((await enable(await world.person(ADA), '/content/summit')).result).toEqual({ outcome: 'complete' });
  const otto = await world.person(OTTO);
  const ended = await undoAfter('/content/summit', async () => {
    const site = (await world.backend.call('GET', '/config/wknd/sites/summit.json', { as: OTTO })).json() as object;
    expect((await undo(otto, '/content/summit')).result).toEqual({ outcome: 'complete' });
    expect((await world.backend.call('PUT', '/config/wknd/sites/summit.json', { as: OTTO, body: site })).status).toBe(201);
  });
  expectPlanChanged(ended, 'project-type');
});

test('An undo is shown again if someone undid the setup and set the page up again after it was shown', async () => {
  expect((await enable(await world.person(ADA), '/content/harbour')).result).toEqual({ outcome: 'complete' });
  const otto = await world.person(OTTO);
  const ended = await undoAfter('/content/harbour', async () => {
    expect((await undo(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
    expect((await enable(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
  });
  expectPlanChanged(ended, 'project-type');
  expect((await undo(otto, '/content/harbour')).result).toEqual({ outcome: 'complete' });
});
