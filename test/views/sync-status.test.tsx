import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { show } from './show-sync-status.tsx';
import { createSyncWorld, ended, refused, running, site } from './sync-world.ts';

describe('the sync status of the page’s repository', () => {
  test('shows state, progress, commit and who started it, as they change', async () => {
    const world = createSyncWorld();
    world.notify('main', running(5));
    show(world);
    const bar = await screen.findByRole('progressbar', { name: /Fetching files|Sync of main/ });
    expect(bar.getAttribute('aria-valuetext')).toBe('5 of 20 files');
    screen.getByText('2 sites share this code. It is synced once for all of them.');
    screen.getByText('Live');
    expect(await violations()).toEqual([]);
    world.notify('main', running(12));
    await waitFor(() => expect(bar.getAttribute('aria-valuetext')).toBe('12 of 20 files'));
    world.notify('main', ended());
    await screen.findByText('Up to date');
    screen.getByText('aaaaaaaaaa');
    screen.getByText('ada.admin@example.com');
    expect(await violations()).toEqual([]);
  });

  test('shows every synced branch', async () => {
    const world = createSyncWorld();
    world.branches = ['main', 'feature/winter'];
    world.notify('main', ended());
    world.notify('feature-winter', ended());
    show(world);
    const branches = await screen.findByRole('list', { name: 'Branches' });
    await waitFor(() => expect(within(branches).getAllByText('Up to date')).toHaveLength(2));
    within(branches).getByText('feature/winter');
  });

  test.each([
    ['en-US', 'Queued: 2 other syncs of this organization are in progress. This one starts when one of them ends.'],
    ['de-CH', 'In der Warteschlange: 2 andere Synchronisierungen dieser Organisation laufen. Diese beginnt, sobald eine davon endet.'],
  ] as const)('shows what a sync waits for (%s)', async (locale, message) => {
    const world = createSyncWorld();
    const why = '2 other syncs of this organization are in progress. This one starts when one of them ends.';
    const { startTime: _startTime, stopTime: _stopTime, data, ...rest } = ended();
    if (data === undefined) return expect.unreachable();
    world.notify('main', { ...rest, state: 'created', data: { ...data, phase: 'collect', waiting: why } });
    show(world, 'light', locale);
    await screen.findByText(message);
    expect(await violations()).toEqual([]);
    world.notify('main', running(5));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  });

  test.each([
    ['en-US', 'first sync', 'First sync'],
    ['de-CH', 'new secret', 'Neues Geheimnis'],
    ['de-CH', 'ada.admin@example.com', 'ada.admin@example.com'],
  ] as const)('shows who or what started a sync (%s, %s)', async (locale, user, message) => {
    const world = createSyncWorld();
    world.notify('main', { ...ended(), user });
    show(world, 'light', locale);
    await screen.findByText(message);
  });

  test('continues by itself after the service was unreachable', async () => {
    const world = createSyncWorld();
    world.notify('main', running(5));
    show(world);
    await screen.findByText('Syncing');
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('SHUTTING_DOWN', 503, 'The service is stopping.') : undefined);
    world.cut();
    await screen.findByText('No connection. Trying again');
    screen.getByText('Syncing');
    world.notify('main', ended());
    world.answer = () => undefined;
    await screen.findByText('Up to date', undefined, { timeout: 5000 });
  });

  test('reports missing permission without promising updates, and reloads on request', async () => {
    const world = createSyncWorld();
    world.notify('main', running(5));
    const { person } = show(world);
    await screen.findByText('Syncing');
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHORIZED', 403, 'No role on this site.') : undefined);
    world.cut();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('No role on this site.');
    expect(screen.queryByText('No connection. Trying again')).toBeNull();
    screen.getByText('Syncing');
    expect(await violations()).toEqual([]);
    world.notify('main', ended());
    world.answer = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: 'main' }));
    await screen.findByText('Up to date');
    screen.getByText('Live');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('asks to sign in after the sign-in ended, and continues after it', async () => {
    const world = createSyncWorld();
    world.notify('main', ended());
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHENTICATED', 401, 'No token.') : undefined);
    const { person, counts } = show(world);
    const signIn = await screen.findByRole('button', { name: 'Sign in' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    world.answer = () => undefined;
    await person.click(signIn);
    expect(counts.signedOut).toBe(1);
    await screen.findByText('Up to date');
  });

  test.each([
    ['en-US', 'Couldn’t read the branches', 'Try again', 'Branches'],
    ['de-CH', 'Die Branches konnten nicht gelesen werden', 'Noch einmal versuchen', 'Branches'],
  ] as const)('reports that its branches could not be read, and reads them on request (%s)', async (locale, title, retry, heading) => {
    const world = createSyncWorld();
    world.branches = ['main', 'winter'];
    world.answer = (_method, path) => (path.startsWith('/code/') ? refused('STORAGE_UNAVAILABLE', 503, 'No storage.') : undefined);
    const { person } = show(world, 'light', locale);
    const alert = await screen.findByRole('alert');
    within(alert).getByText(title);
    screen.getByRole('heading', { level: 3, name: 'main' });
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(within(alert).getByRole('button', { name: retry }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: heading }));
    await screen.findByRole('heading', { level: 3, name: 'winter' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('starts the sync of a typed branch, and shows its job', async () => {
    const world = createSyncWorld();
    const { person } = show(world);
    await person.click(await screen.findByText('Sync another branch'));
    const branch = await screen.findByRole('combobox', { name: 'Branch' });
    await person.type(branch, 'feature/One');
    await person.click(screen.getByRole('button', { name: 'Sync code: feature/One' }));
    await screen.findByText('Sync of feature/One started.');
    expect(world.writes.map(({ call }) => call)).toEqual(['POST /code/wknd/summit/feature-one/*']);
    await screen.findByRole('heading', { level: 3, name: 'feature/One' });
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
    expect(await violations()).toEqual([]);
  });

  test('rolls all sites back to an earlier commit after showing how many they are, and forward again', async () => {
    const world = createSyncWorld();
    const commit = (letter: string, message: string) => ({ sha: letter.repeat(40), branch: 'main', author: 'Ada Admin', message });
    const commits = [commit('a', 'Break the header'), commit('b', 'Add a header')];
    world.notify('main', { ...ended(), served: 'a'.repeat(40), commits });
    const { person } = show(world);
    await person.click(await screen.findByText('Roll back to an earlier commit'));
    screen.getByText(/^2 sites show the chosen commit immediately/);
    await person.click(screen.getByRole('button', { name: 'Roll back to bbbbbbbbbb Add a header' }));
    await waitFor(() => expect(world.writes).toEqual([{ call: 'PUT /served-code/wknd/summit/main', body: { sha: 'b'.repeat(40) } }]));
    const rolledBack = { time: '2026-03-04T05:06:07.000Z', user: 'ada.admin@example.com' };
    world.notify('main', { ...ended(), served: 'b'.repeat(40), commits, rolledBack });
    const notice = await screen.findByRole('group', { name: 'An earlier commit is served' });
    within(notice).getByText('Add a header');
    within(notice).getByText(/^Rolled back by ada\.admin@example\.com/);
    within(notice).getByText('Forward again: 2 sites show aaaaaaaaaa Break the header, and the pushes after it.');
    screen.getByText('Rolled back');
    expect(await violations()).toEqual([]);
    await person.click(within(notice).getByRole('button', { name: 'Forward again: main' }));
    await waitFor(() => expect(world.writes.at(-1)?.body).toEqual({ sha: null }));
  });

  test('shows why a rollback was refused', async () => {
    const world = createSyncWorld();
    const commits = ['a', 'b'].map((letter) => ({ sha: letter.repeat(40), branch: 'main' }));
    world.notify('main', { ...ended(), served: 'a'.repeat(40), commits });
    world.answer = (method) =>
      method === 'PUT' ? refused('NOT_AUTHORIZED', 403, 'Other organizations also use the repository wknd/boilerplate.') : undefined;
    const { person } = show(world);
    await person.click(await screen.findByText('Roll back to an earlier commit'));
    await person.click(screen.getByRole('button', { name: 'Roll back to bbbbbbbbbb' }));
    within(await screen.findByRole('alert')).getByText(/Other organizations also use the repository/);
  });

  test('stops a sync in progress', async () => {
    const world = createSyncWorld();
    world.notify('main', running(5));
    const { person } = show(world);
    await person.click(await screen.findByRole('button', { name: 'Stop: main' }));
    await waitFor(() =>
      expect(world.writes.map(({ call }) => call)).toEqual(['DELETE /job/wknd/summit/main/code/job-2026-03-04-05-06-07-0a1b2c3d']),
    );
  });

  test('keeps focus on the button of a sync when its job follows', async () => {
    const world = createSyncWorld();
    world.notify('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByRole('button', { name: 'Sync code: main' }));
    await waitFor(() => expect(world.writes.map(({ call }) => call)).toEqual(['POST /code/wknd/summit/main/*']));
    world.notify('main', { ...running(5), name: 'job-2026-03-04-05-06-08-0a1b2c3d' });
    const stop = await screen.findByRole('button', { name: 'Stop: main' });
    expect(document.activeElement).toBe(stop);
  });

  test('tells a user without permission to sync what to do', async () => {
    const world = createSyncWorld();
    world.answer = (method) => (method === 'POST' ? refused('NOT_AUTHORIZED', 403, 'not authorized') : undefined);
    const { person } = show(world);
    await person.click(await screen.findByRole('button', { name: 'Sync code: main' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('not authorized');
    within(alert).getByText(/Ask an administrator/);
    expect(await violations()).toEqual([]);
  });
});
describe('all sites of an organization', () => {
  test('by the thousand are searched, opened and closed by keyboard, and only visible ones are rendered', async () => {
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
  ] as const)('are not called never synced if their syncs cannot be read (%s)', async (locale, all, never, unread, status) => {
    const world = createSyncWorld([site('summit'), site('harbour', 'other')]);
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHORIZED', status, 'No.') : undefined);
    const { person } = show(world, 'light', locale);
    await person.click(await screen.findByRole('switch', { name: all }));
    expect(await screen.findAllByText(unread)).toHaveLength(2);
    expect(screen.queryByText(never)).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('are shown if the page’s own site is not registered', async () => {
    show(createSyncWorld([site('elsewhere')]));
    await screen.findByText(/“summit” is not registered/);
    expect(await violations()).toEqual([]);
  });

  test('are reported as none', async () => {
    show(createSyncWorld([]));
    await screen.findByText('No site of this organization has code yet.');
    expect(await violations()).toEqual([]);
  });

  test('are unknown while the service does not respond, and are read on request', async () => {
    const world = createSyncWorld();
    world.answer = () => refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.');
    const { person } = show(world);
    await screen.findByText('The storage does not respond.');
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 2, name: 'wknd/boilerplate' });
  });

  test('stay open when the rail is rendered again', async () => {
    const world = createSyncWorld();
    const { person } = show(world);
    await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
    document.body.innerHTML = '';
    show(world);
    expect(await screen.findByRole('switch', { name: 'All sites of wknd' })).toHaveProperty('checked', true);
  });
});
