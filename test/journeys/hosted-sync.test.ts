import { expect } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { UNSUPPORTED_IN_VIEWS } from '../support/on-both.ts';
import { pressEnter } from '../support/press-enter.ts';
import { test } from '../support/shared-constellation.ts';
import { openRail, railDocument } from './sync-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll({ hosted: true });

test('an admin starts and stops a sync on the hosted service, and a push appears by itself', async () => {
  const { hosted } = world.sandbox;
  const { page } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1280, height: 1000 } });
  const rail = await openRail(page);
  await rail.getByText('15 sites share this code. It is synced once for all of them.').waitFor();
  await rail.getByText('Up to date', { exact: true }).waitFor();
  expect(await axeViolations(await railDocument(page))).toEqual([]);

  hosted?.set({ jobMs: 600_000 });
  await pressEnter(rail.getByRole('button', { name: 'Sync code: main' }));
  await rail.getByText('Collecting changes').waitFor();
  await rail.getByText(ADA).waitFor();
  await pressEnter(rail.getByRole('button', { name: 'Stop: main' }));
  await rail.getByText('Stopped', { exact: true }).first().waitFor();

  hosted?.set({ jobMs: 0 });
  await hosted?.push('wknd', 'wknd', 'main');
  await rail.getByText('Up to date', { exact: true }).waitFor();
  await rail.locator('summary', { hasText: 'Sync history (3 syncs)' }).click();
  await pressEnter(rail.getByRole('button', { name: /^Details/ }).first());
  await rail.getByRole('list', { name: 'Syncs of main' }).getByText('someone.else@example.com').first().waitFor();

  await rail.getByRole('switch', { name: 'All sites of wknd' }).press(' ');
  await rail.getByText('16 sites in 2 repositories').waitFor();
  await rail.getByText(UNSUPPORTED_IN_VIEWS['external-repositories']).waitFor();
  expect(await rail.getByText(/^Couldn’t/).count()).toBe(0);
});
