import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderPage, violations } from './render-page.tsx';
import { createWorld, type World } from './world.ts';
import { pressEnabled } from './in-surface.tsx';

const ORGS = [
  { name: 'acme', roles: ['config_admin' as const] },
  { name: 'wknd', title: 'Tarnfell', roles: ['admin' as const] },
];

/** A page without a selected cloud configuration, and none at its path. */
function bare(...orgs: typeof ORGS): World {
  const world = createWorld();
  world.selected = false;
  world.properties.clear();
  world.organizations = { orgs };
  return world;
}

/** Loads lazy modules beforehand; their loading time is not under test. */
beforeAll(async () => {
  await Promise.all([
    import('@repoless/extension/features/page-properties/SiteSetup.tsx'),
    import('@repoless/extension/features/page-properties/OrganizationChoice.tsx'),
  ]);
}, 120_000);

describe('page properties of a page without a cloud configuration', () => {
  test('offer to create one and enable repoless with the same button; the undo removes it', async () => {
    const world = bare(...ORGS.slice(1));
    const { person } = renderPage(world);
    const steps = await screen.findByRole('list', { name: 'Planned steps' });
    within(steps).getByRole('heading', { name: 'Create the cloud configuration' });
    within(steps).getByRole('heading', { name: 'Select the cloud configuration on the page' });
    await person.click(screen.getByRole('switch', { name: 'Technical details' }));
    within(steps).getByText('Sent together with “Create the cloud configuration”.');
    expect(await screen.findByRole('combobox', { name: 'Organization' })).toHaveProperty('value', 'wknd');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Enable repoless' }));
    await screen.findByRole('heading', { name: 'This page is set up for repoless as site “summit” of “wknd”.' });
    expect(world.selected).toBe(true);
    expect(Object.fromEntries(world.properties)).toMatchObject({ owner: 'wknd', repo: 'summit', projectType: '4' });

    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    const back = screen.getByRole('list', { name: 'Steps that undo the setup' });
    within(back).getByRole('heading', { name: 'Clear the cloud configuration of the page' });
    within(back).getByRole('heading', { name: 'Remove the cloud configuration' });
    // The button waits for a read of what is deleted with the site.
    await pressEnabled(person, 'Undo setup now');
    await screen.findByRole('button', { name: 'Enable repoless' });
    expect(world.selected).toBe(false);
    expect(world.properties.size).toBe(0);
  });

  test('ask for the organization if there are several, and write nothing before', async () => {
    const { person } = renderPage(bare(...ORGS));
    const field = await screen.findByRole('combobox', { name: 'Organization' });
    expect(field).toHaveProperty('value', '');
    expect(screen.getByRole('button', { name: 'Enable repoless' })).toHaveProperty('disabled', true);
    screen.getByText('First choose an organization under “Settings”.');
    screen.getByText('Choose an organization.');
    const [go] = screen.getAllByRole('button', { name: 'Go to “Organization”' });
    await person.click(go ?? field);
    expect(document.activeElement).toBe(field);
    await person.keyboard('{ArrowDown}');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['acme', 'wknd (Tarnfell)']);
    await person.click(screen.getByRole('option', { name: 'wknd (Tarnfell)' }));
    expect(field).toHaveProperty('value', 'wknd');
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Owner of the code repository' })).toHaveProperty('value', 'wknd'));
    expect(await violations()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Enable repoless' })).toHaveProperty('disabled', false);
  });

  test('are shown in German', async () => {
    const { person } = renderPage(bare(...ORGS), 'de-DE');
    await screen.findByRole('heading', { name: 'Cloud-Konfiguration anlegen' });
    const field = await screen.findByRole('combobox', { name: 'Organisation' });
    screen.getByText('Wählen Sie eine Organisation.');
    await person.type(field, 'acme{Escape}');
    await screen.findByText(/in der Sie eine Rolle haben/);
    expect(await violations()).toEqual([]);
  });
});
