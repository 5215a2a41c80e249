import { describe, expect, test } from 'vitest';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, open, undo } from './apply.ts';
import { ADA, type Person, plant, startSetupWorld } from './setup-world.ts';
import { CONFIGURATION, PAGE, SITE, summitOf } from './summit.ts';

const SHEET = 'core/franklin/components/spreadsheet/v1/spreadsheet';

const around = startBeforeAll(() => startSetupWorld());

describe('An undo removes the configuration page that was made, and no other', () => {
  const MADE = `${PAGE}/site-configuration`;
  const OTHER = `${PAGE}/configuration`;
  const statusOf = async (path: string) => (await around.author.get(`${path}.json`, { as: ADA })).status;
  const choose = (configurationPage: string) => ({
    configurationPage,
    mappings: [`${PAGE}/:/`, `${configurationPage}:/.helix/config.json`],
  });
  const plantPage = (path: string, type: string) => {
    plant(around, path, { 'jcr:primaryType': 'cq:Page' });
    plant(around, `${path}/jcr:content`, { 'jcr:primaryType': 'cq:PageContent', 'sling:resourceType': type });
  };
  const cutAfter = async (pattern: RegExp, person: Person) =>
    apply(person, PAGE, await planOfUndo(person), ({ step, state }, stop) => {
      if (pattern.test(`${step} ${state}`)) stop();
    });
  const planOfUndo = async (person: Person) => {
    const opened = await open(person, PAGE);
    return { ...opened, plan: planUndo(await readWithRemovalFacts(person.ports, opened.situation)) };
  };

  test.each([
    ['an ordinary page', 'core/franklin/components/page/v1/page'],
    ['a sheet', SHEET],
  ])('where %s has the usual name, also when it is gone on with', async (_kind, type) => {
    plantPage(OTHER, type);
    const ada = await around.person(ADA);
    expect((await enable(ada, PAGE, choose(MADE))).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(MADE)).toBe(200);
    expect((await cutAfter(/^register-site done/, ada)).result).toMatchObject({ outcome: 'stopped' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(MADE)]).toEqual([200, 404]);
    await around.remove(OTHER);
  });

  test('where the site maps another page by now', async () => {
    const ada = await around.person(ADA);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    plantPage(MADE, SHEET);
    expect((await enable(ada, PAGE, choose(MADE))).result).toEqual({ outcome: 'complete' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(MADE)]).toEqual([404, 200]);
    await around.remove(MADE);
  });

  test('both where a second setup made another', async () => {
    const before = await summitOf(around);
    const ada = await around.person(ADA);
    await enable(ada, PAGE);
    expect((await enable(ada, PAGE, choose(MADE))).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(MADE)]).toEqual([200, 200]);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(MADE)]).toEqual([404, 404]);
    expect(await summitOf(around)).toEqual(before);
  });

  test('where the site had a page of its own before', async () => {
    plantPage(OTHER, SHEET);
    const ada = await around.person(ADA);
    await enable(ada, PAGE);
    await around.edit(CONFIGURATION, { './repolessPrevious@Delete': 'true' });
    expect((await enable(ada, PAGE, choose(MADE))).result).toEqual({ outcome: 'complete' });
    expect((await cutAfter(/^register-site done/, ada)).result).toMatchObject({ outcome: 'stopped' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(MADE)]).toEqual([200, 404]);
    await around.backend.call('DELETE', SITE, { as: ADA });
    await around.edit(CONFIGURATION, { './projectType': '1' });
    await around.remove(OTHER);
  });

  test('nor one that is a page of another kind by now', async () => {
    const ada = await around.person(ADA);
    await enable(ada, PAGE);
    plantPage(OTHER, 'core/franklin/components/page/v1/page');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(OTHER)).toBe(200);
    await around.remove(OTHER);
  });

  test.each([
    ['rows', [{ path: `${OTHER}/jcr:content/row0`, properties: { 'jcr:primaryType': 'nt:unstructured', key: 'a', value: 'b' } }]],
    ['a page below it', [{ path: `${OTHER}/more`, properties: { 'jcr:primaryType': 'cq:Page' } }]],
    [
      'properties of its own',
      [
        {
          path: `${OTHER}/jcr:content`,
          properties: {
            'jcr:primaryType': 'cq:PageContent',
            'sling:resourceType': SHEET,
            'jcr:created': 'Fri Nov 27 2026 10:00:00 GMT+0000',
            'cq:lastModified': 'Fri Nov 27 2026 11:00:00 GMT+0000',
          },
        },
      ],
    ],
  ])('nor one to which somebody has added %s since: the plan says that it stays', async (_what, added) => {
    const ada = await around.person(ADA);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    for (const { path, properties } of added) plant(around, path, properties);
    const { plan } = await planOfUndo(ada);
    expect(plan.stays).toEqual([OTHER]);
    expect(plan.steps.map(({ id }) => id)).not.toContain('configuration-page');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(OTHER)).toBe(200);
    expect((await around.backend.call('GET', SITE, { as: ADA })).status).toBe(404);
    await around.remove(OTHER);
  });

  test.each([
    ['as long as the site maps it', false, [404]],
    ['and none once the site is as it was before', true, [200]],
  ])('by a record that does not say which, %s', async (_when, isTruncated, expected) => {
    const ada = await around.person(ADA);
    await enable(ada, PAGE);
    const { repolessPrevious } = (await around.edgeConfiguration('/conf/summit')) as { repolessPrevious: string };
    const { configurationPages: _paths, ...old } = JSON.parse(repolessPrevious) as Record<string, unknown>;
    await around.edit(CONFIGURATION, { './repolessPrevious': JSON.stringify(old) });
    if (isTruncated) await cutAfter(/^register-site done/, ada);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER)]).toEqual(expected);
    if (isTruncated) await around.remove(OTHER);
  });
});
