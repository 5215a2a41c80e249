import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { clientOf } from './access-world.tsx';
import { type Person } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { chooseSites, register, stored } from './rollouts-world.tsx';
import { addPage, createSitesWorld, type SitesWorld } from './sites-world.ts';
import { AUTHOR } from './world.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { showSitesHome } from './render-sites.tsx';
import { startBeforeAll } from '../support/start-before-all.ts';

const german = await createCatalogues()('de').read('sites');

/** The real service, and an authoring system in memory. */
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));
let world: SitesWorld;
beforeAll(() => register(backend, 'untouched', '/content/untouched'));
beforeEach(() => {
  world = createSitesWorld();
});

async function site(name: string, root: string): Promise<void> {
  const url = printDeliveryAddress({ author: AUTHOR, connector: 'franklin', org: 'wknd', site: name, ref: 'main' });
  await register(backend, name, root, { content: { source: { type: 'markup', url, suffix: '.html' } } });
  addPage(world, root, { ownConfiguration: `/conf/${name}` });
  world.configurations.set(`/conf/${name}`, { owner: 'wknd', repo: name, projectType: '4' });
}

/** A base with three locales below it. */
async function family(base: string): Promise<readonly string[]> {
  await site(base, `/content/${base}`);
  for (const locale of ['at', 'ch', 'de']) await site(`${base}-${locale}`, `/content/${base}/${locale}`);
  return [`${base}-at`, `${base}-ch`, `${base}-de`];
}

async function show(locale = 'en-US', gate: (method: string, path: string) => Promise<void> = async () => undefined) {
  const client = clientOf(backend.address, await backend.token(OPERATOR), gate);
  const ports: SetupPorts = { ...world.ports, service: createServicePort(client) };
  return showSitesHome({ ports, client, path: '/content/wknd', service: backend.address }, locale);
}

const exists = async (name: string): Promise<boolean> =>
  (await backend.call('GET', `/config/wknd/sites/${name}.json`, { as: OPERATOR })).status === 200;
const existing = async (names: readonly string[]): Promise<string[]> => {
  const found = await Promise.all(names.map(exists));
  return names.filter((_name, index) => found[index]);
};
const confOf = (root: string) => world.pages.get(root)?.ownConfiguration;
const CONFIRM = 'To confirm, enter the number of sites to remove';
const CONFIRM_ONE = 'To confirm, enter the name of the site';

test('Selected sites are removed together after their consequences are shown, and restored unchanged', async () => {
  const locales = await family('harbour');
  const all = ['harbour', ...locales];
  const before = await stored(backend, 'harbour-ch');
  await backend.call('POST', '/config/wknd/sites/harbour-ch/apiKeys.json', {
    as: OPERATOR,
    body: { description: 'publisher', roles: ['publish'] },
  });
  const { person } = await show();
  await chooseSites(person, 'harbour', 4);
  await person.click(screen.getByRole('button', { name: /^Remove \d+…$/ }));
  await screen.findByRole('heading', { name: 'Remove 4 sites' });
  const base = () => screen.getByRole('row', { name: /^harbour\s*\/content\/harbour/ });
  within(base()).getByText('Will be removed');
  within(screen.getByRole('row', { name: /^harbour-ch/ })).getByText('API keys: publisher');
  within(screen.getByRole('row', { name: /^harbour-ch/ })).getByText('/content/harbour/ch inherits its cloud configuration again.');
  within(base()).getByText(/^\/content\/harbour still has the project type repoless\./);
  expect(await violations()).toEqual([]);

  await person.click(screen.getByRole('button', { name: 'Exclude harbour-at' }));
  expect(screen.getAllByRole('button', { name: /^Exclude/ })).toContain(document.activeElement);
  screen.getByText('harbour-at excluded.', { selector: '[role=status]' });
  const staying = within(screen.getByRole('group', { name: '1 site can’t be removed. The others can.' }));
  staying.getByText('harbour: Remaining sites depend on it: harbour-at. Remove those too, or first.');
  expect(screen.queryByRole('row', { name: /^harbour\s*\/content\/harbour/ })).toBeNull();
  screen.getByText('2 sites: The preview and live addresses stop answering.');
  const remove = screen.getByRole('button', { name: 'Remove 2 sites' });
  expect(remove.hasAttribute('disabled')).toBe(true);
  await person.type(screen.getByRole('textbox', { name: CONFIRM }), '4{Enter}');
  screen.getByText('Enter 2.');
  expect(await existing(all)).toEqual(all);

  await person.clear(screen.getByRole('textbox', { name: CONFIRM }));
  await person.type(screen.getByRole('textbox', { name: CONFIRM }), '2{Enter}');
  await screen.findByText('2 sites are removed. 1 site is still there.');
  expect(await existing(all)).toEqual(['harbour', 'harbour-at']);
  expect(['/content/harbour/ch', '/content/harbour/at'].map(confOf)).toEqual([undefined, '/conf/harbour-at']);
  expect(await violations()).toEqual([]);

  await person.click(screen.getByRole('button', { name: 'Restore 2 sites' }));
  await screen.findByText('2 sites are restored.');
  expect(await existing(all)).toEqual(all);
  expect(confOf('/content/harbour/ch')).toBe('/conf/harbour-ch');
  const { lastModified: _now, ...after } = await stored(backend, 'harbour-ch');
  const { lastModified: _then, ...meant } = before;
  expect(after).toEqual(meant);
  await person.click(screen.getByRole('button', { name: 'Back to all sites' }));
  await screen.findByText('4 of 5 sites');
  expect(screen.queryByText('4 sites selected')).toBeNull();
});

