import { SyncPanel } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { renderInSurface } from './in-surface.tsx';
import { show as showSites } from './render-sites.tsx';
import { showRepositories } from './show-sync-status.tsx';
import { addPage, createSitesWorld, siteOf } from './sites-world.ts';
import { createSyncWorld, externalRepository, refused, site } from './sync-world.ts';
import { PAGE } from './world.ts';

const focused = () => document.activeElement;

describe('The focus goes back to', () => {
  test('“Onboard a repository…”, whose form is cancelled', async () => {
    const name = 'Onboard a repository…';
    const person = await showRepositories(createSyncWorld());
    (await screen.findByRole('button', { name })).focus();
    await person.keyboard('{Enter}');
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(focused()).toBe(screen.getByRole('button', { name }));
  });

  test('the external repository that was opened, far down the list; open, the focus is at its name', async () => {
    const world = createSyncWorld();
    for (let n = 100; n < 160; n++) world.repositories.push(externalRepository({ repositoryId: String(n), name: `Team ${n}` }));
    const person = await showRepositories(world);
    (await screen.findByRole('button', { name: /^Team 100/ })).focus();
    await person.keyboard('{End}');
    await waitFor(() => expect(focused()?.textContent).toMatch(/^Team 159/));
    await person.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('heading', { level: 2, name: 'Team 159' })));
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    expect(focused()).toBe(screen.getByRole('button', { name: /^Team 159/ }));
  });

  test('the site in the list of repositories that was searched for and opened', async () => {
    const world = createSyncWorld([site('summit'), site('harbour', 'other'), site('haven', 'other')]);
    const person = await showRepositories(world);
    await person.type(screen.getByRole('searchbox', { name: 'Search sites and repositories' }), 'haven');
    screen.getByRole('button', { name: 'haven' }).focus();
    await person.keyboard('{Enter}');
    await screen.findByRole('heading', { level: 2, name: 'wknd/other' });
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'haven' }));
  });

  test('the heading, where the rail was drawn again meanwhile and nothing of the list is there', async () => {
    const world = createSyncWorld();
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: 'Onboard a repository…' }));
    document.body.innerHTML = '';
    world.answer = (_method, path) =>
      path.endsWith('/repositories') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    world.hasBuildManagement = true;
    renderInSurface(<SyncPanel {...world.ports} path={PAGE} onSignedOut={() => undefined} />);
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(focused()).toBe(screen.getByRole('heading', { level: 2, name: 'External repositories' }));
  });

  test('the list of all sites, at the site whose details are closed', async () => {
    const world = createSitesWorld();
    for (const name of ['lantern', 'harbour']) {
      world.sites.set(name, siteOf(name, `/content/${name}`));
      addPage(world, `/content/${name}`);
    }
    const { person } = showSites(world, 'organization');
    await person.click(await screen.findByRole('row', { name: /lantern/ }));
    const details = await screen.findByRole('region', { name: 'Site “lantern”' });
    expect(focused()).toBe(within(details).getByRole('heading', { name: 'Site “lantern”' }));
    await person.click(within(details).getByRole('button', { name: 'Close the details' }));
    const grid = screen.getByRole('grid');
    expect(focused()).toBe(grid);
    expect(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('lantern');
    await person.keyboard('{Enter}');
    await screen.findByRole('region', { name: 'Site “lantern”' });
    await person.type(screen.getByRole('searchbox'), 'nothing of this name');
    await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Close the details' }));
    expect(focused()).toBe(screen.getByRole('heading', { name: 'All sites' }));
  });
});
