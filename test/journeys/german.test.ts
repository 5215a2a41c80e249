import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { extensionFrame } from '../support/constellation.ts';
import { panelDocument } from './panel.ts';
import { ADA, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe.each([
  ['the usual width', 1280],
  ['320 pixels', 320],
])('German words fit at %s', (_, width) => {
  const germanConsole = async (at: string) => {
    const { page, context } = await world.openConsole(ADA, { at, colorScheme: 'light', viewport: { width: 1280, height: 2400 } });
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('console.preferences') ?? '{}');
      const environment = 'p100-e200';
      localStorage.setItem(
        'console.preferences',
        JSON.stringify({ theme: 'light', sharesSignIn: true, environment, ...kept, locale: 'de-DE' }),
      );
    });
    await page.reload();
    return { page, context };
  };
  const open = async (page: Page, button: string): Promise<FrameLocator> => {
    await page.getByRole('toolbar').getByRole('button', { name: button }).click();
    await page.setViewportSize({ width, height: 2400 });
    return extensionFrame(page);
  };

  test('in page properties, before, while signing in again, and after', async () => {
    const { page, context } = await germanConsole(await world.addSite(`fit-${width}`));
    const panel = await open(page, 'Site einrichten');
    await panel.getByRole('button', { name: 'Repoless aktivieren' }).waitFor();
    await panel.locator('details').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')));
    expect(await sticksOut(await panelDocument(page))).toEqual([]);
    await panel.getByRole('button', { name: 'Repoless aktivieren' }).click();
    await panel.getByRole('heading', { name: /^Diese Seite ist als Site/ }).waitFor();
    expect(await sticksOut(await panelDocument(page))).toEqual([]);
    await context.close();
  });

  test('in the sites of the tree and their review', async () => {
    const { page, context } = await germanConsole('/content/wknd/ch');
    const panel = await open(page, 'Sites dieses Baums');
    await panel.getByRole('treegrid', { name: 'Seiten' }).waitFor();
    expect(await sticksOut(await panelDocument(page))).toEqual([]);
    await panel.getByRole('button', { name: 'Sprachräume' }).click();
    await panel.getByText(/^\d+ gewählt\.$/).waitFor({ timeout: 60_000 });
    await panel.getByRole('button', { name: 'Sites durchsehen' }).click();
    await panel.getByRole('heading', { name: 'Sites durchsehen' }).waitFor();
    await panel.getByText('Der Dienst würde jede Site annehmen.').waitFor({ timeout: 60_000 });
    expect(await sticksOut(await panelDocument(page))).toEqual([]);
    await context.close();
  });
});

test('German words fit in the column beside the editor and in the sign-in', async () => {
  const context = await world.browser.newContext({ locale: 'de-DE', colorScheme: 'light', viewport: { width: 320, height: 1400 } });
  const page = await context.newPage();
  const { addresses } = world.sandbox;
  for (const route of ['page-properties', 'sync-status', '']) {
    await page.goto(`${addresses.extension}/#/${route}?author=${encodeURIComponent(addresses.author)}&path=/content/wknd/ch`);
    await page.getByRole('heading').first().waitFor();
    expect(await sticksOut(page.mainFrame())).toEqual([]);
  }
  await context.close();
});

/** What is wider than the document, and words that are cut off, outside of what may scroll by itself. */
async function sticksOut(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getClientRects().length > 0 && !scrolls(element.parentElement))
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`);
  });
}
