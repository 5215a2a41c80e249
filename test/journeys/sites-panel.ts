import type { FrameLocator, Page } from 'playwright-core';
import { openPlace, panelDocument } from './panel.ts';
import { axeViolations } from '../support/axe.ts';

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

export async function axeOf(page: Page): Promise<string[]> {
  return axeViolations(await panelDocument(page));
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
