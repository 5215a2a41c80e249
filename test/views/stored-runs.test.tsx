import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { storedRuns } from '@repoless/extension/features/rows-run/stored-runs.ts';
import { pressEnabled } from './in-surface.tsx';
import { reviewCountry, reviewLocales, show } from './render-sites.tsx';
import { violations } from './render-page.tsx';
import { addCountry, createSitesWorld, siteOf } from './sites-world.ts';
import { problem, SERVICE } from './world.ts';

beforeEach(() => localStorage.clear());

const NAME = { name: 'Site name of /content/wknd/ch/fr' };

test('A new run does not change a stored one', async () => {
  const { world, ...first } = await reviewCountry('fr');
  await first.person.clear(await screen.findByRole('textbox', NAME));
  await first.person.type(screen.getByRole('textbox', NAME), 'edited-by-hand');
  const { send } = world.ports.service;
  const failure = problem('STORAGE_FULL', 507, 'The storage is full.');
  Object.assign(world.ports.service, { send: async () => ({ state: 'failed', failure }) });
  await pressEnabled(first.person, 'Set up 1 site');
  await screen.findByRole('alert');
  first.close();

  // Another country of the same base site, in another tab.
  const other = createSitesWorld();
  addCountry(other, 'ch', ['it']);
  Object.assign(other.ports, { now: () => new Date('2026-03-05T05:06:07.000Z') });
  const second = show(other);
  await reviewLocales(second.person);
  await pressEnabled(second.person, 'Set up 1 site');
  await screen.findByText('The site is set up.');
  await second.person.click(screen.getByRole('button', { name: 'Back to the tree' }));
  const notice = await screen.findByRole('region', { name: 'Unfinished run' });
  within(notice).getByText(/Setup of 1 site for the base site “wknd” started/);
  expect(storedRuns(localStorage, SERVICE, 'wknd').all()[0]?.rows).toMatchObject([{ siteName: 'edited-by-hand' }]);
  second.close();

  Object.assign(world.ports.service, { send });
  const third = show(world);
  await third.person.click(await screen.findByRole('button', { name: /^Continue with 1 site$/ }));
  await pressEnabled(third.person, 'Set up 1 site');
  await screen.findByText('The site is set up.');
  expect(world.sites.has('edited-by-hand')).toBe(true);
  expect(storedRuns(localStorage, SERVICE, 'wknd').all()).toMatchObject([{ rows: [] }, { rows: [] }]);
});

