import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, describe, expect } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { startTestBackend } from '../support/backend.ts';
import type { Constellation } from '../support/constellation.ts';
import { test } from '../support/shared-constellation.ts';

let constellation: Constellation;
test.beforeAll(async ({ kept }) => {
  constellation = await kept.take();
});
afterAll(() => constellation.stop());

async function signedIn(context: BrowserContext, name: RegExp): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${constellation.sandbox.addresses.backend}/admin`);
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
}

describe.each(['light', 'dark'] as const)('the operator page, %s', (colorScheme) => {
  test('opens after sign-in, and is readable on a narrow screen', async () => {
    const context = await constellation.browser.newContext({ colorScheme, viewport: { width: 320, height: 640 } });
    const page = await signedIn(context, /Ada Admin/);
    await page.getByRole('heading', { level: 1, name: 'State of the service' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin');
    expect(await axeViolations(page)).toEqual([]);
    const nodes = page.getByRole('region', { name: 'Nodes' });
    expect(await nodes.getByRole('columnheader').allTextContents()).toEqual(['Node', 'Running']);
    expect(await nodes.getByRole('rowheader').textContent()).toContain('(this node)');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByRole('heading', { level: 1, name: 'State of the service' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  test('denies access to everyone else with a message', async () => {
    const context = await constellation.browser.newContext({ colorScheme });
    const page = await signedIn(context, /Sam Stranger/);
    await page.getByRole('heading', { level: 1, name: 'For operators only' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });
});

test('the operator page of the hosted service asks for a token, which never leaves the page', async () => {
  const hosted = await startHosted();
  const front = await startTestBackend({ claim: false, settings: { UPSTREAM: hosted.address, OPERATORS: EXAMPLE.admin } });
  const context = await constellation.browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(`${front.address}/admin`);
  expect(await axeViolations(page)).toEqual([]);
  const show = async (token: string) => {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Show the state of the service' }).click();
  };
  await show('made-up');
  await page.getByText('The hosted service does not accept this token.').waitFor();
  await show(hosted.token('session', { email: EXAMPLE.admin }));
  await page.getByRole('heading', { name: `Answers of the hosted service at ${hosted.address}` }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.getByRole('link', { name: 'Refresh' }).click();
  await page.getByRole('region', { name: /^Answers of the hosted service/ }).waitFor();
  expect([new URL(page.url()).href, await page.evaluate('sessionStorage.length + localStorage.length')]).toEqual([
    `${front.address}/admin`,
    0,
  ]);
  await context.close();
  await front.stop();
  await hosted.close();
});
