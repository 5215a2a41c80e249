import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { show } from './show-sync-status.tsx';
import { createSyncWorld, delivery, ended, externalRepository, externalSite, json, refused } from './sync-world.ts';
import { type Person, press } from './in-surface.tsx';

describe('a failed sync', () => {
  test('with 401 explains that the secret is wrong or revoked, and accepts the new one there', async () => {
    const world = createSyncWorld([externalSite('summit'), externalSite('summit-first', true)]);
    world.notify('main', ended('a'.repeat(40), 'Unable to fetch hlxignore: 401'));
    const { person } = show(world, 'dark');
    const meaning = await screen.findByRole('group', { name: 'What it means' });
    within(meaning).getByText('Sync message: Unable to fetch hlxignore: 401');
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
    world.notify('main', ended());
    await screen.findByText('Up to date');
  });

  test.each<readonly [string, () => Response]>([
    ['is refused', () => refused('OVERLOADED', 503, 'Too many syncs are waiting.')],
    ['finds no site', () => refused('SITE_NOT_FOUND', 404, 'There is no site “summit”.')],
  ])('reports that the secret is stored if the sync %s, and retries only the sync', async (_what, answer) => {
    const world = createSyncWorld([externalSite('summit'), externalSite('summit-first', true)]);
    world.notify('main', ended('a'.repeat(40), 'Unable to fetch hlxignore: 401'));
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
  ])('with “%s” explains what that means', async (error, meaning) => {
    const world = createSyncWorld();
    world.notify('main', ended('a'.repeat(40), error));
    show(world);
    const group = await screen.findByRole('group', { name: 'What it means' });
    within(group).getByText(meaning);
    expect(within(group).queryByLabelText('New secret')).toBeNull();
    expect(await violations()).toEqual([]);
  });
});

async function compare(person: Person): Promise<void> {
  await person.click(await screen.findByText('A site still shows old code'));
  await press(person, 'Compare now');
}

describe('a site that still shows old code', () => {
  test('is explained by the last push and the served commit, and the delivery can be sent again', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.repositories.push(externalRepository({ link: { site: 'summit', linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada' } }));
    world.deliveries = [delivery({ outcome: 'failed', detail: 'The configuration service did not respond.' })];
    world.notify('main', ended());
    const { person } = show(world);
    // The heading is its name; its numbers are below.
    await screen.findByRole('heading', { name: 'Team site', level: 2 });
    screen.getByText('100/7');
    await compare(person);
    await screen.findByText('The last push was received, but refused.');
    expect(await violations()).toEqual([]);
    const [again] = await screen.findAllByRole('button', { name: 'Send again: Push Hook main' });
    if (again !== undefined) await person.click(again);
    await waitFor(() => expect(world.writes.map(({ call }) => call)).toEqual([expect.stringMatching(/^POST .*\/deliveries\/.*\/resend$/)]));
  });

  test('shows in German why the last push was refused', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.repositories.push(externalRepository({ link: { site: 'summit', linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada' } }));
    world.deliveries = [delivery({ outcome: 'refused', detail: codeSentence('apiKeyRefused') })];
    world.notify('main', ended());
    const { person } = show(world, 'light', 'de-DE');
    await person.click(await screen.findByText('Eine Site zeigt noch alten Code'));
    await press(person, 'Jetzt vergleichen');
    const sentences = await screen.findAllByText(/^Der API-Schlüssel fehlt oder wird nicht angenommen\./);
    expect(sentences.length).toBeGreaterThan(1);
    expect(document.body.textContent).not.toContain('The API key');
  });

  test.each([
    [
      'that was never received',
      'c'.repeat(40),
      'The repository has a newer commit, but its push was never received.',
      /send the push again, or sync the code now\.$/,
    ],
    ['of the last push', 'b'.repeat(40), 'The served code is older than the last push.', 'Sync the code now.'],
    ['that is served', 'a'.repeat(40), /^The served code matches the branch in the repository\./, 'No action needed.'],
  ])('of an external repository is compared with a commit %s', async (_what, head, finding, next) => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.head = head;
    const webhook = { address: 'https://builds.example.com/webhooks/1', created: '2026-03-04T05:06:07.000Z', createdBy: 'ada' };
    world.repositories.push(externalRepository({ webhook }));
    const changes = [{ branch: 'main', type: 'updated' as const, commit: head === 'b'.repeat(40) ? head : 'a'.repeat(40) }];
    world.deliveries = [delivery({ changes })];
    world.notify('main', ended());
    const { person } = show(world);
    await compare(person);
    await screen.findByText(finding);
    screen.getByText(next);
    screen.getByText('The branch in the repository');
    expect(await violations()).toEqual([]);
  });

  test('of an external repository is not called current if its git vendor does not return the branch', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.hasBuildManagement = true;
    world.repositories.push(externalRepository());
    world.deliveries = [delivery({ changes: [{ branch: 'main', type: 'updated', commit: 'a'.repeat(40) }] })];
    world.answer = (_method, path) =>
      path.endsWith('/branches') ? refused('REPOSITORY_UNREACHABLE', 502, 'The git vendor refused the access token.') : undefined;
    world.notify('main', ended());
    const { person } = show(world);
    await compare(person);
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
    world.notify('main', ended());
    const { person } = show(world);
    await compare(person);
    await screen.findByText(finding);
    screen.getByText(detail, { exact: false });
    expect(await violations()).toEqual([]);
  });

  test('of the code host shows in German why it is not compared', async () => {
    const world = createSyncWorld();
    const checked = { type: 'github', owner: 'wknd', repo: 'boilerplate', ref: 'main', repository: 'missing' };
    const detail = codeSentence('sourceMissing', { place: 'wknd/boilerplate' });
    world.answer = (_method, path) => (path.endsWith('/code/check.json') ? json(200, { ...checked, detail }) : undefined);
    world.notify('main', ended());
    const { person } = show(world, 'light', 'de-DE');
    await person.click(await screen.findByText('Eine Site zeigt noch alten Code'));
    await press(person, 'Jetzt vergleichen');
    await screen.findByText(/^Der Code-Host hat kein Repository wknd\/boilerplate\./);
  });

  test.each([
    ['the served commit', 'a'.repeat(40), /^The served code matches the branch in the repository\./, 'No action needed.'],
    ['another commit', 'c'.repeat(40), /^The served code does not match the branch in the repository\.$/, 'Sync the code now.'],
    ['an unreadable branch', undefined, /^Couldn’t read the branch in the repository\./, 'If they differ, sync the code now.'],
  ])('of the code host is compared with the branch there: %s', async (_what, head, finding, next) => {
    const world = createSyncWorld();
    world.head = head;
    world.notify('main', ended());
    const { person } = show(world);
    await compare(person);
    await screen.findByText(finding);
    screen.getByText(next);
    expect(await violations()).toEqual([]);
  });
});
