import { OrgChecks } from '@repoless/contract/site-check.ts';
import type { FrameLocator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { pressEnter } from '../support/press-enter.ts';
import { test } from '../support/shared-constellation.ts';
import { axeOf, flaws, openFields } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';
import { chooseSite, openList } from './sites-panel.ts';

/** Two of them have errors: one inherits its configuration, the other lacks the technical account. */
const FLEET = 40;
const WRONG = ['fleet-ad-en', 'fleet-aj-de'] as const;
const WITHIN = 120_000;
const world = worldBeforeAll({ fleet: FLEET });

const tile = (panel: FrameLocator, name: string | RegExp) =>
  panel.getByRole('group', { name: 'Sites by state' }).getByRole('button', { name });
const row = (panel: FrameLocator, name: RegExp) =>
  panel.getByRole('grid', { name: 'Sites of the organization' }).getByRole('row', { name });

describe('The overview of all sites', () => {
  test('shows the states of stored checks, and repairs failed ones in one run', async () => {
    const { page, context, panel } = await openList(world);
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('searchbox').fill('fleet');
    await panel.getByText(new RegExp(`^${FLEET} of`)).waitFor();
    await panel.getByRole('button', { name: 'Check', exact: true }).click();
    await panel.getByText(`${FLEET} sites checked.`).waitFor({ timeout: WITHIN });
    const checks = await checked();
    expect(checks.filter(({ authoring }) => authoring?.by === ADA)).toHaveLength(FLEET);
    expect(checks.filter(({ state }) => state !== 'in-order').map(({ name }) => name)).toEqual(WRONG);

    // A number filters the list to its sites, and the window's address preserves that.
    await tile(panel, /Has errors$/).click();
    await panel.getByText(/^1 of \d+ sites$/).waitFor();
    expect(await panel.locator('body').evaluate(() => location.hash)).toContain('state=faulty');
    await panel.getByRole('button', { name: /^Publishing by the technical account/ }).click();
    await row(panel, new RegExp(`^${WRONG[1]} .*Publishing by the technical account`)).waitFor();
    await panel.getByRole('button', { name: 'Show all sites' }).click();

    // Its page inherits the parent site's configuration, and is nevertheless set up as a root.
    await panel.getByRole('searchbox').fill(WRONG[0]);
    await row(panel, new RegExp(`^${WRONG[0]} `)).click();
    await panel.getByRole('button', { name: 'Open setup' }).click();
    await panel.locator('.rp-header .rp-code').getByText('/content/fleet/ad/en', { exact: true }).waitFor();
    await panel.getByRole('heading', { name: 'Planned steps' }).waitFor();
    await panel.getByRole('link', { name: 'All sites of “wknd”' }).click();
    await panel.getByRole('button', { name: 'Close the details' }).click();

    for (const name of WRONG) {
      await chooseSite(panel, name);
    }
    await panel.getByText('2 sites selected').waitFor();
    // The bar covers no row: it is visible below the list.
    const [bar, list] = [panel.getByRole('group', { name: 'Actions for the selected sites' }), panel.getByRole('grid')];
    expect((await bar.boundingBox())?.y).toBeGreaterThan((await list.boundingBox())?.y ?? Infinity);
    expect(await bar.boundingBox().then((box) => (box?.y ?? Infinity) + (box?.height ?? 0))).toBeLessThan(1100);
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Repair 2…' }).click();
    await panel.getByText('Every site can be repaired.').waitFor({ timeout: WITHIN });
    await panel.getByRole('region', { name: 'What changes' }).waitFor();
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Repair 2 sites' }).click();
    await panel.getByText(/^All 2 sites are repaired/).waitFor({ timeout: WITHIN });
    await panel.getByRole('button', { name: 'Back to all sites' }).click();
    await tile(panel, /In order$/).waitFor();
    await panel
      .getByRole('region', { name: 'Last seven days' })
      .getByText(new RegExp(`^${ADA} `))
      .first()
      .waitFor();

    await expect.poll(async () => (await checked()).filter(({ state }) => state !== 'in-order'), { timeout: WITHIN }).toEqual([]);
    await context.close();
    const again = await openList(world, 'dark');
    await tile(again.panel, new RegExp(`^${FLEET} In order`)).waitFor();
    expect(await axeOf(again.page)).toEqual([]);
    await again.context.close();
  }, 300_000);

  test('leads from a finding to its repair and back, by keyboard only', async () => {
    const { page, panel } = await openList(world, 'dark');
    const grid = panel.getByRole('grid', { name: 'Sites of the organization' });
    await grid.focus();
    await grid.press('f');
    await grid.press('e');
    await grid.press('Enter');
    await panel.getByRole('heading', { name: 'Site “ferry”' }).waitFor();
    expect(await axeOf(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { level: 2, name: 'Tarnfell Island Ferry' }).waitFor();
    await pressEnter(panel.getByRole('link', { name: 'Health' }));
    await panel.getByRole('heading', { name: 'Check this site' }).waitFor();
    await pressEnter(panel.getByRole('link', { name: 'All sites of “wknd”' }));
    await panel.getByRole('heading', { name: 'Site “ferry”' }).waitFor();
    await panel.getByRole('listitem').filter({ hasText: 'Publishing by the technical account' }).first().waitFor();
    await pressEnter(panel.getByRole('button', { name: 'Open setup' }));
    await pressEnter(panel.locator('.rp-offer').getByRole('button').first());
    await panel.getByRole('heading', { name: /^This page is set up for repoless/ }).waitFor({ timeout: WITHIN });
    await pressEnter(panel.getByRole('link', { name: 'All sites of “wknd”' }));
    await panel.getByRole('region', { name: 'Site “ferry”' }).getByText('In order', { exact: true }).waitFor({ timeout: WITHIN });
  }, 120_000);

  test('clones a site, opens its setup, and simulates another mapping on its pages', async () => {
    const { page, panel } = await openList(world);
    await panel.getByRole('searchbox').fill('ferry');
    await row(panel, /^ferry /).click();
    await panel.getByRole('button', { name: 'Clone this site…' }).click();
    await panel.getByRole('textbox', { name: 'Name of the new site' }).fill('summit');
    await panel.getByRole('textbox', { name: 'Content root of the new site' }).fill('/content/summit');
    await page.keyboard.press('Enter');
    await panel.getByText('Mapping of / changed from /content/ferry/ to /content/summit/').waitFor();
    const tooWide = (items: Element[]) => items.filter((item) => item.scrollWidth > item.clientWidth).map((item) => item.textContent);
    expect(
      await panel
        .getByRole('list', { name: /^Differences/ })
        .getByRole('listitem')
        .evaluateAll(tooWide),
    ).toEqual([]);
    expect(await flaws(page, 375, 1440)).toEqual([]);
    expect(await world.versions('summit')).toEqual([]);
    await panel.getByRole('button', { name: 'Create the site “summit”' }).click();
    await panel.getByText('The site “summit” was created with the configuration of “ferry”.').waitFor();
    expect(await axeOf(page)).toEqual([]);
    expect(await world.versions('summit')).toEqual([1]);

    await panel.getByRole('button', { name: 'Open setup' }).click();
    await openFields(panel);
    await panel.getByRole('textbox', { name: 'Configuration page' }).fill('/content/summit/about');
    await panel.getByRole('button', { name: 'Simulate on the pages' }).click();
    await panel.getByText(/^1 page gets a different address, \d+ pages stay as they are\.$/).waitFor();
    const [affected] = await panel.getByRole('list', { name: 'Affected pages' }).getByRole('button').all();
    await affected?.press('Enter');
    expect(await affected?.innerText()).toBe('/content/summit/about\n/about → /.helix/config.json');
    await panel.getByText('/content/summit/about: /about → /.helix/config.json').waitFor();
    expect(await flaws(page, 375, 1440)).toEqual([]);
  }, 120_000);
});

async function checked(): Promise<OrgChecks['sites']> {
  const { body } = await world.stored('/config/wknd/checks.json?limit=1000');
  return OrgChecks.parse(body).sites.filter(({ name }) => name.startsWith('fleet'));
}
