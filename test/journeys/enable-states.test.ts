import { WELCOMED } from '@repoless/extension/host/storage.ts';
import { describe, expect } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { openExtension } from '../support/constellation.ts';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, hold, isWrite, openPanel, panelDocument, undoSetup, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

describe.each(['light', 'dark'] as const)('Every state of the panel is without axe violations, %s', (colorScheme) => {
  /** Axe violations in the panel's document, with the name of the state. */
  const violationsIn = async (state: string, page: Page): Promise<string[]> => {
    const target = page.url().startsWith(world.sandbox.addresses.extension) ? page : await panelDocument(page);
    return (await axeViolations(target)).map((violation) => `${state}: ${violation}`);
  };
  const unfold = (panel: FrameLocator): Promise<void> =>
    panel.locator('details').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')));

  test('from reading to the undo', async () => {
    const found: string[] = [];
    const path = await world.addSite(colorScheme);
    const { page, context } = await world.openConsole(ADA, { at: path, colorScheme });
    const reading = await hold(context, (request) => request.url().includes('/authoring/'));
    let panel = await openExtension(page, 'Repoless sites');
    await panel.getByText('Reading the current settings…').waitFor();
    await reading.reached;
    found.push(...(await violationsIn('reading', page)));
    reading.release();
    await panel.getByRole('button', { name: 'Enable repoless' }).waitFor();
    found.push(...(await violationsIn('plan', page)));
    await unfold(panel);
    found.push(...(await violationsIn('plan, unfolded', page)));

    const registering = await hold(context, (request) => isWrite(request) && request.method() === 'PUT');
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    await registering.reached;
    await panel.getByRole('progressbar', { name: 'Setting up the site' }).waitFor();
    found.push(...(await violationsIn('running', page)));
    await world.fault('authoring-system', { mode: 'forbidden', path: '/conf' });
    registering.release();
    await panel.getByText(/” failed$/).waitFor();
    found.push(...(await violationsIn('failed', page)));
    await world.fault('authoring-system', { mode: 'none' });
    await panel.getByRole('button', { name: 'Try again from the failed step' }).click();
    await panel.getByRole('heading', { name: /This page is set up/ }).waitFor();
    found.push(...(await violationsIn('done', page)));
    await unfold(panel);
    found.push(...(await violationsIn('done, everything unfolded', page)));
    await choosePlace(panel, 'Health');
    await panel.getByRole('radio', { name: 'The editor shows a white page' }).click();
    await panel.getByText('Reload the editor without its cache.').waitFor();
    found.push(...(await violationsIn('symptom', page)));
    await choosePlace(panel, 'Setup');
    await panel.getByRole('button', { name: 'Undo setup…' }).click();
    await panel.getByRole('button', { name: 'Undo setup now' }).waitFor();
    found.push(...(await violationsIn('undo, to be confirmed', page)));
    await panel.getByRole('button', { name: 'Keep the setup' }).click();
    await undoSetup(panel);
    found.push(...(await violationsIn('put back', page)));
    await closePanel(page);

    await visit(page, '/content/wknd/at/de');
    panel = await openPanel(page);
    await panel.getByText('Blocked').first().waitFor();
    await unfold(panel);
    found.push(...(await violationsIn('blocked', page)));
    await closePanel(page);
    await world.fault('authoring-system', { mode: 'down' });
    panel = await openExtension(page, 'Repoless sites');
    await panel.getByRole('heading', { name: 'Couldn’t read the current settings' }).waitFor();
    found.push(...(await violationsIn('nothing could be read', page)));
    await world.fault('authoring-system', { mode: 'none' });
    await closePanel(page);
    await page.getByRole('switch', { name: 'Share sign-in with the extension' }).click();
    panel = await openExtension(page, 'Repoless sites');
    await panel.getByRole('alert').waitFor();
    found.push(...(await violationsIn('sign-in not shared', page)));
    expect(found).toEqual([]);
  });

  test('on a first visit, from a glossary term to the repair of a finding', async () => {
    const found: string[] = [];
    const { page, context } = await world.openConsole(ADA, { at: '/content/ferry', colorScheme });
    await context.addInitScript((key) => localStorage.removeItem(key), WELCOMED);
    const panel = await openPanel(page);
    await panel.getByRole('region', { name: 'What you can do here' }).waitFor();
    found.push(...(await violationsIn('first visit', page)));
    await panel.getByRole('button', { name: 'Got it' }).click();
    await panel.getByRole('button', { name: 'Glossary: Technical account' }).click();
    await panel
      .getByRole('dialog')
      .getByText(/^The account with which/)
      .waitFor();
    found.push(...(await violationsIn('term', page)));
    await page.keyboard.press('Escape');
    await choosePlace(panel, 'Health');
    await panel.getByRole('link', { name: /^Fix ?: Publishing by the technical account$/ }).click();
    await expect.poll(() => panel.locator(':focus').textContent()).toBe('Grant access');
    await panel.getByRole('button', { name: 'Repair 1 difference' }).waitFor();
    found.push(...(await violationsIn('review of a repair', page)));
    expect(found).toEqual([]);
  });

  test('in its own window: the start page, signing in, the code', async () => {
    const { addresses } = world.sandbox;
    const context = await world.browser.newContext({ colorScheme });
    const page = await context.newPage();
    await page.goto(`${addresses.extension}/`);
    await page.getByRole('heading', { name: 'Enable repoless for a site' }).waitFor();
    const found = await violationsIn('start', page);
    await page.getByRole('button', { name: 'Open page properties' }).click();
    await page.getByText('Enter a path that starts with /content/.').waitFor();
    found.push(...(await violationsIn('start, nothing written', page)));
    await page.getByLabel('Address of the authoring system').fill(addresses.author);
    await page.getByLabel('Path of the site’s root page').fill('/content/summit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to the configuration service' }).waitFor();
    found.push(...(await violationsIn('sign-in', page)));
    await page.getByRole('button', { name: 'Sign in with a code' }).click();
    await page.getByText(/^[A-Z]{4}-[A-Z]{4}$/).waitFor();
    found.push(...(await violationsIn('code', page)));
    await context.close();
    expect(found).toEqual([]);
  });
});
