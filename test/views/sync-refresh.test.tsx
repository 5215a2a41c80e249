import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { show } from './show-sync-status.tsx';
import { createSyncWorld, delivery, ended, externalRepository, externalSite, json, refused, site, type SyncWorld } from './sync-world.ts';

const CREDENTIALS = 'The webhook’s credentials, shown only once';

/** An external repository, opened in the rail; creating a site stores it. */
async function openRepository(world: SyncWorld, onCreated: () => void) {
  world.hasBuildManagement = true;
  world.repositories.push(externalRepository());
  world.answer = (method, path, body) => {
    if (method !== 'POST' || !path.endsWith('/repositories/7/sites')) return undefined;
    const { site: name } = body as { site: string };
    world.sites.push(externalSite(name));
    onCreated();
    return json(201, { site: name, holdsSecret: true, administeredBy: [], delivery: delivery() });
  };
  const { person } = show(world);
  return person;
}

describe('the sites around a page, when they are reloaded', () => {
  test('stay as they were on failure: values shown only once stay visible, and the created site is reported as created', async () => {
    const world = createSyncWorld();
    let isDown = false;
    const person = await openRepository(world, () => (isDown = true));
    const answer = world.answer;
    world.answer = (method, path, body) =>
      isDown && path === '/config/wknd/sites.json'
        ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.')
        : answer(method, path, body);
    await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.click(await screen.findByRole('button', { name: 'Create the webhook' }));
    await screen.findByRole('group', { name: CREDENTIALS });
    await person.click(screen.getByText('Create a site'));
    await person.type(screen.getByRole('textbox', { name: 'Site name' }), 'autumn{Enter}');
    await screen.findByText('The storage does not respond.');
    within(screen.getByRole('group', { name: CREDENTIALS })).getByText('webhook-secret');
    screen.getByText('The site “autumn” is registered. Its code is being synced.');
    expect(await violations()).toEqual([]);
    isDown = false;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('The storage does not respond.')).toBeNull());
    screen.getByRole('group', { name: CREDENTIALS });
  });

  test('preserve open details if the page’s own site has code now', async () => {
    const world = createSyncWorld([site('elsewhere')]);
    const person = await openRepository(world, () => undefined);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.click(await screen.findByRole('button', { name: 'Create the webhook' }));
    await screen.findByRole('group', { name: CREDENTIALS });
    await person.click(screen.getByText('Create a site'));
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    await screen.findByText('The site “summit” is registered. Its code is being synced.');
    expect(await screen.findByRole('switch', { name: 'All sites of wknd' })).toHaveProperty('disabled', false);
    screen.getByRole('group', { name: CREDENTIALS });
  });
});

test('a site removed elsewhere is reported as missing, its branch is not called never synced, and another site of the repository replaces it', async () => {
  const world = createSyncWorld([site('summit'), site('first', 'shared'), site('second', 'shared')]);
  world.notify('main', ended());
  const { person } = show(world);
  await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
  await person.click(await screen.findByRole('button', { name: /wknd\/shared/ }));
  const again = await screen.findByRole('button', { name: 'Sync code: main' });
  world.sites.splice(1, 1);
  world.answer = (_method, path) =>
    path.includes('/wknd/first/') ? refused('SITE_NOT_FOUND', 404, 'The organization wknd has no site "first".') : undefined;
  await person.click(again);
  await screen.findByText('The organization wknd has no site "first".');
  world.cut();
  await screen.findByText('One site uses this code.');
  expect(screen.queryByText('This branch has never been synced.')).toBeNull();
  await person.click(await screen.findByRole('button', { name: 'Sync code: main' }));
  await waitFor(() => expect(world.writes.map(({ call }) => call)).toEqual(['POST /code/wknd/second/main/*']));
});

describe('an external repository, when it is reloaded', () => {
  const open = async (world: SyncWorld) => {
    const person = await openRepository(world, () => undefined);
    await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    return person;
  };

  test('reports a failure beside the previous values, also for its deliveries', async () => {
    const world = createSyncWorld();
    world.deliveries = [delivery()];
    const person = await open(world);
    await screen.findByRole('button', { name: 'Send again: Push Hook main' });
    world.answer = (method, path) => {
      if (method !== 'GET' || !path.includes('/repositories/7')) return undefined;
      return refused('STORAGE_UNAVAILABLE', 503, path.endsWith('/deliveries') ? 'No deliveries.' : 'No repository.');
    };
    await person.click(screen.getByRole('button', { name: 'Create the webhook' }));
    await screen.findByText('No repository.');
    screen.getByRole('group', { name: CREDENTIALS });
    await person.click(screen.getByRole('button', { name: 'Send again: Push Hook main' }));
    await screen.findByText('No deliveries.');
    screen.getByRole('button', { name: 'Send again: Push Hook main' });
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) await person.click(button);
    await waitFor(() => expect(screen.queryByText(/^No (repository|deliveries)\.$/)).toBeNull());
  });

  test('is shown as linked in the list after it was linked', async () => {
    const world = createSyncWorld();
    const person = await open(world);
    await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
    await press(person, 'Link…', 'Link now', 'I have copied it', 'All repositories');
    screen.getByRole('button', { name: /Team site.*Linked to summit/ });
  });
});
