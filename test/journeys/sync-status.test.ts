import { describe, expect, beforeAll } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { axeViolations } from '../support/axe.ts';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { enterWebhook, openRail, push, railDocument, register } from './sync-panel.ts';
import { axeOf, closePanel, enable, openFields, openPanel, steps, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();
let page: Page;
let rail: FrameLocator;
beforeAll(async () => {
  await world.addSite('shop');
  await register(world, 'shop');
  await register(world, 'shop-fr');
  ({ page } = await world.openConsole(ADA, { at: '/content/shop', viewport: { width: 1280, height: 1000 } }));
  rail = await openRail(page);
});

const style = (site: string) => `http://main--${site}--wknd.${world.sandbox.addresses.previewDomain}/styles/styles.css`;

describe('An administrator at the side panel', () => {
  test('sees the sites that share the page’s code, in a narrow column', async () => {
    await rail.getByRole('heading', { level: 2, name: 'wknd/wknd' }).waitFor();
    await rail.getByRole('heading', { level: 3, name: 'main' }).waitFor();
    await rail.getByText('Up to date', { exact: true }).waitFor();
    await readable();
  });

  test('onboards an external repository, links it, and stores the one-time secret', async () => {
    await rail.getByRole('switch', { name: 'All sites of wknd' }).press(' ');
    await pressEnter(rail.getByRole('button', { name: 'Onboard a repository…' }));
    await rail.getByRole('textbox', { name: 'Name' }).fill('Storefront');
    await rail.getByRole('textbox', { name: 'HTTPS clone address' }).fill(`${world.sandbox.addresses.vendorHost}/northwind/storefront.git`);
    await rail.getByLabel('Access token').fill(ACCESS_TOKEN);
    await readable();
    await rail.getByLabel('Access token').press('Enter');
    await rail.getByRole('heading', { level: 2, name: 'Storefront' }).waitFor();
    await pressEnter(rail.getByRole('button', { name: 'Create the webhook' }));
    const credentials = rail.getByRole('group', { name: /The webhook’s credentials/ });
    await credentials.waitFor();
    const [address = '', secret = ''] = await credentials.locator('code').allInnerTexts();
    await enterWebhook(world, address, secret);
    await readable();
    await pressEnter(credentials.getByRole('button', { name: 'I have entered them' }));

    await link('shop', 'Link…');
    const once = rail.getByRole('group', { name: 'The new secret, shown only once' });
    await readable();
    await pressEnter(once.getByRole('button', { name: 'Use the repository for “shop” and store it' }));
    await once.getByText('Stored with “shop”. Sync its code now.').waitFor();
    await pressEnter(once.getByRole('button', { name: 'I have copied it' }));
  });

  test('syncs it, and sees a push arrive and served by itself', async () => {
    await rail.getByRole('switch', { name: 'All sites of wknd' }).press(' ');
    await rail.getByText('One site uses this code.').waitFor();
    await pressEnter(rail.getByRole('button', { name: 'Sync code: main' }));
    await rail.getByText('Up to date', { exact: true }).waitFor();
    const commit = await push(world, 'styles/styles.css', 'body { color: rebeccapurple; }\n');
    await rail
      .locator('dd code', { hasText: commit.slice(0, 10) })
      .first()
      .waitFor();
    await rail.getByText('Up to date', { exact: true }).waitFor();
    expect(await world.served(style('shop'))).toContain('rebeccapurple');
    await readable();
  });

  test('rolls its sites back to the previous commit with one press, and forward again', async () => {
    await rail.getByText('Roll back to an earlier commit').first().click();
    await pressEnter(rail.getByRole('button', { name: /^Roll back to [0-9a-f]{10} \w/ }));
    const notice = rail.getByRole('group', { name: 'An earlier commit is served' });
    await notice.waitFor();
    expect(await world.served(style('shop'))).not.toContain('rebeccapurple');
    await readable();
    await pressEnter(notice.getByRole('button', { name: 'Forward again: main' }));
    await notice.waitFor({ state: 'hidden' });
    expect(await world.served(style('shop'))).toContain('rebeccapurple');
  });

  test('sets up another site on it from page properties, without a secret, and its code is served', async () => {
    await visit(page, await world.addSite('shop-de'));
    const panel = await openPanel(page);
    await openFields(panel);
    await panel.getByRole('radio', { name: 'External repository' }).check();
    await panel.getByText('The site “shop” holds the secret of this repository; this site needs none.').waitFor();
    expect(await steps(panel)).not.toContainEqual(expect.stringContaining('secret'));
    expect(await axeOf(page)).toEqual([]);
    await enable(panel);
    expect(JSON.stringify((await world.stored('/config/wknd/sites/shop-de/code.json')).body)).not.toContain('secretId');
    await closePanel(page);
    expect(await world.served(style('shop-de'))).toContain('rebeccapurple');
    await visit(page, '/content/shop');
    rail = await openRail(page);
  });

  test('links it to another site: the first one’s sync fails, the panel explains why, and the new secret pasted there fixes it', async () => {
    await link('shop-fr', 'Link…');
    const once = rail.getByRole('group', { name: 'The new secret, shown only once' });
    await once.getByText('The previous secret of “shop” was revoked.').waitFor();
    const secret = await once.locator('code').innerText();
    await pressEnter(once.getByRole('button', { name: 'I have copied it' }));
    await pressEnter(rail.getByRole('button', { name: 'Sync code: main' }));
    const meaning = rail.getByRole('group', { name: 'What it means' });
    await meaning.getByText('Unable to fetch hlxignore: 401').waitFor();
    await meaning.getByText(/revoked when the repository was linked to another site/).waitFor();
    await readable();
    await page.getByRole('switch', { name: 'Dark' }).press(' ');
    await rail.locator('[style*="color-scheme: dark"]').first().waitFor();
    await readable();
    await page.getByRole('switch', { name: 'Dark' }).press(' ');
    await meaning.getByLabel('New secret').fill(secret);
    await meaning.getByLabel('New secret').press('Enter');
    await rail.getByText('Up to date', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('sees all sites again when the rail is reopened', async () => {
    await rail.getByRole('switch', { name: 'All sites of wknd' }).press(' ');
    await page.getByRole('button', { name: 'Close Sync status' }).click();
    rail = await openRail(page);
    expect(await rail.getByRole('switch', { name: 'All sites of wknd' }).isChecked()).toBe(true);
    await rail.getByRole('heading', { level: 2, name: 'Repositories', exact: true }).waitFor();
  });

  test('creates another site of the repository in one click, whose code is served', async () => {
    await pressEnter(rail.getByRole('button', { name: /^Storefront Linked/ }));
    await rail.getByText('Create a site', { exact: true }).press('Enter');
    await rail.getByRole('textbox', { name: 'Site name' }).fill('summer');
    await rail.getByRole('textbox', { name: 'Site name' }).press('Enter');
    await rail.getByText('The site “summer” is registered. Its code is being synced.').waitFor();
    await readable();
    await expect.poll(() => world.served(style('summer')), { timeout: 30_000 }).toContain('rebeccapurple');
  });
});

async function link(site: string, button: string): Promise<void> {
  await rail.getByRole('combobox', { name: 'Site' }).fill(site);
  await rail.getByRole('combobox', { name: 'Site' }).press('Escape');
  // Its suggestions are outside all landmarks until it is closed.
  await rail.getByRole('listbox').waitFor({ state: 'hidden' });
  await pressEnter(rail.getByRole('button', { name: button }));
  await pressEnter(rail.getByRole('button', { name: 'Link now' }));
}

/** Expects no axe violations, and nothing wider than the column. */
async function readable(): Promise<void> {
  const frame = await railDocument(page);
  expect(await axeViolations(frame)).toEqual([]);
  expect(await frame.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true);
}
