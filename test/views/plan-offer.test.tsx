import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { renderPage, violations } from './render-page.tsx';
import { createWorld, type World } from './world.ts';

const enable = { name: 'Enable repoless' };
const SET_UP = { name: /^This page is set up for repoless/ };

describe('The plan', () => {
  test('shows above its button what will change, and the consequences for people', async () => {
    renderPage(createWorld());
    await screen.findByRole('button', enable);
    screen.getByText(/^Afterwards this page is the site “summit” of “wknd”/);
    screen.getByText('This adds you to the administrators of the site.');
    screen.getByText('This lets p100-e200@techacct.example.com publish to the site.');
    expect(await violations()).toEqual([]);
  });

  test('lists what is missing on a site that is already set up', async () => {
    const world = await setUp();
    world.configurationPage = false;
    renderPage(world);
    await screen.findByRole('button', { name: 'Create the configuration page' });
    screen.getByText('Afterwards the site has a configuration page.');
    expect(screen.queryByText(/administrators of the site/)).toBeNull();
  });

  test('counts the remaining steps of an unfinished setup', async () => {
    const world = await setUp();
    world.properties.set('projectType', '1');
    renderPage(world);
    await screen.findByRole('button', { name: /^Finish setup: \d steps?$/ });
  });

  test('does not show “Not set up” between the end of a run and the refresh after it', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    world.readGate = async () => (world.properties.get('projectType') === '4' ? gate : undefined);
    await person.click(await screen.findByRole('button', enable));
    const header = screen.getByRole('banner');
    await within(header).findByText('Refreshing…');
    expect(within(header).queryByText(/set up/i)).toBeNull();
    expect(screen.queryByRole('button', enable)).toBeNull();
    open();
    await screen.findByRole('heading', SET_UP);
  });

  test('follows a name as it is typed, and the field keeps the focus', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    await person.type(name, '-two');
    await screen.findByText(/^Afterwards this page is the site “summit-two” of “wknd”/);
    await waitFor(() => expect(screen.getByRole('button', enable)).toHaveProperty('disabled', false));
    expect(document.activeElement).toBe(name);
    expect(name).toHaveProperty('selectionStart', 'summit-two'.length);
  });

  test('shows no difference while the service is unreachable, and offers a refresh', async () => {
    const world = await setUp();
    const { service } = world.ports;
    let isOffline = true;
    const site: typeof service.site = (org, name) =>
      isOffline ? Promise.resolve({ state: 'failed', failure: { kind: 'unreachable' } }) : service.site(org, name);
    const { person } = renderPage({ ...world, ports: { ...world.ports, service: { ...service, site } } });
    const again = await screen.findByRole('button', { name: 'Refresh' });
    within(screen.getByRole('banner')).getByText('Not refreshed yet');
    expect(screen.queryByRole('button', { name: /^(Repair|Finish|Enable|Verify)/ })).toBeNull();
    expect(screen.queryByText(/^Afterwards/)).toBeNull();
    expect(await violations()).toEqual([]);
    isOffline = false;
    await person.click(again);
    await screen.findByRole('heading', SET_UP);
  });

  test('links the button to the first invalid field', async () => {
    const { person } = renderPage(createWorld());
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    await person.clear(name);
    await person.click(screen.getByRole('button', { name: 'Go to “Site name”' }));
    expect(document.activeElement).toBe(name);
  });

  test('links a blocked step to the field that unblocks it', async () => {
    const world = createWorld();
    world.technicalAccount = undefined;
    const { person } = renderPage(world);
    await screen.findByText('The technical account is unknown.');
    const blocks = screen.getByRole('group', { name: /^Some steps are blocked/ });
    await person.click(within(blocks).getByRole('button', { name: 'Go to “Technical account”' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Technical account' }));
  });

  test('of the undo lists its own steps only', async () => {
    const world = await setUp();
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    const steps = screen.getByRole('list', { name: 'Steps that undo the setup' });
    expect(
      within(steps)
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Switch the project type back',
      'Remove the site',
      'Verify the preview host',
      'Verify the live host',
      'Remove the configuration page',
      'Delete the saved values',
    ]);
  });

  test('of the undo uses its own names for steps that are sent together', async () => {
    const world = createWorld();
    world.properties.set('repo', 'Summit');
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', enable));
    await screen.findByRole('heading', SET_UP);
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    const steps = screen.getByRole('list', { name: 'Steps that undo the setup' });
    await person.click(screen.getByRole('switch', { name: 'Technical details' }));
    within(steps).getByText('Sent together with “Switch the project type back”.');
    within(steps).getByRole('heading', { name: 'Restore organization and site name in the authoring system' });
  });
});

/** A site that was enabled from this panel. */
async function setUp(): Promise<World> {
  const world = createWorld();
  const { person } = renderPage(world);
  await person.click(await screen.findByRole('button', enable));
  await screen.findByRole('heading', SET_UP);
  cleanup();
  return world;
}
