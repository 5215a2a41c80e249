import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, beforeAll } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { axeOf, choosePlace, flaws, hasFocus, openPanel, openPlace, panelDocument } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const SITE = '/config/wknd/sites/wknd-ch-de';
const PAGE = '/content/wknd/ch/de';
const WIDTHS = [320, 375, 768, 1440];

const world = worldBeforeAll();
beforeAll(async () => {
  await world.call('POST', `${SITE}/headers.json`, { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] });
});

async function openConfiguration(page: Page): Promise<FrameLocator> {
  const panel = await openPanel(page);
  await choosePlace(panel, 'Configuration');
  await panel.getByRole('heading', { name: 'Configuration of “wknd-ch-de”' }).waitFor();
  await panel.getByRole('heading', { name: 'Headers', exact: true }).waitFor();
  return panel;
}

/** A header that the preview host sends to a new visitor. */
async function headerAt(name: string): Promise<string | undefined> {
  const context = await world.browser.newContext();
  const visitor = await context.newPage();
  const answer = await visitor.goto(`http://main--wknd-ch-de--wknd.${world.sandbox.addresses.previewDomain}/`);
  const value = answer?.headers()[name];
  await context.close();
  return value;
}

describe('In the configuration of a site', () => {
  test('headers and robots.txt are previewed, saved, answered by the preview host, and undone', async () => {
    const { page } = await world.openConsole(ADA, { at: PAGE, viewport: { width: 1440, height: 1000 } });
    const panel = await openConfiguration(page);
    expect(await flaws(page, ...WIDTHS)).toEqual([]);
    await panel.getByRole('button', { name: 'Add a header' }).click();
    const header = panel.getByRole('group', { name: 'Header 2' });
    await page.keyboard.type('permissions-policy');
    await header.getByRole('textbox', { name: /^Value/ }).fill('camera=()');
    await panel.locator('summary', { hasText: 'robots.txt' }).focus();
    await page.keyboard.press('Enter');
    await panel.getByRole('textbox', { name: 'Text of robots.txt' }).fill('User-agent: *\nDisallow: /drafts');
    await panel.getByRole('button', { name: 'Preview changes' }).click();
    const preview = panel.getByRole('list', { name: 'Preview of your changes' });
    await preview.getByText('Headers of /**: permissions-policy: camera=() added').waitFor();
    expect(await flaws(page, ...WIDTHS)).toEqual([]);
    expect(await headerAt('permissions-policy')).not.toBe('camera=()');
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText('Your changes were saved.').waitFor();
    expect(await headerAt('permissions-policy')).toBe('camera=()');
    expect((await world.stored(`${SITE}.json`)).body).toMatchObject({ robots: { txt: 'User-agent: *\nDisallow: /drafts' } });
    expect(await flaws(page, ...WIDTHS)).toEqual([]);
    await panel.getByRole('button', { name: 'Undo…' }).click();
    await preview.getByText('Headers of /**: permissions-policy: camera=() removed').waitFor();
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText('Your changes were saved.').waitFor();
    expect(await headerAt('permissions-policy')).not.toBe('camera=()');
    expect((await world.stored(`${SITE}.json`)).body).not.toHaveProperty('robots');
  });

  test('every section opens, in dark mode and at any width, and the focus returns', async () => {
    const { page } = await world.openConsole(ADA, { at: PAGE, colorScheme: 'dark', viewport: { width: 1440, height: 1000 } });
    const panel = await openConfiguration(page);
    await panel.getByRole('button', { name: 'Expand all' }).click();
    await panel.getByRole('textbox', { name: 'CDN as JSON' }).waitFor();
    await panel.getByRole('button', { name: 'Add a plugin' }).click();
    await panel.getByRole('textbox', { name: /^Identifier/ }).fill('library');
    expect(await flaws(page, ...WIDTHS)).toEqual([]);
    await panel.getByRole('link', { name: 'Setup', exact: true }).click();
    await panel.getByText('Your change is not saved yet').waitFor();
    await panel.getByRole('button', { name: 'Leave without saving' }).click();
    await panel.getByRole('heading', { name: /Planned steps|Completed steps/ }).waitFor();
  });

  test('unsaved changes are preserved on “Stay”: a link to all sites and Escape ask first', async () => {
    const { page } = await world.openConsole(ADA, { at: PAGE, viewport: { width: 1440, height: 1000 } });
    const panel = await openConfiguration(page);
    await panel.getByRole('button', { name: 'Expand all' }).click();
    await panel.getByRole('button', { name: 'Add a plugin' }).click();
    const typed = panel.getByRole('textbox', { name: /^Identifier/ });
    await typed.fill('library');
    const question = panel.getByText('Your change is not saved yet');

    await panel.getByRole('link', { name: 'All sites of “wknd”' }).click();
    await question.waitFor();
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Stay', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    expect(await typed.inputValue()).toBe('library');
    expect(await (await panelDocument(page)).evaluate(() => location.hash)).toMatch(/^#\/page-properties\?.*place=configuration/);

    await typed.focus();
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await typed.inputValue()).toBe('library');
    expect(await hasFocus(typed)).toBe(true);
    await page.keyboard.press('Escape');
    await pressEnter(panel.getByRole('button', { name: 'Leave without saving' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a view that could not be loaded shows an error, and loads on retry', async () => {
    const { page, context } = await world.openConsole(ADA, { at: PAGE, viewport: { width: 1440, height: 1000 } });
    const panel = await openPanel(page);
    const chunk = /\/ConfigurationPanel-[^/]*\.js$/;
    await context.route(chunk, (route) => route.abort());
    await choosePlace(panel, 'Configuration');
    const alert = panel.getByRole('alert').filter({ hasText: 'Couldn’t load this part of the panel.' });
    await alert.waitFor();
    expect(await flaws(page, ...WIDTHS)).toEqual([]);
    await context.unroute(chunk);
    await pressEnter(alert.getByRole('button', { name: 'Try again' }));
    await panel.getByRole('heading', { name: 'Configuration of “wknd-ch-de”' }).waitFor();
  });

  test('the configuration opens from the details of a site in the list, by keyboard only, and returns there', async () => {
    const { page } = await world.openConsole(ADA, { at: PAGE, viewport: { width: 1440, height: 1000 } });
    const panel = await openPlace(page, 'All sites');
    await panel.getByRole('searchbox').fill('wknd-ch-de');
    await panel.getByRole('row', { name: /^wknd-ch-de / }).click();
    const opener = panel.getByRole('button', { name: 'Configuration of “wknd-ch-de”' });
    await pressEnter(opener);
    const title = panel.getByRole('heading', { name: 'Configuration of “wknd-ch-de”' });
    await title.waitFor();
    expect(await hasFocus(title)).toBe(true);
    await panel.getByRole('heading', { name: 'Headers', exact: true }).waitFor();
    await pressEnter(panel.getByRole('link', { name: 'All sites of “wknd”' }));
    await opener.waitFor();
  });
});
