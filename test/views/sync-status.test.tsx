import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { atComputer, show } from './show-sync-status.tsx';
import { createSyncWorld, delivery, ended, externalRepository, externalSite, json, refused, running } from './sync-world.ts';

beforeEach(atComputer);

describe('the sync status of the page’s repository', () => {
  test('shows state, progress, commit and who began it, as it goes on', async () => {
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

  test('shows every branch that was synchronised', async () => {
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
    ['en-US', 'Queued:'],
    ['de-CH', 'In der Warteschlange:'],
  ] as const)('says for what a sync waits that is not begun (%s)', async (locale, label) => {
    const world = createSyncWorld();
    const why = '2 other syncs of this organization are in progress. This one starts when one of them ends.';
    const { startTime: _startTime, stopTime: _stopTime, data, ...asked } = ended();
    if (data === undefined) return expect.unreachable();
    world.tell('main', { ...asked, state: 'created', data: { ...data, phase: 'collect', waiting: why } });
    show(world, 'light', locale);
    await screen.findByText(`${label} ${why}`);
    expect(await violations()).toEqual([]);
    world.tell('main', running(5));
    await waitFor(() => expect(screen.queryByText(`${label} ${why}`)).toBeNull());
  });

  test('goes on by itself after the service was away', async () => {
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

  test('asks to sign in where the sign-in ended, and goes on after it', async () => {
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
    const branch = await screen.findByRole('combobox', { name: 'Branch' });
    await person.clear(branch);
    await person.type(branch, 'feature/One');
    await person.click(screen.getByRole('button', { name: 'Sync code' }));
    await screen.findByText('Sync of feature/One started.');
    expect(world.writes.map(({ call }) => call)).toEqual(['POST /code/wknd/summit/feature-one/*']);
    await screen.findByRole('heading', { level: 3, name: 'feature/One' });
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
    expect(await violations()).toEqual([]);
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
    await person.click(await screen.findByRole('button', { name: 'Sync code' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('not authorized');
    within(alert).getByText(/Ask an administrator/);
    expect(await violations()).toEqual([]);
  });
});

describe('a failed sync', () => {
  test('with 401 is explained: the secret is wrong or revoked, and the new one is pasted right there', async () => {
    const world = createSyncWorld([externalSite('summit'), externalSite('summit-first', true)]);
    world.tell('main', ended('a'.repeat(40), 'Unable to fetch hlxignore: 401'));
    const { person } = show(world, 'dark');
    const meaning = await screen.findByRole('group', { name: 'What it means' });
    within(meaning).getByText('Unable to fetch hlxignore: 401');
    within(meaning).getByText(/revoked when the repository was linked to another site/);
    expect(await violations()).toEqual([]);
    const field = within(meaning).getByLabelText('New secret');
    expect(field.getAttribute('type')).toBe('password');
    await person.click(within(meaning).getByRole('button', { name: 'Store and sync again' }));
    within(meaning).getByText('Paste the secret first.');
    await person.type(field, 'fresh-secret');
    await person.click(within(meaning).getByRole('button', { name: 'Store and sync again' }));
    await within(meaning).findByText('The secret was stored. Syncing again…');
    expect(world.writes).toEqual([
      { call: 'POST /config/wknd/sites/summit-first/secrets/cm-byog.json', body: { value: 'fresh-secret' } },
      { call: 'POST /code/wknd/summit/main/*', body: undefined },
    ]);
    expect(field).toHaveProperty('value', '');
    world.tell('main', ended());
    await screen.findByText('Up to date');
  });

  test.each<readonly [string, () => Response]>([
    ['is refused', () => refused('OVERLOADED', 503, 'Too many syncs are waiting.')],
    ['finds no site any more', () => refused('SITE_NOT_FOUND', 404, 'There is no site “summit”.')],
  ])('says that the secret is stored where the sync %s, and starts it alone', async (_what, answer) => {
    const world = createSyncWorld([externalSite('summit'), externalSite('summit-first', true)]);
    world.tell('main', ended('a'.repeat(40), 'Unable to fetch hlxignore: 401'));
    const { person } = show(world);
    const meaning = await screen.findByRole('group', { name: 'What it means' });
    world.answer = (method, path) => (method === 'POST' && path.startsWith('/code/') ? answer() : undefined);
    await person.type(within(meaning).getByLabelText('New secret'), 'fresh-secret');
    await person.click(within(meaning).getByRole('button', { name: 'Store and sync again' }));
    const alert = await within(meaning).findByRole('alert');
    within(alert).getByText('The secret was stored, but the sync couldn’t be started');
    expect(within(meaning).queryByText(/Syncing again/)).toBeNull();
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Start the sync' }));
    await within(meaning).findByText('The secret was stored. Syncing again…');
    expect(world.writes.map(({ call }) => call)).toEqual([
      'POST /config/wknd/sites/summit-first/secrets/cm-byog.json',
      'POST /code/wknd/summit/main/*',
    ]);
  });

  test.each([
    ['branch not found', /The repository has no branch “main”/],
    ['Unable to fetch hlxignore: 503', /The code source does not respond as expected/],
    ['Unable to fetch hlxignore: 429', /received too many requests/],
    ['Something else', /did not finish/],
  ])('with “%s” says what that means', async (error, meaning) => {
    const world = createSyncWorld();
    world.tell('main', ended('a'.repeat(40), error));
    show(world);
    const group = await screen.findByRole('group', { name: 'What it means' });
    within(group).getByText(meaning);
    expect(within(group).queryByLabelText('New secret')).toBeNull();
    expect(await violations()).toEqual([]);
  });
});

describe('a site that still shows old code', () => {
  test('is told by the last push and the commit served, and the delivery can be sent again', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.repositories.push(externalRepository({ link: { site: 'summit', linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada' } }));
    world.deliveries = [delivery({ outcome: 'failed', detail: 'The configuration service did not respond.' })];
    world.tell('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByText('A site still shows old code'));
    await person.click(screen.getByRole('button', { name: 'Compare now' }));
    await screen.findByText('The last push was received, but refused.');
    expect(await violations()).toEqual([]);
    const [again] = await screen.findAllByRole('button', { name: 'Send again: Push Hook main' });
    if (again !== undefined) await person.click(again);
    await waitFor(() => expect(world.writes.map(({ call }) => call)).toEqual([expect.stringMatching(/^POST .*\/deliveries\/.*\/resend$/)]));
  });

  test.each([
    [
      'that was never told',
      'c'.repeat(40),
      'The repository has a newer commit, but its push was never received.',
      /send the push again, or sync the code now\.$/,
    ],
    ['that the last push told', 'b'.repeat(40), 'The served code is older than the last push.', 'Sync the code now.'],
    ['that is served', 'a'.repeat(40), /^The served code matches the branch in the repository\./, 'No action needed.'],
  ])('of an external repository is compared with a commit %s', async (_what, head, finding, next) => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.head = head;
    const webhook = { address: 'https://builds.example.com/webhooks/1', created: '2026-03-04T05:06:07.000Z', createdBy: 'ada' };
    world.repositories.push(externalRepository({ webhook }));
    const changes = [{ branch: 'main', type: 'updated' as const, commit: head === 'b'.repeat(40) ? head : 'a'.repeat(40) }];
    world.deliveries = [delivery({ changes })];
    world.tell('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByText('A site still shows old code'));
    await person.click(screen.getByRole('button', { name: 'Compare now' }));
    await screen.findByText(finding);
    screen.getByText(next);
    screen.getByText('The branch in the repository');
    expect(await violations()).toEqual([]);
  });

  test('of an external repository is not called current where its git vendor does not tell the branch', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.repositories.push(externalRepository());
    world.deliveries = [delivery({ changes: [{ branch: 'main', type: 'updated', commit: 'a'.repeat(40) }] })];
    world.answer = (_method, path) =>
      path.endsWith('/branches') ? refused('REPOSITORY_UNREACHABLE', 502, 'The git vendor refused the access token.') : undefined;
    world.tell('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByText('A site still shows old code'));
    await person.click(screen.getByRole('button', { name: 'Compare now' }));
    await screen.findByText(/^Couldn’t read the branch in the repository\./);
    screen.getByText(/The git vendor refused the access token\./);
    expect(await violations()).toEqual([]);
  });

  test.each([
    ['missing', 'There is no repository wknd/boilerplate.', /^The repository no longer exists, or can’t be read\./],
    ['refused', 'There is no public repository wknd/boilerplate.', /^The repository no longer exists, or can’t be read\./],
    ['unreachable', 'The code host did not respond.', /^Couldn’t read the branch in the repository\./],
  ] as const)('of the code host is not compared with a repository that is %s', async (repository, detail, finding) => {
    const world = createSyncWorld();
    world.answer = (_method, path) =>
      path.endsWith('/code/check.json')
        ? json(200, { type: 'github', owner: 'wknd', repo: 'boilerplate', ref: 'main', repository, detail })
        : undefined;
    world.tell('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByText('A site still shows old code'));
    await person.click(screen.getByRole('button', { name: 'Compare now' }));
    await screen.findByText(finding);
    screen.getByText(detail, { exact: false });
    expect(await violations()).toEqual([]);
  });

  test.each([
    ['the commit served', 'a'.repeat(40), /^The served code matches the branch in the repository\./, 'No action needed.'],
    ['another commit', 'c'.repeat(40), /^The served code does not match the branch in the repository\.$/, 'Sync the code now.'],
    ['nothing that can be read', undefined, /^Couldn’t read the branch in the repository\./, 'If they differ, sync the code now.'],
  ])('of the code host is compared with the branch there: %s', async (_what, head, finding, next) => {
    const world = createSyncWorld();
    world.head = head;
    world.tell('main', ended());
    const { person } = show(world);
    await person.click(await screen.findByText('A site still shows old code'));
    await person.click(screen.getByRole('button', { name: 'Compare now' }));
    await screen.findByText(finding);
    screen.getByText(next);
    expect(await violations()).toEqual([]);
  });
});