test('One site is removed after its name is typed, but not if another person has changed it', async () => {
  const base = 'willow';
  await family(base);
  const name = 'willow-de';
  const { person } = await show();
  await person.click(await screen.findByRole('row', { name: /^willow [A-Z]/ }));
  expect(screen.getByRole('button', { name: 'Remove this site…' })).toHaveProperty('disabled', true);
  await person.click(screen.getByRole('row', { name: /^willow-de / }));
  await person.click(screen.getByRole('button', { name: 'Remove this site…' }));
  const title = await screen.findByRole('heading', { name: 'Remove the site “willow-de”' });
  expect(document.activeElement).toBe(title);
  screen.getByText('/content/willow/de inherits its cloud configuration again.');
  const field = screen.getByRole('textbox', { name: CONFIRM_ONE });
  await person.type(field, '1{Enter}');
  screen.getByText('Enter “willow-de”.');
  await person.clear(field);
  await backend.call('POST', '/config/wknd/sites/willow-de/robots.json', { as: OPERATOR, body: { txt: 'theirs' } });
  await person.type(field, 'willow-de{Enter}');
  const alert = await screen.findByRole('alert');
  expect(document.activeElement).toBe(alert);
  expect(await stored(backend, name)).toMatchObject({ robots: { txt: 'theirs' } });
  expect(confOf('/content/willow/de')).toBe('/conf/willow-de');
  expect(await violations()).toEqual([]);

  await person.click(within(alert).getByRole('button', { name: 'Plan 1 site again' }));
  await person.type(await screen.findByRole('textbox', { name: CONFIRM_ONE }), 'willow-de{Enter}');
  await screen.findByText('1 site is removed.');
  expect(await exists(name)).toBe(false);
  await person.click(screen.getByRole('button', { name: 'Back to all sites' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Site “willow-de”' })).toBeNull());
  await person.click(screen.getByText('Restore a removed site'));
  await person.click(screen.getByRole('button', { name: 'Restore “willow-de”' }));
  await screen.findByText('The site “willow-de” was restored.');
  expect(confOf('/content/willow/de')).toBe('/conf/willow-de');
});

test('A base is removed after its locales; a site changed since the review is not removed', async () => {
  const locales = await family('meadow');
  const { person } = await show();
  await chooseSites(person, 'meadow', 4);
  await backend.call('POST', '/config/wknd/sites/meadow-de/code.json', {
    as: OPERATOR,
    body: { owner: 'wknd', repo: 'elsewhere', source: { type: 'github', url: 'https://github.com/wknd/elsewhere' } },
  });
  await person.click(screen.getByRole('button', { name: /^Remove \d+…$/ }));
  await screen.findByText(/^meadow-de: Its repository or content root no longer matches the list\./);
  await person.type(screen.getByRole('textbox', { name: CONFIRM }), '3');
  await person.click(screen.getByRole('button', { name: 'Remove 3 sites' }));
  await screen.findByText('3 sites are removed. 1 site is still there.');
  expect(await existing(['meadow', ...locales])).toEqual(['meadow-de']);
});

test('A stopped removal finishes the current site; the others stay, and can be planned again', async () => {
  const locales = await family('orchard');
  const waiting: (() => void)[] = [];
  // Dry runs pass.
  let holds = false;
  const gate = async (method: string): Promise<void> => {
    if (holds && method === 'DELETE') await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const { person } = await show('de-DE', gate);
  const { removals } = german;
  const grid = await screen.findByRole('grid', { name: german.organization.label });
  await person.type(screen.getByRole('searchbox'), 'orchard-');
  await waitFor(() => expect(within(grid).getAllByRole('row').length).toBe(4));
  grid.focus();
  await person.keyboard('{Control>}a{/Control}');
  await person.click(await screen.findByRole('button', { name: removals.open({ count: 3 }) }));
  const confirm = await screen.findByRole('textbox', { name: removals.confirm });
  holds = true;
  await person.type(confirm, '3{Enter}');
  await waitFor(() => expect(waiting).toHaveLength(1));
  await person.click(screen.getByRole('button', { name: removals.stop }));
  expect(await violations()).toEqual([]);
  waiting.pop()?.();
  await screen.findByText('1 Site ist entfernt. 2 Sites sind noch da.');
  const left = await existing(locales);
  expect(left).toHaveLength(2);
  expect(left.map((name) => confOf(`/content/orchard/${name.slice(-2)}`))).toEqual(left.map((name) => `/conf/${name}`));
  expect(await violations()).toEqual([]);

  holds = false;
  await person.click(screen.getByRole('button', { name: removals.again({ many: 2 }) }));
  await person.type(await screen.findByRole('textbox', { name: removals.confirm }), '2{Enter}');
  await screen.findByText('2 Sites sind entfernt.');
  expect(await existing(['orchard', ...locales])).toEqual(['orchard']);
});

test('A removal ends at the site at which the sign-in ended; the others are not changed', async () => {
  const locales = await family('pier');
  const { person } = await show();
  const requested = new Set<string>();
  await removeAll(person, 'pier-', 3, () => {
    world.refuse = (path) => {
      if (!path.includes('/content/pier/')) return undefined;
      requested.add(path);
      return { kind: 'refused', status: 401, system: 'authoring' };
    };
  });
  await screen.findByText(/3 sites are still there/);
  screen.getByText('The authoring system no longer accepts your sign-in.');
  screen.getByText('Sign in again, then continue. Completed steps are kept.');
  expect(requested.size).toBe(1);
  expect(await existing(locales)).toEqual(locales);
  expect(await violations()).toEqual([]);

  world.refuse = () => undefined;
  await person.click(screen.getByRole('button', { name: 'Plan 3 sites again' }));
  await person.type(await screen.findByRole('textbox', { name: CONFIRM }), '3{Enter}');
  await screen.findByText('3 sites are removed.');
});

/** Selects the sites whose name contains the text, and confirms their removal. */
async function removeAll(person: Person, text: string, many: number, onPlanned?: () => void): Promise<void> {
  await chooseSites(person, text, many);
  await person.click(screen.getByRole('button', { name: /^Remove \d+…$/ }));
  const confirm = await screen.findByRole('textbox', { name: CONFIRM });
  onPlanned?.();
  await person.type(confirm, `${many}{Enter}`);
}

/** Holds writes in the authoring system. Returns the number of waiting ones, and their release. */
function holdWrites() {
  let release = (): void => undefined;
  let waiting = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  Object.defineProperty(world, 'gate', { get: () => ((waiting += 1), released) });
  return { waiting: () => waiting, release: () => release() };
}

test('A removal stopped at its first write finishes the current site', async () => {
  const locales = await family('forest');
  const { person } = await show();
  const writes = holdWrites();
  await removeAll(person, 'forest-', 3);
  await waitFor(() => expect(writes.waiting()).toBe(1));
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  writes.release();
  await screen.findByText('1 site is removed. 2 sites are still there.');
  const left = await existing(locales);
  expect(left).toHaveLength(2);
  for (const name of locales)
    expect([name, confOf(`/content/forest/${name.slice(-2)}`)]).toEqual([name, left.includes(name) ? `/conf/${name}` : undefined]);
});

test('A site whose removal fails keeps its configuration, and is restored with it later', async () => {
  for (const name of ['', '-at', '-ch']) await site(`brook${name}`, `/content/brook${name.replace('-', '/')}`);
  let fails = false;
  const { person } = await show('en-US', async (method, path) => {
    if (fails && method === 'DELETE' && path.includes('brook-at')) throw new TypeError('fetch failed');
  });
  await removeAll(person, 'brook-', 2, () => {
    fails = true;
  });
  await screen.findByText('1 site is removed. 1 site is still there.');
  expect([await exists('brook-at'), confOf('/content/brook/at')]).toEqual([true, '/conf/brook-at']);

  fails = false;
  await person.click(screen.getByRole('button', { name: 'Plan 1 site again' }));
  await person.type(await screen.findByRole('textbox', { name: CONFIRM_ONE }), 'brook-at{Enter}');
  await screen.findByText('1 site is removed.');
  expect([await exists('brook-at'), confOf('/content/brook/at')]).toEqual([false, undefined]);
  await person.click(screen.getByRole('button', { name: 'Restore 1 site' }));
  await screen.findByText('1 site is restored.');
  expect([await exists('brook-at'), confOf('/content/brook/at')]).toEqual([true, '/conf/brook-at']);
});

test('A page that lost its configuration to a failed removal is named, and gets it back with the site', async () => {
  for (const name of ['', '-at', '-ch']) await site(`cliff${name}`, `/content/cliff${name.replace('-', '/')}`);
  let fails = false;
  const { person } = await show('en-US', async (method, path) => {
    if (!fails || method !== 'DELETE' || !path.includes('cliff-at')) return;
    world.refuse = (address) => (address.endsWith('/content/cliff/at/_jcr_content') ? { kind: 'refused', status: 403 } : undefined);
    throw new TypeError('fetch failed');
  });
  await removeAll(person, 'cliff-', 2, () => {
    fails = true;
  });
  await screen.findByText('1 site is removed. 1 site is still there.');
  expect([await exists('cliff-at'), confOf('/content/cliff/at')]).toEqual([true, undefined]);
  screen.getByText('The site was not removed, but /content/cliff/at no longer selects its cloud configuration /conf/cliff-at.');
  screen.getByText(/^The page now publishes to the site above\. Plan the removal again, or select \/conf\/cliff-at/);

  fails = false;
  world.refuse = () => undefined;
  await person.click(screen.getByRole('button', { name: 'Plan 1 site again' }));
  await person.type(await screen.findByRole('textbox', { name: CONFIRM_ONE }), 'cliff-at{Enter}');
  await screen.findByText('1 site is removed.');
  await person.click(screen.getByRole('button', { name: 'Restore 1 site' }));
  await screen.findByText('1 site is restored.');
  expect([await exists('cliff-at'), confOf('/content/cliff/at')]).toEqual([true, '/conf/cliff-at']);
});

test('A restore stopped at its first write finishes the current site', async () => {
  for (const name of ['', '-at', '-ch']) await site(`dune${name}`, `/content/dune${name.replace('-', '/')}`);
  const waiting: (() => void)[] = [];
  const { person } = await show('en-US', async (method, path) => {
    if (method === 'POST' && path.includes('/sites/dune-')) await new Promise<void>((resolve) => waiting.push(resolve));
  });
  await removeAll(person, 'dune-', 2);
  await person.click(await screen.findByRole('button', { name: 'Restore 2 sites' }));
  await waitFor(() => expect(waiting).toHaveLength(1));
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  waiting.pop()?.();
  await screen.findByText('1 site is restored. 1 site is not.');
  for (const name of ['at', 'ch'])
    expect([name, confOf(`/content/dune/${name}`)]).toEqual([name, (await exists(`dune-${name}`)) ? `/conf/dune-${name}` : undefined]);
});
