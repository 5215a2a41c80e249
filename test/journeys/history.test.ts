import { describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { axeOf, choosePlace, openPanel } from './panel.ts';
import { openTree } from './sites-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA, type World } from './world.ts';
import type { FrameLocator, Page } from 'playwright-core';

/** The most clicks and key presses for finding and reverting a mistake. */
const A_FEW = 12;
const SITE = '/config/wknd/sites/wknd-ch-de';
const ROOT = '/content/wknd/ch/de/:/';
const OTHER = '/content/wknd/ch/de/configuration:/.helix/config.json';
const CONFIG = { public: { paths: { mappings: [ROOT, OTHER], includes: ['/content/wknd/ch/de/'] } } };
const LOST = { public: { paths: { mappings: [OTHER] } } };

const world = worldBeforeAll();

describe('The history', () => {
  test('restores deleted access from page properties, and the page shows it without a reload', async () => {
    const before = (await world.stored(`${SITE}/access.json`)).body;
    await world.call('POST', `${SITE}/metadata.json`, { source: ['/metadata.json'] });
    await world.call('POST', `${SITE}/access.json`, { admin: { role: { admin: [ADA] } } });
    await world.call('POST', `${SITE}/folders.json`, { '/products/': '/products/default' });
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de' });
    const panel = await openPanel(page);
    const acts = await actsOf(page, async () => {
      await panel.getByRole('link', { name: 'History' }).click();
      await panel.getByRole('button', { name: 'Access' }).click();
      await panel.getByRole('heading', { name: /^Version \d+$/ }).waitFor();
      await panel
        .getByRole('list', { name: 'What changed' })
        .getByText('Configuration administrators: all removed (carl.config@example.com, p100-e200@techacct.example.com)')
        .waitFor();
      await panel.getByRole('button', { name: 'Undo this change…' }).click();
      await panel.getByText('Configuration administrators: carl.config@example.com, p100-e200@techacct.example.com added').waitFor();
      await panel.getByRole('button', { name: /^Undo the change of version \d+ now$/ }).click();
      await panel.getByText(/^The change of version \d+ was undone\. Later changes are kept\.$/).waitFor();
      await panel.getByRole('link', { name: 'Setup' }).click();
      await panel.getByRole('heading', { name: /This page is set up for repoless/ }).waitFor();
    });
    expect(acts).toBeLessThanOrEqual(A_FEW);
    expect(acts).toBeGreaterThan(3);
    expect((await world.stored(`${SITE}/access.json`)).body).toEqual(before);
    expect((await world.stored(`${SITE}/folders.json`)).body).toEqual({ '/products/': '/products/default' });
  });

  test('restores a lost mapping by keyboard only, and both hosts serve it again', async () => {
    await world.call('POST', `${SITE}/public.json`, LOST.public);
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de', colorScheme: 'dark' });
    const panel = await openPanel(page);
    expect(await bothHosts(world, 'wknd-ch-de')).toEqual([LOST, LOST]);
    const press = async (name: string | RegExp): Promise<void> => {
      await pressEnter(panel.getByRole('button', { name }));
    };
    const acts = await actsOf(page, async () => {
      await pressEnter(panel.getByRole('link', { name: 'History' }));
      await panel.getByRole('heading', { name: 'History of the site “wknd-ch-de”' }).waitFor();
      await versionRow(panel, /^Mapping: \/content\/wknd\/ch\/de\/:\/ removed/).waitFor();
      expect(await axeOf(page)).toEqual([]);
      const search = panel.getByRole('searchbox', { name: 'Search person, change or name' });
      await search.focus();
      await page.keyboard.type('mapping');
      await versionRow(panel, /^Mapping: \/content\/wknd\/ch\/de\/:\/ removed/).focus();
      await page.keyboard.press('Enter');
      await panel.getByRole('list', { name: 'What changed' }).waitFor();
      expect(await axeOf(page)).toEqual([]);
      await press(/^Undo this change/);
      await panel.getByText('Mapping: /content/wknd/ch/de/:/ added').waitFor();
      await press('Simulate on the pages');
      await panel.getByRole('list', { name: 'Affected pages' }).waitFor();
      expect(await axeOf(page)).toEqual([]);
      await press(/^Restore version \d+ now$/);
      await panel.getByText(/^Version \d+ was restored\.$/).waitFor();
      expect(await bothHosts(world, 'wknd-ch-de')).toEqual([CONFIG, CONFIG]);
    });
    expect(acts).toBeLessThanOrEqual(A_FEW);
    expect(acts).toBeGreaterThan(3);
    expect(await axeOf(page)).toEqual([]);
  });

  test('restores a deleted site from the list of all sites', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de' });
    const panel = await openTree(page);
    await choosePlace(panel, 'All sites');
    const list = panel.getByRole('grid', { name: 'Sites of the organization' });
    await list.getByRole('row', { name: /^wknd-ch-de / }).click();
    await panel.getByRole('button', { name: 'Remove this site…' }).click();
    await panel.getByRole('textbox', { name: 'To confirm, enter the name of the site' }).fill('wknd-ch-de');
    await panel.getByRole('button', { name: 'Remove 1 site' }).click();
    await panel.getByText('1 site is removed.').waitFor();
    expect(await bothHosts(world, 'wknd-ch-de')).toEqual([404, 404]);
    const acts = await actsOf(page, async () => {
      await panel.getByRole('button', { name: 'Back to all sites' }).click();
      await panel.getByText('Restore a removed site').click();
      await panel.getByRole('button', { name: 'History of “wknd-ch-de”' }).click();
      await versionRow(panel, /^Removed /).click();
      await panel.getByRole('button', { name: /^Undo this change/ }).click();
      await panel.getByRole('button', { name: /^Restore version \d+ now$/ }).click();
      await panel.getByText(/^Version \d+ was restored\.$/).waitFor();
      expect(await bothHosts(world, 'wknd-ch-de')).toEqual([CONFIG, CONFIG]);
      await panel.getByRole('link', { name: 'All sites of “wknd”' }).click();
      await list.getByRole('row', { name: /^wknd-ch-de / }).waitFor();
    });
    expect(acts).toBeLessThanOrEqual(A_FEW);
    expect(acts).toBeGreaterThan(3);
  });

  test('works in the same way for the organization and its profiles', async () => {
    await world.call('POST', '/config/wknd/profiles/shared.json', { metadata: { source: ['/metadata.json'] } });
    await world.call('POST', '/config/wknd/profiles/shared.json', { metadata: { source: ['/other.json'] } });
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de' });
    const panel = await openTree(page);
    await choosePlace(panel, 'All sites');
    await choosePlace(panel, 'History');
    await versionRow(panel, /Version 1 /).click();
    await panel.getByRole('textbox', { name: 'Name of this version' }).fill('The beginning');
    await panel.getByRole('button', { name: 'Save the name' }).click();
    await versionRow(panel, /The beginning/).waitFor();
    await choosePlace(panel, 'All sites');
    await panel.getByRole('button', { name: 'History of “shared”' }).click();
    await versionRow(panel, /Version 2 .*Current$/).click();
    await panel.getByRole('button', { name: 'Undo this change: restore version 1…' }).click();
    await panel.getByRole('button', { name: 'Restore version 1 now' }).click();
    await versionRow(panel, /Version 3 .*Current$/).waitFor();
    expect((await world.stored('/config/wknd/profiles/shared.json')).body).toMatchObject({ metadata: { source: ['/metadata.json'] } });
    expect(await axeOf(page)).toEqual([]);
  });
});
/** The answers of a site's hosts, the preview host first: status or configuration. */
async function bothHosts({ sandbox, served }: World, site: string): Promise<unknown[]> {
  const { previewDomain, liveDomain } = sandbox.addresses;
  return Promise.all([previewDomain, liveDomain].map((domain) => served(`http://main--${site}--wknd.${domain}/config.json`)));
}

/** A version in the list, by its text. */
function versionRow(panel: FrameLocator, name: RegExp) {
  return panel.getByRole('list', { name: 'Versions' }).getByRole('button', { name });
}

/** How many clicks and key presses something takes; the time would depend on the machine. */
async function actsOf(page: Page, work: () => Promise<void>): Promise<number> {
  for (const frame of page.frames()) await frame.evaluate(countActs);
  await work();
  const counts = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => Number(document.documentElement.dataset['acts'] ?? 0))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Runs in the page. */
function countActs(): void {
  const { dataset } = document.documentElement;
  dataset['acts'] = '0';
  const count = () => void (dataset['acts'] = String(Number(dataset['acts']) + 1));
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, count, true);
}
