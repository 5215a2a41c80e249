import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { reviewCountry, reviewLocales, show, showCountry } from './render-sites.tsx';
import { addCountry, addPage, createSitesWorld, siteOf } from './sites-world.ts';
import { problem } from './world.ts';

describe('an organization that the page’s settings do not name', () => {
  test('is requested', async () => {
    const world = createSitesWorld();
    world.organization = undefined;
    show(world, 'organization', 'stand-alone');
    await screen.findByRole('textbox', { name: 'Organization' });
  });

  test('is taken from the address', async () => {
    const world = createSitesWorld();
    world.organization = undefined;
    show(world, 'organization', 'stand-alone', 'en-US', 'wknd');
    await screen.findByRole('heading', { level: 1, name: 'wknd' });
    expect(screen.queryByRole('textbox', { name: 'Organization' })).toBeNull();
  });
});

test('with the hosted service, a partly read organization shows for how many sites the pages are unknown, and reads more', async () => {
  const world = createSitesWorld();
  world.sites.set('far', siteOf('far', '/content/far'));
  const { allSites } = world.ports.service;
  let isRead = false;
  Object.assign(world.ports.service, {
    allSites: async (org: string) => {
      const all = await allSites(org);
      if (all.state !== 'known' || isRead) return all;
      return {
        ...all,
        value: all.value.map(({ public: _public, ...site }) => (site.name === 'far' ? { ...site, isUnread: true } : site)),
      };
    },
  });
  const { person } = show(world, 'organization', 'stand-alone');
  await screen.findByText('Where the pages of 1 site are isn’t known yet. The tree may show them as not set up.');
  expect(await violations()).toEqual([]);
  isRead = true;
  await person.click(screen.getByRole('button', { name: 'Read 1 more' }));
  const known = await screen.findByText('The pages of all sites are known now.');
  expect(screen.queryByText(/isn’t known yet/)).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(known));
});

describe('the content tree', () => {
  test('shows each page with its state in words, and expands level by level by keyboard', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de', 'fr']);
    world.sites.set('wknd-ch-de', siteOf('wknd-ch-de', '/content/wknd/ch/de'));
    addPage(world, '/content/wknd/ch/de', { language: 'de', ownConfiguration: '/conf/wknd/ch-de' });
    world.configurations.set('/conf/wknd/ch-de', { owner: 'wknd', repo: 'wknd-ch-de', projectType: '4' });
    const { person } = show(world);
    const tree = await screen.findByRole('treegrid', { name: 'Pages' });
    await within(tree).findByRole('row', { name: 'Tarnfell wknd Root Base site Changed since verified wknd /conf/wknd' });
    const locale = await within(tree).findByRole('row', {
      name: 'de de Locale Locale site Changed since verified wknd-ch-de /conf/wknd/ch-de',
    });
    expect(locale.getAttribute('aria-level')).toBe('3');
    expect(locale.getAttribute('aria-selected')).toBeNull();
    expect(await violations()).toEqual([]);
    tree.focus();
    await person.keyboard('ch{ArrowLeft}');
    expect(within(tree).queryByRole('row', { name: /^fr fr/ })).toBeNull();
    await person.keyboard('{ArrowRight}{ArrowDown}{ArrowDown} ');
    await screen.findByText('1 page selected');
    expect(
      within(tree)
        .getByRole('row', { name: /^fr fr Locale Not set up/ })
        .getAttribute('aria-selected'),
    ).toBe('true');
    await person.keyboard('{Escape}');
    await screen.findByText('Nothing selected');
  });

  test('searches and filters loaded pages, with their ancestors', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de', 'fr']);
    addCountry(world, 'at', ['de']);
    const { person } = show(world);
    await screen.findByRole('row', { name: /^fr fr/ });
    await person.type(screen.getByRole('searchbox', { name: 'Search title, path or site' }), 'ch/fr');
    await waitFor(() => expect(screen.getAllByRole('row').map((row) => row.textContent?.slice(0, 12))).toHaveLength(4));
    await person.type(screen.getByRole('searchbox'), 'zzz');
    await screen.findByText(/No page read so far matches/);
    expect(await violations()).toEqual([]);
  });

  test('renders a screenful of a level of 20,000 pages', async () => {
    const world = createSitesWorld();
    for (let page = 0; page < 20_000; page++) addPage(world, `/content/page-${page}`);
    const { person } = show(world);
    const tree = await screen.findByRole('treegrid', { name: 'Pages' });
    expect(tree.getAttribute('aria-rowcount')).toBe('20002');
    expect(within(tree).getAllByRole('row').length).toBeLessThan(40);
    tree.focus();
    await person.keyboard('{Control>}a{/Control}');
    await screen.findByText('20,000 pages selected');
    await person.keyboard('{End}');
    await within(tree).findByRole('row', { name: /^page-19999/ });
  });

  test('reports what could not be read, and retries', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    world.refuse = (path) => (path === '/content/wknd/ch' ? { kind: 'refused', status: 403 } : undefined);
    const { person } = show(world);
    await screen.findByText('Couldn’t read the pages below /content/wknd/ch.');
    expect(await violations()).toEqual([]);
    world.refuse = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByRole('row', { name: /^de de/ });
  });

  test('shows no state if the service’s sites cannot be read', async () => {
    const world = createSitesWorld();
    world.refuse = (path) => (path === '/sites' ? { kind: 'unreachable' } : undefined);
    const { person } = show(world);
    await screen.findByText('Couldn’t read the sites of the service, so the state of the pages is unknown');
    await screen.findByRole('row', { name: /^Tarnfell wknd Root(?! Single)/ });
    world.refuse = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('row', { name: /^Tarnfell wknd Root Single site Changed since verified/ });
  });

  test('is shown in the language of its host', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    show(world, 'tree', 'framed', 'de-CH');
    await screen.findByRole('row', { name: /^de de Sprachraum Nicht eingerichtet Teil von wknd/ });
    screen.getByRole('heading', { name: 'Inhaltsbaum' });
    expect(await violations()).toEqual([]);
  });

  test('asks for the organization if no configuration names one, and for a sign-in if there is none', async () => {
    const world = createSitesWorld();
    world.organization = undefined;
    const { person, close } = show(world);
    await person.type(await screen.findByRole('textbox', { name: 'Organization' }), 'wknd');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByRole('treegrid', { name: 'Pages' });
    close();
    world.organization = 'wknd';
    world.refuse = () => problem('NOT_AUTHENTICATED', 401, 'not authenticated');
    const again = show(world);
    await again.person.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(again.calls.signedOut).toBe(1);
  });
});

