import { describe, expect, beforeAll } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { offered } from '../support/on-both.ts';
import { test } from '../support/shared-constellation.ts';
import { closePanel, enable, hasFocus, hold, isInView, openFields, openPanel, openPlace, speakGerman, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();
let page: Page;
beforeAll(async () => {
  ({ page } = await world.openConsole(ADA, { at: '/content/summit' }));
});

describe('In the host’s dialog', () => {
  test('the first Tab leads to a visible element, and Escape closes the dialog from within the frame', async () => {
    await openPanel(page);
    await page.keyboard.press('Tab');
    expect(await focusInView(page)).toBe(true);
    const panel = page.getByRole('dialog').frameLocator('iframe');
    await openFields(panel);
    await panel.getByRole('textbox', { name: 'Site name' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a link leads to the invalid field, wherever it is', async () => {
    const panel = await openPanel(page);
    const name = panel.getByRole('textbox', { name: 'Site name' });
    await openFields(panel);
    await name.fill('');
    await panel.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    await panel.getByRole('button', { name: 'Go to “Site name”' }).click();
    await expect.poll(() => isInView(page, name)).toBe(true);
    expect(await hasFocus(name)).toBe(true);
    await closePanel(page);
  });

  test.skipIf(!offered('sign-in-with-a-code'))('a sign-in that ends while a long page is scrolled is renewed in view', async () => {
    const panel = await openPanel(page);
    await openFields(panel);
    const context = page.context();
    const sent = page.waitForRequest((request) => request.headers()['x-auth-token'] !== undefined);
    const reading = await hold(context, (request) => request.method() === 'GET' && request.url().includes('/another.json'));
    await panel.getByRole('textbox', { name: 'Site name' }).fill('another');
    await reading.reached;
    await panel.getByRole('heading', { level: 1 }).hover();
    await page.mouse.wheel(0, 100_000);
    await expect.poll(() => isInView(page, panel.getByRole('heading', { level: 1 }))).toBe(false);
    // Only now, because any earlier read would ask to sign in again before the page is scrolled.
    await context.route('**/auth/exchange', (route) => route.fulfill({ status: 401 }));
    await world.revoke((await sent).headers()['x-auth-token'] ?? '');
    reading.release();
    const title = panel.getByRole('heading', { name: 'Sign in again' });
    await title.waitFor();
    expect(await isInView(page, title)).toBe(true);
    expect(await isInView(page, panel.getByRole('button', { name: 'Sign in with a code' }))).toBe(true);
    expect(await hasFocus(title)).toBe(true);
    await context.unroute('**/auth/exchange');
    await page.keyboard.press('Escape');
    await closePanel(page);
  });

  test('the confirmation of the undo scrolls into view with its buttons, and has the focus', async () => {
    const panel = await openPanel(page);
    await enable(panel);
    await panel.getByRole('button', { name: 'Undo setup…' }).click();
    const heading = panel.getByRole('heading', { name: 'Undo setup' });
    await expect.poll(() => isInView(page, heading)).toBe(true);
    expect(await hasFocus(heading)).toBe(true);
    await panel.getByRole('checkbox', { name: 'I understand the consequences' }).check();
    expect(await isInView(page, panel.getByRole('button', { name: 'Undo setup now' }))).toBe(true);
    await panel.getByRole('button', { name: 'Undo setup now' }).click();
    const done = panel.getByText(/ is removed, and the authoring system has its previous values/).last();
    await done.waitFor();
    await expect.poll(() => isInView(page, done)).toBe(true);
    await closePanel(page);
  });
});

test('The details of a selected site scroll into view', async () => {
  await visit(page, await world.addSite('chosen'));
  await enable(await openPanel(page));
  await closePanel(page);
  const panel = await openPlace(page, 'All sites');
  await panel.getByRole('row', { name: /^chosen / }).click();
  const heading = panel.getByRole('heading', { name: 'Site “chosen”' });
  await expect.poll(() => isInView(page, heading)).toBe(true);
  expect(await hasFocus(heading)).toBe(true);
  await panel.getByRole('button', { name: 'Remove this site…' }).click();
  const removal = panel.getByRole('heading', { name: 'Remove the site “chosen”' });
  await expect.poll(() => isInView(page, removal)).toBe(true);
  await panel.getByText(/^\/content\/chosen still has the project type repoless\./).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('The buttons of the header follow the language without a reload', async () => {
  await page.getByRole('button', { name: 'Repoless sites' }).waitFor();
  await speakGerman(page);
  await page.getByRole('button', { name: 'Repoless-Sites' }).waitFor();
  await page.getByRole('button', { name: 'Sync-Status' }).waitFor();
});

/** Whether the focused element, in the frame or around it, is within the window. */
async function focusInView(on: Page): Promise<boolean> {
  const frame: FrameLocator = on.getByRole('dialog').frameLocator('iframe');
  const inFrame = await frame.locator('body').evaluate(() => document.hasFocus());
  const focused = inFrame ? frame.locator('*:focus') : on.locator('*:focus');
  return (await focused.count()) === 1 && isInView(on, focused);
}
