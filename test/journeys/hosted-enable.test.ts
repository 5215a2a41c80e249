import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, enable, openOrganization, openPanel, steps } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll({ hosted: true });

/** Collects calls that the service does not offer, and failed ones. */
function unanswered(context: BrowserContext, service: string): string[] {
  const found: string[] = [];
  context.on('response', (response) => {
    const status = response.status();
    if (response.url().startsWith(service) && status >= 500) found.push(`${response.request().method()} ${response.url()} ${status}`);
  });
  return found;
}

test('a site that an author set up with one write to the hosted service appears in all places of the site and its organization', async () => {
  const { sandbox } = world;
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
  expect(failed).toEqual([]);
});

test('a panel that was closed before the hosts followed says so when it is reopened, and finishes when they have', async () => {
  const { hosted } = world.sandbox;
  hosted?.set({ configDelayMs: 3_600_000 });
  const { page } = await world.openConsole(ADA, { at: await world.addSite('patient') });
  const panel = await openPanel(page);
  await panel.getByRole('button', { name: 'Enable repoless' }).click();
  const awaited =
    /main--patient--wknd\S+\/config\.json doesn’t return the stored configuration yet\. On the hosted service it usually follows/;
  await panel.getByText(awaited).first().waitFor();
  await closePanel(page);

  const again = await openPanel(page);
  await again.getByText(awaited).first().waitFor();
  const plan = await steps(again);
  expect(plan).toContain('Register the site: Already done');
  expect(plan.at(-1)).toBe('Switch the project type to repoless: Will change');
  expect(await world.projectType('/conf/patient')).toBe('1');
  await again.getByRole('button', { name: /^Finish setup: \d+ steps$/ }).click();
  await again.getByText(/Waiting, attempt/).waitFor();
  hosted?.set({ configDelayMs: 0 });
  await again.getByRole('heading', { name: /This page is set up for repoless/ }).waitFor();
  expect(await world.projectType('/conf/patient')).toBe('4');
});