describe('the selection', () => {
  test('of sites counts hidden ones separately, clears them, and selects all shown sites with one box', async () => {
    const world = createSitesWorld();
    for (const name of ['harbour-at', 'harbour-ch', 'lantern']) world.sites.set(name, siteOf(name, `/content/${name}`));
    const { person } = show(world, 'organization');
    const all = async () => screen.findByRole('checkbox', { name: /^Select all \d+ shown$/ });
    const bar = () => screen.getByRole('group', { name: 'Actions for the selected sites' });
    await person.click(await all());
    await within(bar()).findByText(`${world.sites.size} sites selected`);
    within(bar()).getByRole('button', { name: `Copy ${world.sites.size} as CSV` });
    expect(await all()).toMatchObject({ checked: true, indeterminate: false });

    await person.type(screen.getByRole('searchbox'), 'harbour');
    await within(bar()).findByText(`${world.sites.size} sites selected: 2 shown + ${world.sites.size - 2} hidden`);
    expect(await violations()).toEqual([]);
    await person.click(within(bar()).getByRole('button', { name: 'Clear hidden' }));
    within(bar()).getByText('2 sites selected');
    within(bar()).getByRole('button', { name: 'Repair 2…' });
    await person.clear(screen.getByRole('searchbox'));
    await waitFor(async () => expect(await all()).toMatchObject({ checked: false, indeterminate: true }));
    await person.click(await all());
    within(bar()).getByText(`${world.sites.size} sites selected`);
    await person.click(await all());
    expect(screen.queryByRole('group', { name: 'Actions for the selected sites' })).toBeNull();
  });

  test('of pages counts those below a collapsed page separately', async () => {
    const { person } = showCountry('de', 'fr');
    await screen.findByRole('row', { name: /^fr fr/ });
    const tree = screen.getByRole('treegrid');
    await person.click(screen.getByRole('checkbox', { name: /^Select all \d+ shown$/ }));
    await screen.findByText(/^[3-9] pages selected$/);
    tree.focus();
    await person.keyboard('ch{ArrowLeft}');
    await screen.findByText(/^[3-9] pages selected: \d shown \+ 2 hidden$/);
    await person.click(screen.getByRole('button', { name: 'Clear hidden' }));
    const left = (await screen.findByText(/^\d pages? selected$/)).textContent?.slice(0, 1);
    screen.getByRole('button', { name: new RegExp(`^Review ${left} sites?$`) });
  });
});

