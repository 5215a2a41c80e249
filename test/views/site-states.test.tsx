import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { addCountry, addPage, createSitesWorld, siteOf, type SitesWorld } from './sites-world.ts';
import { show } from './render-sites.tsx';

/** A country with a matching site, one whose page names another site, and one without a page. */
function arrange(): SitesWorld {
  const world = createSitesWorld();
  addCountry(world, 'ch', []);
  for (const [locale, repo] of [
    ['de', 'wknd-ch-de'],
    ['fr', 'somebody-elses'],
  ] as const) {
    addPage(world, `/content/wknd/ch/${locale}`, { language: locale, ownConfiguration: `/conf/wknd/ch-${locale}` });
    world.configurations.set(`/conf/wknd/ch-${locale}`, { owner: 'wknd', repo, projectType: '4' });
  }
  for (const locale of ['de', 'fr', 'rm']) world.sites.set(`wknd-ch-${locale}`, siteOf(`wknd-ch-${locale}`, `/content/wknd/ch/${locale}`));
  return world;
}

describe('the states of many sites', () => {
  test('are counted in the list, where the counts add up, and a count filters its sites', async () => {
    const { person } = show(arrange(), 'organization');
    const list = await screen.findByRole('grid', { name: 'Sites of the organization' });
    const counts = await screen.findByRole('group', { name: 'Sites by state' });
    await person.click(await within(counts).findByRole('button', { name: '1 Has errors' }));
    await within(list).findByRole('row', { name: /^wknd-ch-fr Has errors/ });
    expect(within(list).queryByRole('row', { name: /^wknd-ch-rm/ })).toBeNull();
    const [all, ...tiles] = within(counts).getAllByRole('button');
    expect(all?.textContent).toBe('4 All');
    const numbers = tiles.map(({ textContent }) => Number.parseInt(textContent, 10));
    expect(numbers.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(await violations()).toEqual([]);
  });

  test('are grouped, in the selected columns, and the address preserves that view', async () => {
    history.replaceState(null, '', '#/organization');
    const { person } = show(arrange(), 'organization');
    await screen.findByRole('grid', { name: 'Sites of the organization' });
    await person.click(screen.getByRole('button', { name: 'Group by' }));
    await person.click(await screen.findByRole('menuitemradio', { name: 'Country' }));
    const tree = await screen.findByRole('treegrid', { name: 'Sites of the organization' });
    const group = within(tree).getByRole('row', { name: /^Switzerland 3 Has errors/ });
    expect(
      within(tree)
        .getAllByRole('row')
        .map(({ textContent }) => textContent)
        .findIndex((text) => text.startsWith('Others')),
    ).toBe(5);
    await person.click(group);
    expect(within(tree).queryByRole('row', { name: /^wknd-ch-fr/ })).toBeNull();
    expect(group.getAttribute('aria-expanded')).toBe('false');
    expect(location.hash).toContain('group=country');

    expect(within(tree).queryByRole('columnheader', { name: 'Kind' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Columns' }));
    await person.click(await screen.findByRole('menuitemcheckbox', { name: 'Kind' }));
    await person.keyboard('{Escape}');
    within(tree).getByRole('columnheader', { name: 'Kind' });
    expect(location.hash).toContain('columns=findings%2Cchecked%2Ckind%2Crepository%2Croot');
    expect(await violations()).toEqual([]);
    history.replaceState(null, '', '#');
  });

  test('have the same words in the tree', async () => {
    show(arrange(), 'tree');
    await screen.findByRole('row', { name: /^fr fr Locale Locale site Has errors wknd-ch-fr: site name/ });
    screen.getByRole('row', { name: /^de de Locale Locale site Changed since verified wknd-ch-de/ });
  });
});

/** The same, and a check of the site of `ch/de` finds that the preview host serves no file of the editor. */
function withoutEditorFiles(): SitesWorld {
  const world = arrange();
  addPage(world, '/content/wknd/ch/de/configuration');
  const { ports } = world;
  const source = { kind: 'page', path: '/content/wknd/ch/de' } as const;
  const set = (value: string) => ({ value, source });
  return {
    ...world,
    ports: {
      ...ports,
      service: {
        ...ports.service,
        site: async (org, site) => {
          const found = await ports.service.siteConfigurations(org, site);
          return found.state === 'known' ? { state: 'known', value: { ...found.value, version: 1 } } : found;
        },
      },
      authoring: {
        ...ports.authoring,
        settings: async (page, info) => {
          const read = await ports.authoring.settings(page, info);
          if (read.state !== 'known') return read;
          const technicalAccount = { source: { kind: 'missing' } } as const;
          const names = { organization: set('wknd'), siteName: set('wknd-ch-de'), projectType: set('4'), technicalAccount };
          return { state: 'known', value: { ...read.value, ...names, cloudConfiguration: set('/conf/wknd/ch-de') } };
        },
      },
      hosts: { ...ports.hosts, file: async (address, path) => ({ address: `${address}${path}`, path, status: 404 }) },
    },
  };
}

describe('the tree', () => {
  test('allows selecting a site for repair if a check failed, although nothing differs', async () => {
    const { person } = show(withoutEditorFiles(), 'tree');
    const row = await screen.findByRole('row', { name: /^de de Locale Locale site Changed since verified wknd-ch-de/ });
    expect(row.getAttribute('aria-selected')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Check' }));
    const wrong = await screen.findByRole('row', { name: /^de de Locale Locale site Has errors wknd-ch-de/ });
    expect(wrong.getAttribute('aria-selected')).toBe('false');
    await person.click(wrong);
    await waitFor(() => expect(wrong.getAttribute('aria-selected')).toBe('true'));
  });

  test('reports once how many sites a check may not read, and preserves their state', async () => {
    const world = withoutEditorFiles();
    const problem = {
      type: 'about:blank',
      title: 'not authorized',
      status: 403,
      detail: '',
      code: 'NOT_AUTHORIZED',
      requestId: 'r-1',
    } as const;
    Object.assign(world.ports.service, { site: async () => ({ state: 'failed', failure: { kind: 'refused', status: 403, problem } }) });
    const { person } = show(world, 'tree');
    const name = /^de de Locale Locale site Changed since verified wknd-ch-de/;
    await screen.findByRole('row', { name });
    await person.click(screen.getByRole('button', { name: 'Check' }));
    await screen.findByText(/^0 sites checked\. You may not read \d+ of these sites: ask an administrator for a role\.$/);
    screen.getByRole('row', { name });
  });

  test('shows how far its search reaches, and reads the rest on request', async () => {
    const world = arrange();
    addCountry(world, 'at', ['de']);
    const { person } = show(world, 'tree');
    await screen.findByText(/^\d+ pages read so far\. The search covers only these\.$/);
    await person.click(screen.getByRole('button', { name: 'Read the whole tree' }));
    await screen.findByText(/^\d+ pages, all read\.$/);
    await person.type(screen.getByRole('searchbox', { name: 'Search title, path or site' }), 'at/de');
    await screen.findByRole('row', { name: /^de de Locale Not set up/ });
  });

  test('expands when locales below a collapsed page are selected', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de', 'fr']);
    addCountry(world, 'at', ['de']);
    const { person } = show(world, 'tree');
    await person.click(await screen.findByRole('row', { name: /^at at Country/ }));
    expect(screen.queryAllByRole('row', { name: /^de de/ })).toHaveLength(1);
    await person.click(screen.getByRole('button', { name: 'Locales' }));
    await screen.findByText('1 selected.');
    const rows = await screen.findAllByRole('row', { name: /^de de/ });
    expect(rows.map((row) => row.getAttribute('aria-selected')).toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(
      ['false', 'true'],
    );
  });
});
