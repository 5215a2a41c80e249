import type { Locator, Page } from 'playwright-core';
import { choosePlace, closePanel, openOrganization, openPanel, visit } from './panel.ts';
import { openRail } from './sync-panel.ts';

/** The screens that show the state of a site. */
export const SCREENS = ['page properties', 'content tree', 'all sites', 'sync status'] as const;
export type Screen = (typeof SCREENS)[number];

export interface SiteCase {
  /** The label of the state. */
  readonly word: string;
  readonly path: string;
  /** The service's site; absent if it has none, so that the list has none either. */
  readonly site?: string;
}

/** One site of the sandbox in each state. */
export const CASES: readonly SiteCase[] = [
  { word: 'In order', path: '/content/wknd', site: 'wknd' },
  { word: 'Differs', path: '/content/wknd/it/it', site: 'wknd-it-it' },
  { word: 'Has errors', path: '/content/ferry', site: 'ferry' },
  { word: 'Not set up', path: '/content/summit' },
];

export interface Shown {
  readonly screen: Screen;
  readonly word: string;
  /** The colour of the dot beside the label. */
  readonly colour: string;
}

/** Called for each element when it has loaded. */
export type OnShown = (shown: Shown, shownAt: Locator) => Promise<void>;

/** Goes through the screens of a page, lets each check, and reports what it shows about the page's site. */
export async function walkScreens(page: Page, { word, path, site }: SiteCase, onShown: OnShown): Promise<void> {
  await visit(page, path);
  const panel = await openPanel(page);
  await report('page properties', panel.locator('.rp-header'));

  await openOrganization(panel);
  await choosePlace(panel, 'Content tree');
  const row = panel.getByRole('treegrid').locator('.rp-grid-active');
  await row.getByRole('rowheader').waitFor();
  if (site !== undefined)
    await check(panel.getByRole('button', { name: 'Check', exact: true }), panel.getByText(/checked/).filter({ visible: true }));
  await report('content tree', row);

  if (site !== undefined) {
    await choosePlace(panel, 'All sites');
    await panel.getByRole('searchbox', { name: 'Search name, repository or path' }).fill(site);
    await panel.getByRole('row', { name: new RegExp(`^${site} `) }).waitFor();
    await check(panel.getByRole('button', { name: 'Check', exact: true }), panel.getByText(/checked/).filter({ visible: true }));
    await report('all sites', panel.getByRole('row', { name: new RegExp(`^${site} `) }));
  }
  await closePanel(page);
  const rail = await openRail(page);
  await report('sync status', rail.locator('.rp-sync-head'));

  async function report(screen: Screen, shownAt: Locator): Promise<void> {
    const badge = shownAt.locator('.rp-badge');
    await shownAt.getByText(word, { exact: true }).waitFor({ timeout: 60_000 });
    const colour = await badge.evaluate((element) => getComputedStyle(element, '::before').backgroundColor);
    await onShown({ screen, word: await badge.innerText(), colour }, shownAt);
  }
}

async function check(button: Locator, end: Locator): Promise<void> {
  await button.click();
  await end.waitFor({ timeout: 120_000 });
}
