import { expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { choosePlace } from './panel.ts';
import { chooseLocales, openTree, treeRow } from './sites-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll({ hosted: true, grown: { sites: 8, pagesPerSite: 1 } });

test('a site manager sets up eight locales on the hosted service', async () => {
  const { page } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1440, height: 1100 } });
  const panel = await openTree(page);
  await treeRow(panel, /Grown grown Root/).click();
  await treeRow(panel, /Grown grown Root/).click();
  await chooseLocales(panel);
  await panel.getByText('8 pages selected').waitFor();
  await panel.getByRole('button', { name: 'Review 8 sites' }).click();
  await panel.getByText('Every site can be set up.').waitFor({ timeout: 120_000 });
  await panel.getByRole('button', { name: 'Set up 8 sites' }).click();
  await panel.getByText('All 8 sites are set up.').waitFor({ timeout: 240_000 });
  await panel.getByRole('button', { name: 'Back to the tree' }).click();
  await choosePlace(panel, 'All sites');
  const rows = panel.getByRole('grid', { name: 'Sites of the organization' }).getByRole('row', { name: /grown-.*In order/ });
  await rows.nth(7).waitFor();
  const writes = world.sandbox.hosted?.requests.filter(
    ({ method, path, status }) => method === 'PUT' && status === 201 && path.includes('/sites/grown-'),
  );
  expect(writes).toHaveLength(8);
}, 480_000);
