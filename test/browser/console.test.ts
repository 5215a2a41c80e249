import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { cloneOf } from '../support/code-world.ts';
import { type Constellation, openExtension } from '../support/constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { test } from '../support/shared-constellation.ts';

const ADA = 'ada.admin@example.com';
let constellation: Constellation;
test.beforeAll(async ({ kept }) => {
  constellation = await kept.take();
});
afterAll(() => constellation.stop());
afterEach(async () => {
  const { port } = new URL(constellation.sandbox.addresses.author);
  const headers = { 'content-type': 'application/json' };
  await fetch(`http://localhost:${port}/sandbox/faults`, { method: 'POST', headers, body: JSON.stringify({ mode: 'none' }) });
});

describe('the console of the sandbox', () => {
  test('shows the settings of the page selected by keyboard', async () => {
    const { page, context } = await constellation.openConsole(ADA);
    await page.getByRole('row', { name: /^Tarnfell$/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Tarnfell Summit School' }).count()).toBe(1);
    expect(await propertiesOf(page)).toMatch(/Organization\s*wknd\s*Site name\s*summit\s*Technical account\s*p100-e200@techacct/);
    await context.close();
  });

  test('expands the tree level by level and names the page that a configuration is inherited from', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/wknd/ch/de' });
    await page.getByRole('row', { name: 'Switzerland' }).waitFor();
    expect(await propertiesOf(page)).toMatch(/Configuration in force\s*\/conf\/wknd/);
    await context.close();
  });

  test('frames the extension on another origin with exactly the sandbox attributes of the real host', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    const extension = await openExtension(page, 'Repoless sites');
    await extension.getByRole('heading', { name: 'Tarnfell Summit School' }).waitFor();
    const frame = page.getByRole('dialog').locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts allow-forms allow-same-origin');
    expect(await frame.getAttribute('allow')).toBe("clipboard-read 'none'; clipboard-write 'none'");
    expect(await frame.getAttribute('src')).toContain(constellation.sandbox.addresses.extension);
    expect(constellation.sandbox.addresses.extension).not.toBe(constellation.sandbox.addresses.console);
    await context.close();
  });

  test('starts and ends a simulated fault of a stand-in', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    await provoke(page, 'Answers 503');
    await page.getByRole('row', { name: 'Tarnfell Harbour House' }).click();
    await page.getByText('The authoring system failed (503)').waitFor();
    await provoke(page, 'Works');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 2, name: 'Tarnfell Harbour House' }).waitFor();
    await context.close();
  });

  test.each(['light', 'dark'] as const)('has no axe violations (%s)', async (colorScheme) => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit', colorScheme });
    await page.getByRole('button', { name: 'Repoless sites' }).waitFor();
    await propertiesOf(page);
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  test('saves project type, organization, site name and technical account, by keyboard', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/orchard' });
    await pressEnter(page.getByRole('button', { name: 'Edit', exact: true }));
    const form = page.getByRole('form', { name: 'Edge Delivery configuration' });
    await pressEnter(form.getByRole('button', { name: /Project type/ }));
    await page.getByRole('option', { name: 'Edge Delivery with repoless configuration' }).press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await form.getByLabel('Organization').fill('wknd-kitchens');
    await form.getByLabel('Site name').fill('orchard-kitchen');
    await form.getByLabel('Technical account').fill('p100-e300@techacct.example.com');
    expect(await axeViolations(page)).toEqual([]);
    await pressEnter(form.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.').waitFor();
    expect(await propertiesOf(page)).toMatch(EDITED);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit');
    await page.reload();
    await page.getByText('orchard-kitchen').waitFor();
    expect(await propertiesOf(page)).toMatch(EDITED);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByLabel('Organization').fill('nobody');
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await propertiesOf(page)).toMatch(EDITED);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByLabel('Technical account').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('p100-e200@techacct.example.com').waitFor();
    await context.close();
  });

  test('shows inherited settings with the page where they can be edited', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/wknd/ch/it' });
    await page.getByText('Inherited from /content/wknd. Select that page in the content tree to edit these values.').waitFor();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    await context.close();
  });

  test('shows the authoring system’s refusal to a user without write permission', async () => {
    const { page, context } = await constellation.openConsole('nora.neighbour@example.com', { at: '/content/summit' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Site name').fill('mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The authoring system returned 422: invalid payload').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await propertiesOf(page)).toMatch(/Site name\s*summit/);
    await context.close();
  });

  test('shows a page in the editor, and a blank page if an editor file is missing', async () => {
    await served('head.html', 200);
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/legacy' });
    await pressEnter(page.getByRole('button', { name: 'Open in the editor' }));
    const frame = page.locator('iframe[title="Page in the editor"]');
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
    await page.frameLocator('iframe[title="Page in the editor"]').getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('white page').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    const { addresses, dataDir } = constellation.sandbox;
    const clone = await cloneOf(addresses.codeHost, 'wknd/legacy', join(dataDir, 'clone'));
    await clone.push({ 'component-models.json': undefined });
    const token = await serviceTokenOf(ADA, addresses);
    const sync = await fetch(`${addresses.backend}/code/wknd/legacy/main`, { method: 'POST', headers: { 'x-auth-token': token } });
    expect(sync.status).toBe(202);
    await served('component-models.json', 404);

    await pressEnter(page.getByRole('button', { name: 'Back to the properties' }));
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open in the editor');
    await pressEnter(page.getByRole('button', { name: 'Open in the editor' }));
    await page.getByRole('heading', { name: 'The editor shows a white page' }).waitFor();
    const missing = page.getByRole('article', { name: 'Page editor' }).getByRole('listitem');
    expect(await missing.allInnerTexts()).toEqual([
      `http://main--legacy--wknd.${addresses.previewDomain}/component-models.json answers 404`,
    ]);
    expect(await frame.contentFrame().locator('body').innerHTML()).toBe('');
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  test('reports missing read access to a user without permissions', async () => {
    const page = await (await constellation.browser.newContext()).newPage();
    await page.goto(constellation.sandbox.addresses.console);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill('sam.stranger@example.com');
    await page.getByLabel('Password').fill('sandbox');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/does not let you read this|no pages that you may read/).waitFor();
    await page.context().close();
  });
});

const EDITED = /Organization\s*wknd-kitchens\s*Site name\s*orchard-kitchen\s*Technical account\s*p100-e300@techacct\.example\.com/;

/** Waits until the site's preview host answers with this status; the console forwards the request. */
async function served(file: string, status: number): Promise<void> {
  const address = `${constellation.sandbox.addresses.console}/preview/main--legacy--wknd/${file}`;
  await expect.poll(async () => (await fetch(address)).status, { timeout: 60_000 }).toBe(status);
}

async function propertiesOf(page: Page): Promise<string> {
  return await page.getByRole('article', { name: 'Page properties' }).innerText();
}

async function provoke(page: Page, fault: string): Promise<void> {
  await page.getByRole('button', { name: 'Simulate faults' }).click();
  const picker = page.getByRole('button', { name: /Authoring system/ });
  await picker.click();
  await page.getByRole('option', { name: fault }).click();
  await expect.poll(() => picker.textContent()).toContain(fault);
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await picker.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}
