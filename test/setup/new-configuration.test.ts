import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, failingFrom, open, situationOf, stateOf, undo, writes } from './apply.ts';
import { chooseSites, openTree } from './choose-sites.ts';
import { ADA, OTTO, startSetupWorld } from './setup-world.ts';

const PAGE = '/content/willow';
const SITE = '/config/wknd/sites/willow.json';
const CONF = '/conf/willow/settings/cloudconfigs/edge-delivery-service-configuration';
const SELECT = `POST ${PAGE}/_jcr_content`;

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const edge = () => world.edgeConfiguration('/conf/willow');
const page = async () => (await world.author.json(`${PAGE}/jcr:content.json`)) as Record<string, unknown>;
const sheetStatus = async () => (await world.author.get(`${CONF}.json`, { as: ADA })).status;

async function asBefore(): Promise<unknown> {
  const service = await world.backend.call('GET', SITE, { as: ADA });
  const sheet = await world.author.get(`${PAGE}/configuration.json`, { as: ADA });
  return { selected: (await page())['cq:conf'], statuses: [service.status, sheet.status, await sheetStatus()] };
}

describe('A page without a cloud configuration', () => {
  test('gets one of its own name, with the values of the base site, and selects it, before the project type is switched', async () => {
    const before = await asBefore();
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(opened.choices).toMatchObject({
      organization: 'wknd',
      siteName: 'willow',
      technicalAccount: 'p100-e200@techacct.example.com',
      code: { owner: 'wknd', repo: 'wknd' },
    });
    expect(opened.plan).toMatchObject({ complete: false, blocked: false });
    expect(opened.plan.steps.find(({ id }) => id === 'create-configuration')).toMatchObject({
      state: { kind: 'create' },
      evidence: { request: `GET ${CONF}/jcr:content.json`, answer: '404' },
    });
    expect(stateOf(opened.plan, 'select-configuration')).toEqual({ kind: 'change', before: null, after: '/conf/willow' });

    const { result, progress } = await apply(ada, PAGE, opened);

    expect(result).toEqual({ outcome: 'complete' });
    expect(writes(ada.sent)).toEqual([
      `POST ${CONF}`,
      SELECT,
      'POST /bin/wcmcommand',
      `PUT ${SITE}`,
      'POST /code/wknd/willow/main/*',
      `POST ${CONF}/_jcr_content`,
      `POST ${CONF}/_jcr_content`,
    ]);
    expect(progress.filter(({ state }) => state === 'done').map(({ step }) => step)).toEqual(opened.plan.steps.map(({ id }) => id));
    expect((await page())['cq:conf']).toBe('/conf/willow');
    expect(await edge()).toMatchObject({ owner: 'wknd', repo: 'willow', projectType: '4', open: true, ref: 'main' });

    const again = await open(await world.person(ADA), PAGE);
    expect(again.plan.complete).toBe(true);
    expect(again.plan.steps.find(({ id }) => id === 'create-configuration')?.evidence?.answer).toBe('200');

    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await asBefore()).toEqual(before);
  });

  test('continues after an interruption, whichever write failed, and can be undone from there', async () => {
    const before = await asBefore();
    for (const failing of [1, 2, 3, 4, 5, 6]) {
      expect((await enable(await world.person(ADA, failingFrom(failing)), PAGE)).result.outcome).toBe('failed');
      if (failing % 2 === 0) expect((await undo(await world.person(ADA), PAGE)).result).toEqual({ outcome: 'complete' });
      const reopened = await world.person(ADA);
      expect((await enable(reopened, PAGE)).result).toEqual({ outcome: 'complete' });
      expect(writes(reopened.sent)).toHaveLength(failing % 2 === 0 ? 6 : 7 - failing);
      expect((await undo(reopened, PAGE)).result).toEqual({ outcome: 'complete' });
      expect(await asBefore()).toEqual(before);
    }
  });

  test('completes an interrupted undo, up to the last step', async () => {
    const before = await asBefore();
    await enable(await world.person(ADA), PAGE);
    for (let written = 1; written <= 4; written++) {
      expect((await undo(await world.person(ADA, failingFrom(2)), PAGE)).result.outcome).toBe('failed');
    }
    const last = await world.person(ADA);
    expect((await undo(last, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(writes(last.sent)).toEqual([`POST ${CONF}`]);
    expect(await asBefore()).toEqual(before);
  });

  test('keeps a configuration that was changed since, and the selection of it, on an undo', async () => {
    const before = await asBefore();
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    await world.edit(`${CONF}/jcr:content`, { './edgeHost': 'other.example.com' });
    expect(planUndo(await situationOf(ada, PAGE)).steps.map(({ id }) => id)).not.toContain('create-configuration');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect((await page())['cq:conf']).toBe('/conf/willow');
    const left = (await edge()) as Record<string, unknown>;
    expect(left).toMatchObject({ edgeHost: 'other.example.com' });
    expect(left).not.toHaveProperty('repolessPrevious');
    expect(left).not.toHaveProperty('owner');
    await world.edit(`${PAGE}/jcr:content`, { './cq:conf@Delete': 'true' });
    await world.remove(CONF);
    expect(await asBefore()).toEqual(before);
  });

  test('does not change another site’s configuration at its path', async () => {
    await world.edit(`${CONF}/jcr:content`, { './owner': 'wknd', './repo': 'somebody' });
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(stateOf(opened.plan, 'create-configuration')).toMatchObject({
      kind: 'blocked',
      reason: 'cloud-configuration-taken',
      data: { configuration: '/conf/willow', names: 'wknd/somebody' },
    });
    for (const later of ['keep-previous', 'cloud-configuration', 'project-type'] as const)
      expect(stateOf(opened.plan, later)).toMatchObject({ reason: 'earlier-step', data: { step: 'create-configuration' } });
    expect((await apply(ada, PAGE, opened)).result.outcome).toBe('failed');
    expect(writes(ada.sent)).toEqual([]);
    await world.remove(CONF);
  });

  test('gets one at the path that it selects, if that has none', async () => {
    await world.edit(`${PAGE}/jcr:content`, { './cq:conf': '/conf/gardens' });
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(opened.plan.steps.map(({ id }) => id)).not.toContain('select-configuration');
    expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
    expect(await world.edgeConfiguration('/conf/gardens')).toMatchObject({ owner: 'wknd', repo: 'willow', projectType: '4' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect((await page())['cq:conf']).toBe('/conf/gardens');
    await world.edit(`${PAGE}/jcr:content`, { './cq:conf@Delete': 'true' });
  });
});

test('Among many sites, a page without a cloud configuration gets one in the same way, from the content tree', async () => {
  const ada = await world.person(ADA);
  const tree = await openTree(ada.ports, world.authorAddress(), () => false);
  const { batch, rows } = await chooseSites(ada.ports, tree, [PAGE]);
  expect(rows).toMatchObject([{ siteName: 'willow', cloudConfiguration: '/conf/willow' }]);
  const signal = new AbortController().signal;
  const [reviewed] = await planRows(ada.ports, batch, rows, { signal });
  expect(reviewed?.problems).toEqual([]);
  expect((await applyRows(ada.ports, batch, rows, { signal })).outcome).toBe('complete');
  expect(await edge()).toMatchObject({ owner: 'wknd', repo: 'willow', projectType: '4', open: true });
  expect((await page())['cq:conf']).toBe('/conf/willow');
  expect((await open(ada, PAGE)).plan.complete).toBe(true);

  await world.edit(`${PAGE}/jcr:content`, { './cq:conf@Delete': 'true' });
  await world.remove(CONF, `${PAGE}/configuration`);
  await world.backend.call('DELETE', SITE, { as: ADA });
});

describe('The organization of a page', () => {
  test('is requested from a person with a role in several, and determines code and account', async () => {
    const users = [{ email: OTTO, roles: ['admin'] }];
    await world.backend.call('PUT', '/config/acme.json', { as: OPERATOR, body: { users } });
    const otto = await world.person(OTTO);
    const unnamed = await open(otto, PAGE);
    expect(unnamed.situation.organizations).toMatchObject({ value: { orgs: [{ name: 'acme' }, { name: 'wknd' }] } });
    expect(unnamed.choices.organization).toBe('');
    expect(stateOf(unnamed.plan, 'claim-organization')).toMatchObject({ kind: 'blocked', reason: 'name-invalid' });
    expect((await apply(otto, PAGE, unnamed)).result.outcome).toBe('failed');
    expect(writes(otto.sent)).toEqual([]);

    const chosen = await open(otto, PAGE, { organization: 'wknd' });
    expect(chosen.choices).toMatchObject({
      organization: 'wknd',
      siteName: 'willow',
      code: { type: 'github', owner: 'wknd', repo: 'wknd' },
      technicalAccount: 'p100-e200@techacct.example.com',
    });
    expect(chosen.plan.blocked).toBe(false);
  });

  test.each([
    ['wknd', 'wknd'],
    ['elsewhere', ''],
  ])('is taken from the address %s only for a person with a role there: “%s”', async (proposed, organization) => {
    const otto = await world.person(OTTO);
    const read = await readSituation(otto.ports, PAGE, undefined, proposed);
    if (read.state !== 'known') throw new Error(JSON.stringify(read));
    expect(proposeChoices(read.value).organization).toBe(organization);
  });
});
