import type { FrameLocator, Page } from 'playwright-core';
import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { ADA } from './world.ts';
import type { World } from './world.ts';

/** A call that changes something, as an administrator makes it elsewhere. Throws where it is refused. */
export async function changeElsewhere(
  world: Pick<World, 'sandbox'>,
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<void> {
  const { addresses } = world.sandbox;
  const headers = { 'x-auth-token': await serviceTokenOf(ADA, addresses), 'content-type': 'application/json' };
  const answer = await fetch(`${addresses.backend}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** What both hosts of a site answer, the preview host first: status or configuration. */
export async function bothHosts({ sandbox, served }: World, site: string): Promise<unknown[]> {
  const { previewDomain, liveDomain } = sandbox.addresses;
  return Promise.all([previewDomain, liveDomain].map((domain) => served(`http://main--${site}--wknd.${domain}/config.json`)));
}

/** A version in the list, by what it says. */
export function versionRow(panel: FrameLocator, name: RegExp) {
  return panel.getByRole('list', { name: 'Versions' }).getByRole('button', { name });
}

/** How often somebody presses a button of the mouse or a key for something; how long it takes them is a matter of the machine. */
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
