import { expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { enable, flaws, openPanel } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const WIDTHS = [320, 768, 1440];
const WITHIN = { timeout: 60_000 };

const world = worldBeforeAll();

test('A selected site moves to another environment and back, by keyboard only, in dark mode', { timeout: 180_000 }, async () => {
  const { author, secondAuthor } = world.sandbox.addresses;
  const origin = async () => {
    const { body } = await world.stored('/config/wknd/sites/summit.json');
    return body as { content: { source: { url: string } }; access: { admin: { role: { config_admin: string[] } } } };
  };
  const { page } = await world.openConsole(ADA, {
    at: '/content/summit',
    colorScheme: 'dark',
    viewport: { width: 1440, height: 1000 },
  });
  const panel = await openPanel(page);
  await enable(panel);
  const before = await origin();

  await pressEnter(panel.getByRole('link', { name: 'All sites of “wknd”' }));
  await panel.getByRole('searchbox').press('s');
  await page.keyboard.type('ummit');
  await panel.getByText(/^1 of \d+ sites$/).waitFor();
  const grid = panel.getByRole('grid', { name: 'Sites of the organization' });
  await grid.press('Home');
  await grid.press(' ');
  await pressEnter(panel.getByRole('button', { name: /^Move \d+ to another environment…$/ }));
  // The environment of other sites is offered, and preselected if it is the only one.
  const other = panel.getByRole('combobox', { name: 'Address of the other author' });
  await other.press('End');
  expect(await other.inputValue()).toBe(secondAuthor);
  expect(await flaws(page, ...WIDTHS)).toEqual([]);
  await pressEnter(panel.getByRole('button', { name: 'Plan the move' }));
  await panel.getByText(`${secondAuthor}/content/summit`).waitFor(WITHIN);
  expect(await flaws(page, ...WIDTHS)).toEqual([]);
  await pressEnter(panel.getByRole('button', { name: 'Move 1 site' }));
  await panel.getByText('The site is in the new environment.').waitFor(WITHIN);
  expect(await flaws(page, ...WIDTHS)).toEqual([]);
  const moved = await origin();
  expect(moved.content.source.url).toBe(before.content.source.url.replace(author, secondAuthor));
  expect(moved.access.admin.role.config_admin).toEqual(['p100-e300@techacct.example.com']);

  await pressEnter(panel.getByRole('button', { name: 'Move 1 site back…' }));
  await panel.getByText(`${author}/content/summit`, { exact: true }).waitFor(WITHIN);
  expect(await flaws(page, ...WIDTHS)).toEqual([]);
  await pressEnter(panel.getByRole('button', { name: 'Move 1 site', exact: true }));
  await panel.getByText('The site is in the new environment.').waitFor(WITHIN);
  expect((await origin()).content).toEqual(before.content);
});
