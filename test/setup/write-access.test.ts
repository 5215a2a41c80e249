import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import type { RunResult } from '@repoless/core/plan/plan.ts';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { applyRows } from '@repoless/core/sites/apply-rows.ts';
import type { SiteRow } from '@repoless/core/sites/rows.ts';
import { removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { undoRows } from '@repoless/core/sites/undo-rows.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, open, undo, writes } from './apply.ts';
import { chooseLocales, leaving } from './choose-sites.ts';
import { ADA, CARL, isWrite, OTTO, type PersonOptions, plant, startSetupWorld } from './setup-world.ts';
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

test('The undo of one page is refused before its first write if a node that it writes last is not writable', async () => {
  const ada = await world.person(ADA);
  expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  const entry = `${SHEET}/rep:policy/entry`;
  plant(world, entry, { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': OTTO, 'rep:privileges': ['rep:write'] });
  const otto = await world.person(OTTO);
  const { result } = await undo(otto, PAGE);
  expect(result).toMatchObject({ outcome: 'failed', step: 'configuration-page' });
  expect(await explained(result)).toBe(
    `You don’t have permission to change ${SHEET} in the authoring system. ` +
      'Ask the administrator of the authoring system for write permission there, then try again.',
  );
  expect(writes(otto.sent)).toEqual([]);
  await world.remove(entry);
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  expect([await pageStatus(SHEET), await siteStatus()]).toEqual([404, 404]);
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

  test('stays if the setup that recorded it ended before it could create it, and the undo says so', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    const stopped = await apply(ada, PAGE, opened, ({ step, state }, stop) => {
      if (step === 'keep-previous' && state === 'done') stop();
    });
    expect(stopped.result).toEqual({ outcome: 'stopped', after: 'keep-previous' });
    expect(await recordOf('/conf/summit')).toMatchObject({ configurationPages: [SHEET] });
    await createSheet(SHEET);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    const { situation } = await open(ada, PAGE);
    expect(planUndo(await readWithRemovalFacts(ada.ports, situation)).stays).toEqual([SHEET]);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await pageStatus(SHEET), await siteStatus()]).toEqual([200, 404]);
    await world.remove(SHEET);
  });

  test('stays if they set up the same page at the same time', async () => {
    const otto = await world.person(OTTO);
    const ada = await world.person(
      ADA,
      afterWrite('/conf/summit/', async () => {
        expect((await enable(otto, PAGE)).result).toEqual({ outcome: 'complete' });
      }),
    );
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(writes(otto.sent)).toContain('POST /bin/wcmcommand');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await pageStatus(SHEET), await siteStatus()]).toEqual([200, 404]);
    await world.remove(SHEET);
  });

  test('stays in the undo of a run over many sites whose own call was lost', async () => {
    const root = '/content/wknd/ch/it';
    const sheet = `${root}/configuration`;
    let isLost = false;
    const ada = await world.person(ADA, {
      before: async (sent) => {
        if (isLost || !isWrite(sent) || !sent.address.includes('/bin/wcmcommand')) return;
        isLost = true;
        await createSheet(sheet);
        throw new TypeError('fetch failed');
      },
    });
    const { batch, rows } = await chooseLocales(world, ada, root);
    const { signal } = new AbortController();
    const { outcome, results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(outcome).toBe('complete');
    expect(await undoRows(ada.ports, batch, results, { signal })).toMatchObject([{ state: 'undone', stays: sheet }]);
    expect(await pageStatus(sheet)).toBe(200);
    await world.remove(sheet);
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

describe('The undo of a run over many sites', () => {
  const signal = new AbortController().signal;
  const [FIRST, SECOND] = ['/content/wknd/de/it', '/content/wknd/de/fr'] as const;
  const EDGE_OF_FIRST = '/conf/wknd/de-it/settings/cloudconfigs/edge-delivery-service-configuration';
  const run = async (own: Partial<SiteRow> = {}) => {
    for (const root of [FIRST, SECOND]) {
      const resourceType = 'core/franklin/components/page/v1/page';
      plant(world, root, { 'jcr:primaryType': 'cq:Page' });
      plant(world, `${root}/jcr:content`, { 'jcr:primaryType': 'cq:PageContent', 'sling:resourceType': resourceType });
    }
    const base = (await world.edgeConfiguration('/conf/wknd')) as Record<string, string>;
    plant(world, EDGE_OF_FIRST, { 'jcr:primaryType': 'cq:Page' });
    plant(world, `${EDGE_OF_FIRST}/jcr:content`, { ...base, owner: 'wknd', repo: 'wknd', projectType: '1' });
    const ada = await world.person(ADA);
    const { batch, rows: proposed } = await chooseLocales(world, ada, FIRST, SECOND);
    const rows = proposed.map((row) => ({ ...row, ...own }));
    const { outcome, results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(outcome).toBe('complete');
    return { batch, rows, results };
  };
  const states = async ({ rows }: Awaited<ReturnType<typeof run>>) => {
    const { ports } = await world.person(ADA);
    return Promise.all(
      rows.map(async ({ siteName, contentRoot }) => {
        const [site, page] = await Promise.all([ports.service.configuration('wknd', siteName), ports.authoring.content(contentRoot)]);
        return [site.state, page.state === 'known' && page.value.ownConfiguration !== undefined];
      }),
    );
  };
  const UNTOUCHED = ['known', true];
  const UNDONE = ['missing', false];

  test('leaves a site as it is if something of it is locked, and undoes the others', async () => {
    const done = await run();
    await command(OTTO, { cmd: 'lockPage', path: EDGE_OF_FIRST });
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([
      { state: 'failed', failure: { finding: { kind: 'obstacle', reason: 'locked', data: { path: EDGE_OF_FIRST, by: OTTO } } } },
      { state: 'undone' },
    ]);
    expect(await states(done)).toEqual([UNTOUCHED, UNDONE]);
    expect(writes(ada.sent).filter((write) => write.includes('de/it') || write.includes('de-it'))).toEqual([]);
    await command(OTTO, { cmd: 'unlockPage', path: EDGE_OF_FIRST });
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
    expect(await states(done)).toEqual([UNDONE, UNDONE]);
  });

  test('leaves a site as it is without permission for one of its nodes', async () => {
    const done = await run();
    const entry = `${EDGE_OF_FIRST}/rep:policy/entry`;
    plant(world, entry, { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': OTTO, 'rep:privileges': ['rep:write'] });
    const otto = await world.person(OTTO);
    expect(await undoRows(otto.ports, done.batch, done.results.slice(0, 1), { signal })).toMatchObject([
      { state: 'failed', failure: { finding: { reason: 'not-writable', data: { path: EDGE_OF_FIRST } } } },
    ]);
    expect(writes(otto.sent)).toEqual([]);
    expect(await states(done)).toEqual([UNTOUCHED, UNTOUCHED]);
    await world.remove(entry);
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  });

  test.each([
    ['may not remove them', [CARL], 'NOT_AUTHORIZED'],
    ['has no role on them', [], 'ORG_NOT_FOUND'],
  ])('leaves sites as they are if the caller %s', async (_why, config_admin, code) => {
    const done = await run({ access: { role: { admin: [ADA], config_admin } } });
    const carl = await world.person(CARL);
    expect(await undoRows(carl.ports, done.batch, done.results, { signal })).toMatchObject(
      done.rows.map(() => ({ state: 'failed', failure: { problem: { code } } })),
    );
    expect(writes(carl.sent)).toEqual([]);
    expect(await states(done)).toEqual([UNTOUCHED, UNTOUCHED]);
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  });

  test('waits once for a service that cannot be reached, and leaves every site as it is', async () => {
    const done = await run();
    const asked: string[] = [];
    const cut = await world.person(ADA, {
      before: ({ address }) => {
        asked.push(new URL(address).pathname);
        throw new TypeError('fetch failed');
      },
    });
    expect(await undoRows(cut.ports, done.batch, done.results, { signal })).toMatchObject(
      done.rows.map(() => ({ state: 'failed', failure: { kind: 'unreachable' } })),
    );
    expect(new Set(asked)).toEqual(new Set(['/auth/exchange', '/profile']));
    expect(await states(done)).toEqual([UNTOUCHED, UNTOUCHED]);
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  });

  test('waits once for each node of an authoring system that cannot be reached', async () => {
    const done = await run();
    const asked: string[] = [];
    const cut = await world.person(ADA, {
      before: ({ address }) => {
        if (!address.includes('/authoring/')) return;
        asked.push(address);
        throw new TypeError('fetch failed');
      },
    });
    const [first] = done.results;
    const undone = await undoRows(cut.ports, done.batch, first === undefined ? [] : [first], { signal });
    expect(undone).toMatchObject([{ state: 'failed', failure: { kind: 'unreachable' } }]);
    const counts = [...new Set(asked)].map((address) => asked.filter((one) => one === address).length);
    expect(new Set(counts).size).toBe(1);
    expect((await states(done))[0]).toEqual(UNTOUCHED);
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  });

  test('continues if only what is already undone is locked now', async () => {
    const done = await run();
    let hasSwitched = false;
    const cut = await world.person(ADA, {
      before: (sent) => {
        if (hasSwitched && isWrite(sent)) throw new TypeError('fetch failed');
        hasSwitched ||= isWrite(sent) && sent.address.includes(FIRST);
      },
    });
    const taken = done.results.slice(0, 1);
    expect(await undoRows(cut.ports, done.batch, taken, { signal })).toMatchObject([{ state: 'failed' }]);
    expect((await states(done))[0]).toEqual(['known', false]);
    const page = `${FIRST}/jcr:content`;
    await command(OTTO, { cmd: 'lockPage', path: FIRST });
    const ada = await world.person(ADA);
    expect(await undoRows(ada.ports, done.batch, taken, { signal })).toMatchObject([{ state: 'undone' }]);
    expect(writes(ada.sent).filter((write) => write.includes(page))).toEqual([]);
    await command(OTTO, { cmd: 'unlockPage', path: FIRST });
    expect(await undoRows(ada.ports, done.batch, done.results, { signal })).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  });
});
