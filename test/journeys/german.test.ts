import { describe, expect } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { extensionFrame } from '../support/constellation.ts';
import { test } from '../support/shared-constellation.ts';
import { openPlace, panelDocument, speakGerman, overflowsOf } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

describe.each([
  ['page properties before and after the setup', onPageProperties],
  ['the content tree and its review', inTheTree],
])('German text fits in %s', (_, walk) => {
  test('at the usual width and at 320 pixels', async () => {
    const overflowing: Record<string, string[]> = {};
    const inspect = async (state: string, page: Page): Promise<void> => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 2400 });
        overflowing[`${state}, ${width}`] = await overflowsOf(await panelDocument(page));
      }
    };
    const states = await walk(inspect);
    expect(overflowing).toEqual(Object.fromEntries(states.flatMap((state) => [320, 1280].map((width) => [`${state}, ${width}`, []]))));
  });
});

type Inspect = (state: string, page: Page) => Promise<void>;

async function onPageProperties(inspect: Inspect): Promise<string[]> {
  const { page } = await germanConsole(await world.addSite('fit'));
  const panel = await open(page, 'Repoless-Sites');
  await panel.getByRole('button', { name: 'Repoless aktivieren' }).waitFor();
  await panel.locator('details').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')));
  await inspect('before', page);
  await panel.getByRole('button', { name: 'Repoless aktivieren' }).click();
  await panel.getByRole('heading', { name: /^Diese Seite ist als Site/ }).waitFor();
  await inspect('after', page);
  return ['before', 'after'];
}

async function inTheTree(inspect: Inspect): Promise<string[]> {
  const { page } = await germanConsole('/content/wknd/ch');
  const panel = await openPlace(page, 'Inhaltsbaum');
  await panel.getByRole('treegrid', { name: 'Seiten' }).waitFor();
  await inspect('tree', page);
  await panel.getByRole('button', { name: 'Sprachräume' }).click();
  await panel.getByText(/^\d+ gewählt\.$/).waitFor({ timeout: 60_000 });
  await panel.getByRole('button', { name: /^\d+ Sites? durchsehen$/ }).click();
  await panel.getByRole('heading', { name: /^\d+ Sites? einrichten$/ }).waitFor();
  await panel.getByText('Jede Site kann eingerichtet werden.').waitFor({ timeout: 60_000 });
  await inspect('review', page);
  return ['tree', 'review'];
}

async function germanConsole(at: string) {
  const opened = await world.openConsole(ADA, { at, colorScheme: 'light', viewport: { width: 1280, height: 2400 } });
  await speakGerman(opened.page);
  return opened;
}

async function open(page: Page, button: string): Promise<FrameLocator> {
  await page.getByRole('toolbar').getByRole('button', { name: button }).click();
  return extensionFrame(page);
}

test('German text fits in the column beside the editor and in the sign-in', async () => {
  const context = await world.browser.newContext({ locale: 'de-DE', colorScheme: 'light', viewport: { width: 320, height: 1400 } });
  const page = await context.newPage();
  const { addresses } = world.sandbox;
  for (const route of ['page-properties', 'sync-status', '']) {
    await page.goto(`${addresses.extension}/#/${route}?author=${encodeURIComponent(addresses.author)}&path=/content/wknd/ch`);
    await page.getByRole('heading').first().waitFor();
    expect(await overflowsOf(page.mainFrame())).toEqual([]);
  }
  await context.close();
});
