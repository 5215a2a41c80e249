import { afterAll, expect } from 'vitest';
import type { Frame } from 'playwright-core';
import { openExtension } from '../support/constellation.ts';
import { test } from '../support/kept-constellation.ts';
import { closePanel, openPanel, panelDocument, sticksOut } from './panel.ts';
import { openTree } from './sites-panel.ts';
import { openRail, railDocument } from './sync-panel.ts';
import { ADA, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
test.beforeAll(async ({ kept }) => {
  world = await startWorld({ kept });
  await world.addSite('named', { title: 'A title as long as the names that marketing gives to the sites of a region with many languages' });
});
afterAll(() => world.stop());

// In a narrow window the page scrolls as well as the grid in it.
const WIDTHS = [
  [1280, 1],
  [375, 2],
] as const;

test('No screen has more scrollbars than it needs, no button is cut, and what is cut tells its whole text, wide and narrow', async () => {
  const { page, context } = await world.openConsole(ADA, { at: '/content/named', viewport: { width: 1280, height: 900 } });
  const looked: Record<string, unknown> = {};
  const look = async (screen: string, frame: Frame) => {
    for (const [width] of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      looked[`${screen}, ${width}`] = { ...(await flaws(frame)), sticksOut: await sticksOut(frame) };
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  await openPanel(page);
  await look('page properties', await panelDocument(page));
  await closePanel(page);
  const tree = await openTree(page);
  await tree.locator('.rp-grid-active').getByRole('rowheader').waitFor();
  await look('content tree', await panelDocument(page));
  await closePanel(page);
  const list = await openExtension(page, 'All sites');
  await list
    .getByRole('row', { name: /^wknd / })
    .first()
    .waitFor();
  await look('all sites', await panelDocument(page));
  await closePanel(page);
  await openRail(page);
  await look('sync status', await railDocument(page));
  const none = (scrollbars: number) => ({
    scrollers: expect.toSatisfy((count: number) => count <= scrollbars),
    cutButtons: [],
    cutWithoutTitle: [],
    sticksOut: [],
  });
  const screens = ['page properties', 'content tree', 'all sites', 'sync status'];
  const expected = screens.flatMap((screen) => WIDTHS.map(([width, scrollbars]) => [`${screen}, ${width}`, none(scrollbars)]));
  expect(looked).toEqual(Object.fromEntries(expected));
  await context.close();
});

test('A list that is filtered keeps its height', async () => {
  const { page, context } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1280, height: 900 } });
  const list = await openExtension(page, 'All sites');
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
  await context.close();
});

/** What a person would see to be wrong: more than one place that scrolls up and down, buttons and names that are cut. */
function flaws(frame: Frame) {
  return frame.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body *:not(input)')].filter((element) => element.getClientRects().length > 0);
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    const page = document.scrollingElement;
    const pageScrolls = page !== null && page.scrollHeight > page.clientHeight + 1;
    const isCut = (element: HTMLElement) =>
      element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
    const text = (element: HTMLElement) => element.innerText.trim().slice(0, 60);
    return {
      scrollers: shown.filter(scrolls).length + (pageScrolls ? 1 : 0),
      cutButtons: shown.filter((element) => element.closest('button') !== null && isCut(element)).map(text),
      cutWithoutTitle: shown
        .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis' && isCut(element) && element.closest('[title]') === null)
        .map(text),
    };
  });
}