test('Input in the review is preserved while the tree is shown', async () => {
  const { world, person } = await reviewCountry('de', 'fr');
  await person.clear(await screen.findByRole('textbox', NAME));
  await person.type(screen.getByRole('textbox', NAME), 'edited-by-hand');
  await person.click(screen.getByRole('button', { name: 'Back to the tree' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Content tree' })));
  await person.click(await screen.findByRole('button', { name: /^Review \d+ sites?$/ }));
  expect(await screen.findByRole('textbox', NAME)).toHaveProperty('value', 'edited-by-hand');
  await pressEnabled(person, 'Set up 2 sites');
  await screen.findByText('All 2 sites are set up.');
  expect([...world.sites.keys()].toSorted()).toEqual(['edited-by-hand', 'wknd', 'wknd-ch-de']);
});

test('A stored run preserves that the include list was emptied', () => {
  const row = { id: '/content/wknd/ch/fr', siteName: 'fr', contentRoot: '/content/wknd/ch/fr', mappings: [], technicalAccount: '' };
  const run = { base: 'wknd', author: 'https://author', page: '/content/wknd', environments: [], started: '2026-03-04T05:06:07.000Z' };
  const runs = storedRuns(localStorage, SERVICE, 'wknd');
  runs.store({ ...run, rows: [{ ...row, givesUpIncludes: true }] });
  expect(runs.all()[0]?.rows).toEqual([{ ...row, givesUpIncludes: true }]);
  runs.remove(run);
  expect(runs.all()).toEqual([]);
});

test('A run can be undone after its tab was closed, with its writes before the interruption', async () => {
  const { world, ...first } = await reviewCountry('de', 'fr');
  world.refuse = (path) => (path.includes('/conf/wknd/ch-fr/') ? problem('STORAGE_FULL', 507, 'The storage is full.') : undefined);
  await pressEnabled(first.person, 'Set up 2 sites');
  await screen.findByRole('alert');
  first.close();
  world.refuse = () => undefined;
  const second = show(world);
  await second.person.click(await screen.findByRole('button', { name: /^Continue with 1 site$/ }));
  await pressEnabled(second.person, 'Set up 1 site');
  await screen.findByText('The site is set up.');
  expect([...world.sites.keys()].toSorted()).toEqual(['wknd', 'wknd-ch-de', 'wknd-ch-fr']);
  second.close();

  const third = show(world);
  await screen.findByText(/^2 sites were set up on March 4, 2026/);
  expect(await violations()).toEqual([]);
  await third.person.click(screen.getByRole('button', { name: 'Undo 2 sites…' }));
  await third.person.click(await screen.findByRole('checkbox', { name: 'I understand the consequences' }));
  await third.person.click(screen.getByRole('button', { name: 'Undo now' }));
  await screen.findByText('Undone on 2 of 2 sites.');
  expect([...world.sites.keys()]).toEqual(['wknd']);
  expect([...world.configurations.keys()]).toEqual(['/conf/wknd']);
  expect(world.pages.has('/content/wknd/ch/fr/configuration')).toBe(false);
  expect(localStorage).toHaveLength(0);
});

test('A continued repair is still called a repair, and does not change the code or the people of a site', async () => {
  const world = createSitesWorld();
  addCountry(world, 'ch', ['fr']);
  const site = siteOf('wknd-ch-fr', '/content/wknd/ch/fr', 'other');
  world.sites.set('wknd-ch-fr', site);
  const first = show(world, 'organization');
  await first.person.type(await screen.findByRole('searchbox'), 'wknd-ch-fr');
  await first.person.click(await screen.findByRole('checkbox', { name: 'Select all 1 shown' }));
  await first.person.click(screen.getByRole('button', { name: 'Repair 1…' }));
  await screen.findByRole('heading', { name: 'Repair 1 site' });
  world.refuse = (path) => (path.includes('/conf/wknd/ch-fr/') ? problem('STORAGE_FULL', 507, 'The storage is full.') : undefined);
  await pressEnabled(first.person, 'Repair 1 site');
  await screen.findByText('1 site failed; 0 are repaired.');
  first.close();

  world.refuse = () => undefined;
  const second = show(world);
  await screen.findByText(/^Repair of 1 site started on March 4, 2026/);
  await second.person.click(screen.getByRole('button', { name: 'Continue with 1 site' }));
  await screen.findByRole('heading', { name: 'Repair 1 site' });
  expect(screen.queryByText('Base site')).toBeNull();
  await pressEnabled(second.person, 'Repair 1 site');
  await screen.findByText(/^The site is repaired and verified\./);
  expect(world.sites.get('wknd-ch-fr')).toMatchObject({ code: site.code, access: site.access });
  expect(world.configurations.has('/conf/wknd/ch-fr')).toBe(true);
  await second.person.click(screen.getByRole('button', { name: 'Back to the tree' }));
  await screen.findByText(/^1 site was repaired on March 4, 2026/);
  await second.person.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/^1 site was repaired/)).toBeNull();
  expect(localStorage).toHaveLength(0);
});

test('A repair skips a site changed after the review, names the author, and shows it again', async () => {
  const world = createSitesWorld();
  addCountry(world, 'ch', ['de', 'fr']);
  for (const locale of ['de', 'fr']) world.sites.set(`wknd-ch-${locale}`, siteOf(`wknd-ch-${locale}`, `/content/wknd/ch/${locale}`));
  const { person } = show(world, 'organization');
  await person.type(await screen.findByRole('searchbox'), 'wknd-ch-');
  await person.click(await screen.findByRole('checkbox', { name: 'Select all 2 shown' }));
  await person.click(screen.getByRole('button', { name: 'Repair 2…' }));
  await screen.findByText('Every site can be repaired.');
  const changes = screen.getByRole('region', { name: 'What changes' });
  const created = within(changes).getByText('/content/wknd/ch/de/configuration');
  expect(within(changes).getByText('cmd: createPage').closest('details')?.contains(created)).toBe(false);
  const theirs = { ...siteOf('wknd-ch-fr', '/content/wknd/ch/fr'), access: { admin: { role: { admin: ['grace@example.com'] } } } };
  world.sites.set('wknd-ch-fr', theirs);
  const versions = [{ version: 2, created: '2026-03-05T05:06:07.000Z', user: 'grace@example.com' }];
  Object.assign(world.ports.service, { versions: async () => ({ state: 'known', value: { current: 2, versions } }) });
  await pressEnabled(person, 'Repair 2 sites');
  const alert = await screen.findByRole('alert');
  within(alert).getByText('1 site failed; 1 are repaired.');
  screen.getByText(/grace@example\.com has changed the site since it was reviewed \(access\), so it was left as it is\./);
  expect(world.sites.get('wknd-ch-fr')).toBe(theirs);
  expect(await violations()).toEqual([]);
  await person.click(within(alert).getByRole('button', { name: 'Review 1 site' }));
  await screen.findByRole('heading', { name: 'What changes' });
  await pressEnabled(person, 'Repair 1 site');
  await screen.findByText(/^The site is repaired and verified\./);
  expect(world.sites.get('wknd-ch-fr')?.access?.admin?.role?.config_admin).toEqual(['p100-e200@techacct.example.com']);
});

test('A repair starts with one site, and continues with the others only if it succeeds', async () => {
  const world = createSitesWorld();
  addCountry(world, 'ch', ['de', 'fr', 'it']);
  for (const locale of ['de', 'fr', 'it']) world.sites.set(`wknd-ch-${locale}`, siteOf(`wknd-ch-${locale}`, `/content/wknd/ch/${locale}`));
  const { person } = show(world, 'organization');
  await person.type(await screen.findByRole('searchbox'), 'wknd-ch-');
  await person.click(await screen.findByRole('checkbox', { name: 'Select all 3 shown' }));
  await person.click(screen.getByRole('button', { name: 'Repair 3…' }));
  await screen.findByRole('heading', { name: 'Repair 3 sites' });
  world.refuse = (path) => (path.includes('/conf/wknd/ch-de/') ? problem('STORAGE_FULL', 507, 'The storage is full.') : undefined);
  await pressEnabled(person, 'Repair 3 sites');
  const alert = await screen.findByRole('alert');
  within(alert).getByText('The first site couldn’t be repaired, so the other 2 were not started.');
  expect([...world.configurations.keys()]).toEqual(['/conf/wknd']);
  expect(await violations()).toEqual([]);
  await person.click(within(alert).getByRole('button', { name: 'Continue with 2 remaining' }));
  await screen.findByText('1 site failed; 2 are repaired.');
  expect([...world.configurations.keys()].toSorted()).toEqual(['/conf/wknd', '/conf/wknd/ch-fr', '/conf/wknd/ch-it']);
});
