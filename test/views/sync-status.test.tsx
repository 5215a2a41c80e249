import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { show } from './show-sync-status.tsx';
import { createSyncWorld, ended, refused, running, site } from './sync-world.ts';

describe('the sync status of the page’s repository', () => {
  test('shows state, progress, commit and who started it, as it changes', async () => {
    const world = createSyncWorld();
    world.tell('main', running(5));
    show(world);
    const bar = await screen.findByRole('progressbar', { name: /Fetching files|Sync of main/ });
    expect(bar.getAttribute('aria-valuetext')).toBe('5 of 20 files');
    screen.getByText('2 sites share this code. It is synced once for all of them.');
    screen.getByText('Live');
    expect(await violations()).toEqual([]);
    world.tell('main', running(12));
    await waitFor(() => expect(bar.getAttribute('aria-valuetext')).toBe('12 of 20 files'));
    world.tell('main', ended());
    await screen.findByText('Up to date');
    screen.getByText('aaaaaaaaaa');
    screen.getByText('ada.admin@example.com');
    expect(await violations()).toEqual([]);
  });

  test('shows every branch that was synchronized', async () => {
    const world = createSyncWorld();
    world.branches = ['main', 'feature/winter'];
    world.tell('main', ended());
    world.tell('feature-winter', ended());
    show(world);
    const branches = await screen.findByRole('list', { name: 'Branches' });
    await waitFor(() => expect(within(branches).getAllByText('Up to date')).toHaveLength(2));
    within(branches).getByText('feature/winter');
  });

  test.each([
    ['en-US', 'Queued: 2 other syncs of this organization are in progress. This one starts when one of them ends.'],
    ['de-CH', 'In der Warteschlange: 2 andere Synchronisierungen dieser Organisation laufen. Diese beginnt, sobald eine davon endet.'],
  ] as const)('says what a sync waits for (%s)', async (locale, said) => {
    const world = createSyncWorld();
    const why = '2 other syncs of this organization are in progress. This one starts when one of them ends.';
    const { startTime: _startTime, stopTime: _stopTime, data, ...asked } = ended();
    if (data === undefined) return expect.unreachable();
    world.tell('main', { ...asked, state: 'created', data: { ...data, phase: 'collect', waiting: why } });
    show(world, 'light', locale);
    await screen.findByText(said);
    expect(await violations()).toEqual([]);
    world.tell('main', running(5));
    await waitFor(() => expect(screen.queryByText(said)).toBeNull());
  });

  test.each([
    ['en-US', 'first sync', 'First sync'],
    ['de-CH', 'new secret', 'Neues Geheimnis'],
    ['de-CH', 'ada.admin@example.com', 'ada.admin@example.com'],
  ] as const)('names who or what started a sync (%s, %s)', async (locale, user, said) => {
    const world = createSyncWorld();
    world.tell('main', { ...ended(), user });
    show(world, 'light', locale);
    await screen.findByText(said);
  });

  test('continues by itself after the service was unreachable', async () => {
    const world = createSyncWorld();
    world.tell('main', running(5));
    show(world);
    await screen.findByText('Syncing');
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('SHUTTING_DOWN', 503, 'The service is stopping.') : undefined);
    world.cut();
    await screen.findByText('No connection. Trying again');
    screen.getByText('Syncing');
    world.tell('main', ended());
    world.answer = () => undefined;
    await screen.findByText('Up to date', undefined, { timeout: 5000 });
  });

  test('says that it may not be read, promises no more, and is followed again when asked', async () => {
    const world = createSyncWorld();
    world.tell('main', running(5));
    const { person } = show(world);
    await screen.findByText('Syncing');
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHORIZED', 403, 'No role on this site.') : undefined);
    world.cut();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('No role on this site.');
    expect(screen.queryByText('No connection. Trying again')).toBeNull();
    screen.getByText('Syncing');
    expect(await violations()).toEqual([]);
    world.tell('main', ended());
    world.answer = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: 'main' }));
    await screen.findByText('Up to date');
    screen.getByText('Live');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('asks to sign in where the sign-in ended, and continues after it', async () => {
    const world = createSyncWorld();
    world.tell('main', ended());
    world.answer = (_method, path) => (path.startsWith('/job/') ? refused('NOT_AUTHENTICATED', 401, 'No token.') : undefined);
    const { person, seen } = show(world);
    const signIn = await screen.findByRole('button', { name: 'Sign in' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    world.answer = () => undefined;
    await person.click(signIn);
    expect(seen.signedOut).toBe(1);
    await screen.findByText('Up to date');
  });

  test.each([
    ['en-US', 'Couldn’t read the branches', 'Try again', 'Branches'],
    ['de-CH', 'Die Branches konnten nicht gelesen werden', 'Noch einmal versuchen', 'Branches'],
  ] as const)('says that its branches could not be read, and reads them when asked (%s)', async (locale, title, retry, heading) => {
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

  test('starts the sync of a branch that is written, and shows its job', async () => {
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

  test('rolls all sites back to an earlier commit after saying how many there are, and forward again', async () => {
    const world = createSyncWorld();
    const commit = (letter: string, message: string) => ({ sha: letter.repeat(40), branch: 'main', author: 'Ada Admin', message });
    const commits = [commit('a', 'Break the header'), commit('b', 'Add a header')];
    world.tell('main', { ...ended(), served: 'a'.repeat(40), commits });
    const { person } = show(world);
    await person.click(await screen.findByText('Roll back to an earlier commit'));
    screen.getByText(/^2 sites show the chosen commit immediately/);
    await person.click(screen.getByRole('button', { name: 'Roll back to bbbbbbbbbb Add a header' }));
    await waitFor(() => expect(world.writes).toEqual([{ call: 'PUT /served-code/wknd/summit/main', body: { sha: 'b'.repeat(40) } }]));
    const rolledBack = { time: '2026-03-04T05:06:07.000Z', user: 'ada.admin@example.com' };
    world.tell('main', { ...ended(), served: 'b'.repeat(40), commits, rolledBack });
    const notice = await screen.findByRole('group', { name: 'An earlier commit is served' });
    within(notice).getByText('Add a header');
    within(notice).getByText(/^Rolled back by ada\.admin@example\.com/);
    within(notice).getByText('Forward again: 2 sites show aaaaaaaaaa Break the header, and the pushes after it.');
    screen.getByText('Rolled back');
    expect(await violations()).toEqual([]);
    await person.click(within(notice).getByRole('button', { name: 'Forward again: main' }));
    await waitFor(() => expect(world.writes.at(-1)?.body).toEqual({ sha: null }));
  });

  test('says why a roll-back was refused', async () => {
    const world = createSyncWorld();
    const commits = ['a', 'b'].map((letter) => ({ sha: letter.repeat(40), branch: 'main' }));
    world.tell('main', { ...ended(), served: 'a'.repeat(40), commits });
    world.answer = (method) =>
      method === 'PUT' ? refused('NOT_AUTHORIZED', 403, 'Other organizations also use the repository wknd/boilerplate.') : undefined;
    const { person } = show(world);
    await person.click(await screen.findByText('Roll back to an earlier commit'));
    await person.click(screen.getByRole('button', { name: 'Roll back to bbbbbbbbbb' }));
    within(await screen.findByRole('alert')).getByText(/Other organizations also use the repository/);
  });

  test('stops a sync that is under way', async () => {
    const world = createSyncWorld();
    world.tell('main', running(5));
    const { person } = show(world);
    await person.click(await screen.findByRole('button', { name: 'Stop: main' }));
    await waitFor(() =>
      expect(world.writes.map(({ call }) => call)).toEqual(['DELETE /job/wknd/summit/main/code/job-2026-03-04-05-06-07-0a1b2c3d']),
    );
  });

  test('says who may not start a sync and what to do', async () => {
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
