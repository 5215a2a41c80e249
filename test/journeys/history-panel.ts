import type { FrameLocator, Page } from 'playwright-core';
import { type World } from './world.ts';

/** The answers of a site's hosts, the preview host first: status or configuration. */
export async function bothHosts({ sandbox, served }: World, site: string): Promise<unknown[]> {
  const { previewDomain, liveDomain } = sandbox.addresses;
  return Promise.all([previewDomain, liveDomain].map((domain) => served(`http://main--${site}--wknd.${domain}/config.json`)));
}

/** A version in the list, by its text. */
export function versionRow(panel: FrameLocator, name: RegExp) {
  return panel.getByRole('list', { name: 'Versions' }).getByRole('button', { name });
}

/** How many clicks and key presses something takes; the time would depend on the machine. */
export async function actsOf(page: Page, work: () => Promise<void>): Promise<number> {
  for (const frame of page.frames()) await frame.evaluate(countActs);
  await work();
  const counts = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => Number(document.documentElement.dataset['acts'] ?? 0))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Runs in the page. */
function countActs(): void {
  const { dataset } = document.documentElement;
  dataset['acts'] = '0';
  const count = () => void (dataset['acts'] = String(Number(dataset['acts']) + 1));
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, count, true);
}