describe('the review', () => {
  test('reports an invalid value at its cell before the request', async () => {
    const { world, person } = await reviewCountry('de', 'fr');
    await screen.findByText('Every site can be set up.');
    expect(await violations()).toEqual([]);
    const name = screen.getByRole('textbox', { name: 'Site name of /content/wknd/ch/fr' });
    await person.clear(name);
    await person.type(name, 'wknd-ch-de');
    await screen.findByRole('textbox', { name: 'Site name of /content/wknd/ch/fr', description: /wknd-ch-de/ });
    expect(screen.getByRole('button', { name: 'Set up 2 sites' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Remove /content/wknd/ch/fr from the list' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove /content/wknd/ch/de from the list' }));
    screen.getByText('/content/wknd/ch/fr removed from the list.', { selector: '[role=status]' });
    expect(await screen.findByRole('button', { name: 'Set up 1 site' })).toHaveProperty('disabled', false);
    await person.click(screen.getByRole('button', { name: 'Details of /content/wknd/ch/de' }));
    screen.getByText('https://main--wknd-ch-de--wknd.preview.example.com');
    await person.type(screen.getByRole('textbox', { name: /^Mappings/ }), '{Enter}nonsense');
    await screen.findByRole('textbox', { name: /^Mappings/, description: /nonsense/ });
    expect([...world.sites.keys()]).toEqual(['wknd']);
  });

  test('reports the result of the service’s dry run at the cell', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    const failure = { kind: 'refused', status: 507, problem: problem('STORAGE_FULL', 507, 'The storage is full.').problem } as const;
    world.refuse = (path) =>
      path.startsWith('/config/') && failure.problem !== undefined ? { ...failure, problem: failure.problem } : undefined;
    const { person } = show(world);
    await reviewLocales(person);
    await screen.findByText(/The storage is full\./);
    expect(screen.getByRole('button', { name: 'Set up 1 site' })).toHaveProperty('disabled', true);
  });

  test.each([
    ['that someone else has locked', /locked by otto@example\.com/],
    ['that the caller may not change', /don’t have permission to change \/content\/wknd\/ch\/de/],
  ])('reports a page %s at the cell, and offers to check again', async (what, sentence) => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    if (what.includes('locked')) world.locks.set('/content/wknd/ch/de', { owner: 'otto@example.com', isDeep: true });
    else world.forbidden.add('/content/wknd/ch/de');
    const { person } = show(world);
    await reviewLocales(person);
    await screen.findByText(sentence);
    expect(screen.getByRole('button', { name: 'Set up 1 site' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    world.locks.clear();
    world.forbidden.clear();
    await person.click(screen.getByRole('button', { name: 'Test run' }));
    await screen.findByText('Every site can be set up.');
  });

  test('sets up the reviewed sites, and disables changes during the final dry run', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de', 'fr']);
    const { service } = world.ports;
    let gate = Promise.resolve();
    const slow: typeof service = { ...service, dryRun: async (call) => gate.then(() => service.dryRun(call)) };
    const { person } = show({ ...world, ports: { ...world.ports, service: slow } });
    await reviewLocales(person);
    await screen.findByText('Every site can be set up.');
    const name = screen.getByRole('textbox', { name: 'Site name of /content/wknd/ch/fr' });
    await person.type(name, '-new');
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    await person.click(await screen.findByRole('button', { name: 'Set up 2 sites' }));
    expect(name).toHaveProperty('disabled', true);
    await person.click(screen.getByRole('button', { name: 'Remove /content/wknd/ch/fr from the list' }));
    open();
    await screen.findByText('All 2 sites are set up.');
    expect([...world.sites.keys()].toSorted()).toEqual(['wknd', 'wknd-ch-de', 'wknd-ch-fr-new']);
  });

  test('reports a service without dry runs, calls no site fine, and allows the setup', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    let lets = false;
    world.refuse = (path) =>
      path.includes('versionName') && !lets ? { kind: 'unexpected', finding: { kind: 'no-dry-run', reason: 'not-announced' } } : undefined;
    const { person } = show(world);
    await reviewLocales(person);
    await screen.findByText('Not tested');
    screen.getByText('This configuration service doesn’t support test runs.');
    expect(screen.queryByText('Can be set up')).toBeNull();
    lets = true;
    await person.click(screen.getByRole('button', { name: 'Set up 1 site' }));
    await screen.findByText('The site is set up.');
  });
});

test('ten thousand sites of an organization are a screenful of rows, and can be searched', async () => {
  const world = createSitesWorld();
  for (let site = 0; site < 10_000; site++) world.sites.set(`s-${site}`, siteOf(`s-${site}`, `/content/wknd/s-${site}`));
  const { person } = show(world, 'organization');
  const list = await screen.findByRole('grid', { name: 'Sites of the organization' });
  screen.getByText('10,001 sites');
  expect(within(list).getAllByRole('row').length).toBeLessThan(40);
  expect(await violations()).toEqual([]);
  await person.type(screen.getByRole('searchbox', { name: 'Search name, repository or path' }), 's-9999');
  await within(list).findByRole('row', {
    name: /^s-9999 Changed since verified – Not yet github:wknd\/wknd \/content\/wknd\/s-9999$/,
  });
});
