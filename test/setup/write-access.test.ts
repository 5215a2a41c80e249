import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import type { RunResult } from '@repoless/core/plan/plan.ts';
import { applyRows } from '@repoless/core/sites/apply-rows.ts';
import { removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, undo, writes } from './apply.ts';
import { chooseLocales, leaving } from './choose-sites.ts';
import { ADA, isWrite, OTTO, type PersonOptions, plant, startSetupWorld } from './setup-world.ts';
import { PAGE, SITE } from './summit.ts';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const EDGE = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration';
const SHEET = `${PAGE}/configuration`;
const command = (as: string, fields: Readonly<Record<string, string>>) => world.edit('/bin/wcmcommand', fields, as);
const siteStatus = async () => (await world.backend.call('GET', SITE, { as: ADA })).status;
const pageStatus = async (path: string) => (await world.author.get(`${path}.json`, { as: ADA })).status;

/** Somebody else creates a configuration page. */
const createSheet = (path: string) =>
  command(OTTO, {
    cmd: 'createPage',
    parentPath: path.slice(0, path.lastIndexOf('/')),
    label: 'configuration',
    title: 'Configuration',
    template: '/libs/core/franklin/templates/configuration',
  });

/** A person who is interrupted once, after their first write to an address. */
function afterWrite(to: string, interrupt: () => Promise<void>): PersonOptions {
  let isDone = false;
  return {
    after: async (sent) => {
      if (isDone || !isWrite(sent) || !sent.address.includes(to)) return;
      isDone = true;
      await interrupt();
    },
  };
}

async function recordOf(conf: string): Promise<unknown> {
  const { repolessPrevious } = (await world.edgeConfiguration(conf)) as { repolessPrevious: string };
  return JSON.parse(repolessPrevious);
}

async function explained(result: RunResult): Promise<string> {
  const catalogue = createCatalogues()('en');
  const messages = { ...(await catalogue.read('first-view')), ...(await catalogue.read('setup')) };
  const { sentence, next = '' } = result.outcome === 'failed' ? explainFailure(messages, result.failure) : { sentence: result.outcome };
  return `${sentence} ${next}`;
}

describe('Setup of one page', () => {
  test('is refused before its first write if somebody else has locked its configuration', async () => {
    await command(OTTO, { cmd: 'lockPage', path: EDGE });
    const ada = await world.person(ADA);
    const { result } = await enable(ada, PAGE);
    expect(result).toMatchObject({
      outcome: 'failed',
      step: 'keep-previous',
      failure: { finding: { kind: 'obstacle', reason: 'locked' } },
    });
    expect(await explained(result)).toBe(`${EDGE} is locked by ${OTTO} in the authoring system. Ask ${OTTO} to unlock it, then try again.`);
    expect(writes(ada.sent)).toEqual([]);
    await command(OTTO, { cmd: 'unlockPage', path: EDGE });

    await command(ADA, { cmd: 'lockPage', path: EDGE });
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    await command(ADA, { cmd: 'unlockPage', path: EDGE });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  });
});

describe('A configuration page that somebody else created in the meantime', () => {
  test('is used by the setup of one page, and left alone by its undo', async () => {
    const ada = await world.person(
      ADA,
      afterWrite('/conf/summit/', () => createSheet(SHEET)),
    );
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(writes(ada.sent)).not.toContain('POST /bin/wcmcommand');
    expect(await recordOf('/conf/summit')).toMatchObject({ configurationPageCreated: false, configurationPages: [] });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await pageStatus(SHEET), await siteStatus()]).toEqual([200, 404]);
    await world.remove(SHEET);
  });

  test('is the setup’s own if only the answer was lost', async () => {
    const ada = await world.person(
      ADA,
      afterWrite('/bin/wcmcommand', async () => {
        throw new TypeError('The network is away.');
      }),
    );
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await recordOf('/conf/summit')).toMatchObject({ configurationPageCreated: true, configurationPages: [SHEET] });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await pageStatus(SHEET)).toBe(404);
  });

  test('is not recorded as created by a run over many sites, either', async () => {
    const [page, conf] = ['/content/wknd/de/en', '/conf/wknd/de-en'];
    const edge = `${conf}/settings/cloudconfigs/edge-delivery-service-configuration`;
    plant(world, edge, { 'jcr:primaryType': 'cq:Page' });
    const base = (await world.edgeConfiguration('/conf/wknd')) as Record<string, string>;
    plant(world, `${edge}/jcr:content`, { ...base, owner: 'wknd', repo: 'wknd', projectType: '1' });
    const ada = await world.person(
      ADA,
      afterWrite('/sites/wknd-de-en.json', () => createSheet(`${page}/configuration`)),
    );
    const { batch, rows } = await chooseLocales(world, ada, page);
    const applied = await applyRows(ada.ports, batch, rows, { signal: new AbortController().signal });
    const steps = applied.results[0]?.steps?.map(({ id }) => id);
    expect(steps).toContain('register-site');
    expect(steps).not.toContain('configuration-page');
    expect(await recordOf(conf)).toMatchObject({ configurationPageCreated: false, configurationPages: [] });
  });
});

test('A removed site is not restored while its page is locked, so that its pages are never without their configuration', async () => {
  const page = '/content/wknd/ch/fr';
  const quiet = { signal: new AbortController().signal, onStep: () => undefined };
  const ada = await world.person(ADA);
  const { batch, rows } = await chooseLocales(world, ada, page);
  expect((await applyRows(ada.ports, batch, rows, quiet)).outcome).toBe('complete');
  const [{ siteName, cloudConfiguration = '' } = expect.fail('no row')] = rows;
  const site = { organization: 'wknd', siteName, author: world.authorAddress(), page, cloudConfiguration };
  expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), quiet)).outcome).toBe('done');

  await command(OTTO, { cmd: 'lockPage', path: page });
  expect(await restoreLocaleSite(ada.ports, site, quiet)).toMatchObject({
    outcome: 'failed',
    problem: { step: 'switch', reason: 'locked', data: { path: page, by: OTTO } },
    calls: [],
  });
  expect((await world.backend.call('GET', `/config/wknd/sites/${siteName}.json`, { as: ADA })).status).toBe(404);
  await command(OTTO, { cmd: 'unlockPage', path: page });
  expect((await restoreLocaleSite(ada.ports, site, quiet)).outcome).toBe('done');
});
