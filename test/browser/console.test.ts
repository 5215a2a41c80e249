import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { openExtension, startConstellation } from '../support/constellation.ts';
import type { Constellation } from '../support/constellation.ts';

const ADA = 'ada.admin@example.com';
let constellation: Constellation;
beforeAll(async () => {
  constellation = await startConstellation();
});
afterAll(() => constellation.stop());
afterEach(async () => {
  const { port } = new URL(constellation.sandbox.addresses.author);
  const headers = { 'content-type': 'application/json' };
  await fetch(`http://localhost:${port}/sandbox/faults`, { method: 'POST', headers, body: JSON.stringify({ mode: 'none' }) });
});

describe('the console of the sandbox', () => {
  test('shows what is set for the page that is selected by keyboard', async () => {
    const { page, context } = await constellation.openConsole(ADA);
    await page.getByRole('row', { name: /^Tarnfell$/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Tarnfell Summit School' }).count()).toBe(1);
    expect(await propertiesOf(page)).toMatch(/Organization\s*wknd\s*Site name\s*summit\s*Technical account\s*p100-e200@techacct/);
    await context.close();
  });

  test('opens the tree level by level and names the page that a configuration is inherited from', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/wknd/ch/de' });
    await page.getByRole('row', { name: 'Switzerland' }).waitFor();
    expect(await propertiesOf(page)).toMatch(/Configuration in force\s*\/conf\/wknd/);
    await context.close();
  });

  test('frames the extension on another origin with the sandbox attributes of the real host and no others', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    const extension = await openExtension(page, 'Site setup');
    await extension.getByRole('heading', { name: 'Tarnfell Summit School' }).waitFor();
    const frame = page.getByRole('dialog').locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts allow-forms allow-same-origin');
    expect(await frame.getAttribute('src')).toContain(constellation.sandbox.addresses.extension);
    expect(constellation.sandbox.addresses.extension).not.toBe(constellation.sandbox.addresses.console);
    await context.close();
  });

  test('puts a stand-in into trouble and out of it again', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    await provoke(page, 'Answers 503');
    await page.getByRole('row', { name: 'Tarnfell Harbour House' }).click();
    await page.getByText('The authoring system is in trouble (503)').waitFor();
    await provoke(page, 'Works');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 2, name: 'Tarnfell Harbour House' }).waitFor();
    await context.close();
  });

  test.each(['light', 'dark'] as const)('has no violation that axe can find (%s)', async (colorScheme) => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit', colorScheme });
    await page.getByRole('button', { name: 'Site setup' }).waitFor();
    await propertiesOf(page);
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  test('says that a stranger may read nothing', async () => {
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

async function propertiesOf(page: Page): Promise<string> {
  return await page.getByRole('article', { name: 'Page properties' }).innerText();
}

async function provoke(page: Page, trouble: string): Promise<void> {
  await page.getByRole('button', { name: 'Surroundings' }).click();
  const picker = page.getByRole('button', { name: /Authoring system/ });
  await picker.click();
  await page.getByRole('option', { name: trouble }).click();
  await expect.poll(() => picker.textContent()).toContain(trouble);
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await picker.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}
