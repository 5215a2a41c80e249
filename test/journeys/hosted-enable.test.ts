import type { BrowserContext } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, enable, openOrganization, openPanel, steps, undoSetup } from './panel.ts';
import { ADA, startWorld, type World } from './world.ts';

let world: World;
test.beforeAll(async ({ kept }) => {
  world = await startWorld({ kept, hosted: true });
});
afterAll(async () => {
  expect(world.sandbox.hosted?.violations).toEqual([]);
  await world.stop();
});

/** Calls that the service does not offer, and those that failed. */
function unanswered(context: BrowserContext, service: string): string[] {
  const found: string[] = [];
  context.on('response', (response) => {
    const status = response.status();
    if (response.url().startsWith(service) && status >= 500) found.push(`${response.request().method()} ${response.url()} ${status}`);
  });
  return found;
}

test('an author enables repoless on the vendor’s hosted service, looks at the site and at all others, and puts everything back', async () => {
  const { sandbox, content } = world;
  const before = { content: await content('/content/summit'), conf: await content('/conf/summit') };
  const { page, context } = await world.openConsole(ADA, { at: '/content/summit' });
  const failed = unanswered(context, sandbox.addresses.backend);
  const panel = await openPanel(page);
  await enable(panel);
  expect((await steps(panel)).filter((step) => !step.endsWith(': Already done'))).toEqual([]);
  expect(await world.projectType('/conf/summit')).toBe('4');
  const writes = sandbox.hosted?.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/sites/summit'));
  expect(writes?.map(({ method, status }) => [method, status])).toEqual([['PUT', 201]]);

  for (const place of ['Health', 'Configuration', 'Access', 'History']) {
    await choosePlace(panel, place);
    await panel.locator('[role="progressbar"]').first().waitFor({ state: 'detached' });
    expect([place, ...failed, ...(await panel.getByRole('alert').allInnerTexts())]).toEqual([place]);
  }
  await panel.getByText('ada.admin@example.com').first().waitFor();
  await openOrganization(panel);
  await panel
    .getByRole('row', { name: /summit/ })
    .first()
    .waitFor();
  const places = panel.getByRole('navigation', { name: 'Views' });
  expect(await places.getByRole('link', { name: /^Notifications/ }).count()).toBe(0);
  await closePanel(page);
  await openPanel(page);

  await undoSetup(panel);
  expect(await content('/content/summit')).toEqual(before.content);
  expect(await content('/conf/summit')).toEqual(before.conf);
  expect((await world.stored('/config/wknd/sites/summit.json')).status).toBe(404);
  expect(failed).toEqual([]);
  await context.close();
});
