import type { FrameLocator, Page } from 'playwright-core';
import { openPlace } from './panel.ts';
import { ADA, type World } from './world.ts';

/** Opens the content tree of the extension and waits until its first level is there. */
export async function openTree(page: Page): Promise<FrameLocator> {
  const panel = await openPlace(page, 'Content tree');
  await panel.getByRole('treegrid', { name: 'Pages' }).waitFor();
  return panel;
}

/** A row of the tree, by its title and the name of its page. */
export function treeRow(panel: FrameLocator, name: string | RegExp) {
  return panel.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name });
}

/** Opens the list of all sites at the fleet. */
export async function openList(world: World, colorScheme: 'light' | 'dark' = 'light') {
  const { page, context } = await world.openConsole(ADA, { at: '/content/fleet', colorScheme, viewport: { width: 1440, height: 1100 } });
  const panel = await openPlace(page, 'All sites');
  await panel.getByRole('grid', { name: 'Sites of the organization' }).waitFor();
  return { page, context, panel };
}

/** Finds the one site of a name in the list of all sites, and selects it. */
export async function chooseSite(panel: FrameLocator, site: string): Promise<void> {
  await panel.getByRole('searchbox').fill(site);
  await panel.getByText(/^1 of [\d,]+ sites$/).waitFor();
  const grid = panel.getByRole('grid', { name: 'Sites of the organization' });
  await grid.press('Home');
  await grid.press(' ');
}

/** Selects all locales below a page of the tree. */
export async function chooseLocales(panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: 'Locales' }).click();
  await panel.getByText(/^\d+ selected\.$/).waitFor({ timeout: 60_000 });
}

/** Goes from the selection to the review, and waits until the service has answered the dry run of every row. */
export async function review(panel: FrameLocator, within = 60_000): Promise<void> {
  await panel.getByRole('button', { name: /^Review \d+ sites?$/ }).click();
  await panel.getByText('Every site can be set up.').waitFor({ timeout: within });
}
