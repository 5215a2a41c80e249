import { expect, beforeAll } from 'vitest';
import type { Frame } from 'playwright-core';
import { openExtension } from '../support/constellation.ts';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, frameIn, openOrganization, openPlace, panelDocument, speakGerman, overflowsOf, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();
beforeAll(async () => {
  await world.addSite('named', { title: 'A title as long as the names that marketing gives to the sites of a region with many languages' });
});

// How many areas may scroll inside the frame, which itself scrolls: in a narrow window, a grid and the area beside it.
const WIDTHS = [
  [1280, 1],
  [375, 2],
] as const;

const NAMES = {
  'en-US': {
    setup: 'Repoless sites',
    history: 'History',
    access: 'Access',
    configuration: 'Configuration',
    tree: 'Content tree',
    all: 'All sites',
    rail: 'Sync status',
  },
  'de-DE': {
    setup: 'Repoless-Sites',
    history: 'Verlauf',
    access: 'Zugriff',
    configuration: 'Konfiguration',
    tree: 'Inhaltsbaum',
    all: 'Alle Sites',
    rail: 'Sync-Status',
  },
} as const;
const SCREENS = ['page properties', 'history', 'access', 'configuration', 'content tree', 'all sites', 'sync status'];

test.each(['en-US', 'de-DE'] as const)(
  'No screen has superfluous scrollbars or text that is cut or overlaps, wide and narrow (%s)',
  async (locale) => {
    const names = NAMES[locale];
    const { page } = await world.openConsole(ADA, { at: '/content/named', viewport: { width: 1280, height: 900 } });
    if (locale === 'de-DE') await speakGerman(page);
    const flawsByScreen: Record<string, unknown> = {};
    const inspect = async (screen: string, frame: Frame) => {
      for (const [width] of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        flawsByScreen[`${screen}, ${width}`] = { ...(await flaws(frame)), overflows: await overflowsOf(frame) };
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    const setUp = await openExtension(page, names.setup);
    await setUp.locator('.rp-settings').first().waitFor();
    await inspect('page properties', await panelDocument(page));
    await closePanel(page);
    await visit(page, '/content/wknd');
    const panel = await openExtension(page, names.setup);
    await choosePlace(panel, names.history);
    await panel.locator('.rp-version-who').first().waitFor();
    await inspect('history', await panelDocument(page));
    await choosePlace(panel, names.access);
    await panel.locator('.rp-member-text').first().waitFor();
    await inspect('access', await panelDocument(page));
    await choosePlace(panel, names.configuration);
    await panel.locator('.rp-raw-json').first().waitFor();
    await inspect('configuration', await panelDocument(page));
    await openOrganization(panel);
    await choosePlace(panel, names.tree);
    await panel.getByRole('treegrid').locator('.rp-grid-active').getByRole('rowheader').waitFor();
    await inspect('content tree', await panelDocument(page));
    await choosePlace(panel, names.all);
    await panel
      .getByRole('row', { name: /^wknd / })
      .first()
      .waitFor();
    await inspect('all sites', await panelDocument(page));
    await closePanel(page);
    await page.getByRole('toolbar').getByRole('button', { name: names.rail }).click();
    const rail = page.getByRole('complementary', { name: names.rail });
    await rail.frameLocator('iframe').locator('.rp-row-address').first().waitFor();
    await inspect('sync status', await frameIn(rail));
    const none = (scrollbars: number) => ({
      scrollers: expect.toSatisfy((count: number) => count <= scrollbars),
      cutButtons: [],
      cutWithoutTitle: [],
      overflows: [],
    });
    const expected = SCREENS.flatMap((screen) => WIDTHS.map(([width, bars]) => [`${screen}, ${width}`, none(bars)]));
    expect(flawsByScreen).toEqual(Object.fromEntries(expected));
  },
);

test('A filtered list keeps its height', async () => {
  const { page } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1280, height: 900 } });
  const list = await openPlace(page, 'All sites');
  await list
    .getByRole('row', { name: /^wknd / })
    .first()
    .waitFor();
  const frame = await panelDocument(page);
  const height = () => frame.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await list.getByRole('searchbox', { name: 'Search name, repository or path' }).fill('nothing has this name');
  await list
    .getByText(/^No site/)
    .first()
    .waitFor();
  expect(await height()).toBe(before);
});

/** Visible flaws: areas of the frame that scroll vertically by themselves, truncated buttons and names. */
function flaws(frame: Frame) {
  return frame.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body *:not(input)')].filter((element) => element.getClientRects().length > 0);
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    const isTruncated = (element: HTMLElement) =>
      element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
    const lacksTitle = (element: HTMLElement) => isTruncated(element) && element.closest('[title]') === null;
    const text = (element: HTMLElement) => element.innerText.trim().slice(0, 60);
    return {
      scrollers: shown.filter(scrolls).length,
      cutButtons: shown.filter((element) => element.closest('button') !== null && lacksTitle(element)).map(text),
      cutWithoutTitle: shown.filter((element) => getComputedStyle(element).textOverflow === 'ellipsis' && lacksTitle(element)).map(text),
    };
  });
}
