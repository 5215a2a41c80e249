import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { test } from '../support/shared-constellation.ts';
import { openPanel, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

test('A keyboard user signs in, enables repoless and undoes everything', async () => {
  const path = await world.addSite('keys');
  const context = await world.browser.newContext();
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(`${world.sandbox.addresses.console}/#${path}`);
  await pressAt(page, page.getByRole('button', { name: 'Sign in' }), 'Enter');
  await page.getByLabel('E-mail').waitFor();
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(ADA);
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type('sandbox');
  await page.keyboard.press('Enter');

  await page.getByRole('button', { name: 'Repoless sites' }).waitFor();
  await page.getByRole('article', { name: 'Page properties' }).waitFor();
  await pressAt(page, page.getByRole('button', { name: 'Repoless sites' }), 'Enter');
  const panel = page.getByRole('dialog').frameLocator('iframe');
  await panel.getByRole('button', { name: 'Enable repoless' }).waitFor();
  await pressAt(page, panel.getByRole('button', { name: 'Enable repoless' }), 'Enter');
  const setUp = panel.getByRole('heading', { name: /This page is set up/ });
  await setUp.waitFor();
  await expect.poll(() => hasFocus(setUp)).toBe(true);
  expect(await ringOf(setUp)).toBe('solid');

  await pressAt(page, panel.locator('summary', { hasText: 'Register' }), 'Enter');
  await panel.getByRole('listitem').filter({ hasText: 'Register the site' }).first().waitFor();
  await pressAt(page, panel.getByRole('button', { name: 'Undo setup…' }), 'Space');
  await expect.poll(() => hasFocus(panel.getByRole('heading', { name: 'Undo setup' }))).toBe(true);
  await pressAt(page, panel.getByRole('checkbox', { name: 'I understand the consequences' }), 'Space');
  await pressAt(page, panel.getByRole('button', { name: 'Undo setup now' }), 'Enter');
  const done = panel.locator('.rp-notice[tabindex="-1"]', { hasText: /^The site “keys” is removed/ });
  await done.waitFor();
  await expect.poll(() => hasFocus(done)).toBe(true);
  expect(await world.projectType('/conf/keys')).toBe('1');
  await context.close();
});

test('A failure and its reason get the focus, and the run continues from there', async () => {
  const { page } = await world.openConsole(ADA);
  await visit(page, await world.addSite('failing'));
  const panel = await openPanel(page);
  await panel.getByRole('button', { name: 'Enable repoless' }).focus();
  await world.fault('authoring-system', { mode: 'forbidden', path: '/bin/wcmcommand' });
  await page.keyboard.press('Enter');
  const failure = panel.getByRole('alert').filter({ hasText: '“Create the configuration page” failed' });
  await failure.waitFor();
  await expect.poll(() => hasFocus(failure)).toBe(true);
  await world.fault('authoring-system', { mode: 'none' });
  await pressAt(page, panel.getByRole('button', { name: 'Try again from the failed step' }), 'Enter', 1);
  await panel.getByRole('heading', { name: /This page is set up/ }).waitFor();
});

/** Presses Tab until the target has the focus, with a visible ring, then presses a key. */
async function pressAt(page: Page, target: Locator, key: 'Enter' | 'Space', atMost?: number): Promise<void> {
  await tabTo(page, target, atMost);
  await page.keyboard.press(key);
}

async function tabTo(page: Page, target: Locator, atMost = 40): Promise<void> {
  await target.waitFor();
  if (await hasFocus(target)) return;
  for (let pressed = 0; pressed < atMost; pressed++) {
    await page.keyboard.press('Tab');
    if (await hasFocus(target)) return expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
  }
  throw new Error(`Pressing Tab ${atMost} times does not reach ${String(target)}.`);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => document.hasFocus() && element.contains(document.activeElement));
}

function ringOf(target: Locator): Promise<string> {
  return target.evaluate((element) => getComputedStyle(element).outlineStyle);
}
