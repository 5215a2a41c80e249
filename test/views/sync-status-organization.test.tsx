import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { show } from './show-sync-status.tsx';
import { createSyncWorld, refused, site } from './sync-world.ts';

describe('all sites of an organization', () => {
  test('of thousands: those in sight alone are in the document; searched, opened and left by keyboard', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => site(`shop-${String(index).padStart(4, '0')}`, `repo-${index % 1500}`));
    const world = createSyncWorld([site('summit'), ...many]);
    const { person } = show(world);
    await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
    screen.getByText('3,001 sites in 1,501 repositories');
    const list = screen.getByRole('list', { name: 'Repositories' });
    expect(within(list).getAllByRole('listitem').length).toBeLessThan(30);
    await person.type(screen.getByRole('searchbox', { name: 'Search sites and repositories' }), 'shop-2999');
    await screen.findByText('2 found');
    await person.tab();
    await person.keyboard('{ArrowDown}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('shop-2999'));
    expect(await violations()).toEqual([]);
    await person.keyboard('{Enter}');
    const heading = await screen.findByRole('heading', { level: 2, name: 'wknd/repo-1499' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    expect(screen.getByRole('searchbox', { name: 'Search sites and repositories' })).toHaveProperty('value', 'shop-2999');
  });

  test.each([
    ['en-US', 'All sites of wknd', /Never synced/, 'Couldn’t read the sync', 503],
    ['de-CH', 'Alle Sites von wknd', /Nie synchroniziert/, 'Der Sync konnte nicht gelesen werden', 403],
  ] as const)('are not called never synced where their syncs cannot be read (%s)', async (locale, all, never, unread, status) => {
    const world = createSyncWorld([site('summit'), site('harbour', 'other')]);
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHORIZED', status, 'No.') : undefined);
    const { person } = show(world, 'light', locale);
    await person.click(await screen.findByRole('switch', { name: all }));
    expect(await screen.findAllByText(unread)).toHaveLength(2);
    expect(screen.queryByText(never)).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('are shown where the page’s own site is not registered', async () => {
    show(createSyncWorld([site('elsewhere')]));
    await screen.findByText(/“summit” is not registered/);
    expect(await violations()).toEqual([]);
  });

  test('are none yet', async () => {
    show(createSyncWorld([]));
    await screen.findByText('No site of this organization has code yet.');
    expect(await violations()).toEqual([]);
  });

  test('are not known while the service does not respond; asked again they are', async () => {
    const world = createSyncWorld();
    world.answer = () => refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.');
    const { person } = show(world);
    await screen.findByText('The storage does not respond.');
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 2, name: 'wknd/boilerplate' });
  });

  test('outlive a new drawing of the rail', async () => {
    const world = createSyncWorld();
    const { person } = show(world);
    await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
    document.body.innerHTML = '';
    show(world);
    expect(await screen.findByRole('switch', { name: 'All sites of wknd' })).toHaveProperty('checked', true);
  });
});
