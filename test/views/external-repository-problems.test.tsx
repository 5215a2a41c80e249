import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { showRepositories } from './show-sync-status.tsx';
import { createSyncWorld, delivery, externalRepository, externalSite, refused, site, type SyncWorld } from './sync-world.ts';

const LINKED = { linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada.admin@example.com' };

/** Also a sentence that is only quoted. */
const ENGLISH = /\b(?:the|is|not|has|did)\b|meldet:/;

async function showInGerman(world: SyncWorld): Promise<void> {
  const person = await showRepositories(world, 'de-DE', 'Alle Sites von wknd');
  await person.click(await screen.findByRole('button', { name: /^Team site/ }));
}

describe('external repositories with problems', () => {
  test('show why they failed, and are checked again with another token', async () => {
    const world = createSyncWorld();
    world.repositories.push(
      externalRepository({ state: 'failed', problem: 'The access token may not read the repository. Give it that right.' }),
    );
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await screen.findByText(/The access token may not read the repository/);
    expect(await violations()).toEqual([]);
    await person.type(screen.getByLabelText('Different access token'), 'better');
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() =>
      expect(world.writes).toEqual([{ call: 'POST /organizations/wknd/repositories/7/retry', body: { accessToken: 'better' } }]),
    );
  });

  test('show in German why they failed', async () => {
    const world = createSyncWorld();
    const data = { _vendor: 'GitLab', host: 'git.example.com' };
    world.repositories.push(externalRepository({ state: 'failed', problem: codeSentence('vendorAccessRefused', data) }));
    await showInGerman(world);
    await screen.findByText(/^Das Zugriffstoken kann das Repository auf git\.example\.com nicht lesen \(403\)\./);
    expect(document.body.textContent).not.toMatch(ENGLISH);
  });

  test('show in German what is not served, and the results of their deliveries', async () => {
    const world = createSyncWorld();
    const data = { _vendor: 'GitLab', host: 'git.example.com' };
    const warnings = [codeSentence('linksUnserved.one', { count: 1, what: 'blocks/here' }), codeSentence('pointersServed')];
    const webhook = { address: 'https://builds.example.com/webhooks/1', created: LINKED.linked, createdBy: LINKED.linkedBy };
    world.repositories.push(externalRepository({ warnings, webhook }));
    world.deliveries = [
      delivery({ outcome: 'failed', detail: codeSentence('deliveryFailed', { problem: codeSentence('vendorSlow', data) }) }),
      delivery({
        id: '00000000-0000-4000-8000-000000000002',
        outcome: 'refused',
        detail: codeSentence('signatureRefused', { _header: 'X-Hub-Signature' }),
      }),
    ];
    await showInGerman(world);
    await screen.findByText('Symbolische Links werden nicht ausgeliefert: 1, zum Beispiel blocks/here.');
    screen.getByText(/^Dateien in Git LFS werden als ihre Zeiger ausgeliefert\./);
    await screen.findByText(/^git\.example\.com hat nicht rechtzeitig geantwortet\..*senden Sie das Ereignis dann noch einmal\.$/);
    screen.getByText(/^Die Signatur fehlt oder ist falsch\./);
    expect(document.body.textContent).not.toMatch(ENGLISH);
  });

  test('preserve a typed token while it is refused, and clear it after it is accepted', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository({ state: 'failed', problem: 'The access token may not read the repository.' }));
    world.answer = (_method, path) =>
      path.endsWith('/retry') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.type(await screen.findByLabelText('Different access token'), 'better');
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await screen.findByText('The storage does not respond.');
    expect(screen.getByLabelText('Different access token')).toHaveProperty('value', 'better');
    expect(document.body.textContent).not.toContain('better');
    world.answer = (_method, path) => (path.endsWith('/retry') ? refused('NOT_FOUND', 404, 'There is no such repository.') : undefined);
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(screen.queryByText('The storage does not respond.')).toBeNull());
    expect(screen.getByLabelText('Different access token')).toHaveProperty('value', 'better');
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(screen.getByLabelText('Different access token')).toHaveProperty('value', ''));
  });

  test.each([
    ['to another site', 'Link…'],
    ['to the same site', 'New secret…'],
  ])('whose link %s got no response are reloaded, with what happened to the secrets', async (_what, name) => {
    const world = createSyncWorld([externalSite('summit', true), site('summit-fr')]);
    const [to, confirm] = name === 'Link…' ? ['summit-fr', 'Link now'] : ['summit', 'Create the secret'];
    world.repositories.push(externalRepository({ link: { site: 'summit', ...LINKED } }));
    world.answer = (method, path) => {
      if (method !== 'PUT' || !path.endsWith('/link')) return undefined;
      world.answer = () => undefined;
      world.repositories.splice(0, 1, externalRepository({ link: { site: to, ...LINKED, linked: '2026-03-05T05:06:07.000Z' } }));
      throw new TypeError('The connection broke.');
    };
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    const field = await screen.findByRole('combobox', { name: 'Site' });
    await person.clear(field);
    await person.type(field, `${to}{Escape}`);
    await person.click(screen.getByRole('button', { name }));
    await person.click(screen.getByRole('button', { name: confirm }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText(`The repository is linked to “${to}”, but its new secret was lost`);
    within(alert).getByText(/^Earlier secrets are revoked/);
    expect(screen.getByRole('combobox', { name: 'Site' })).toHaveProperty('value', to);
    expect(await violations()).toEqual([]);
    await press(person, 'New secret…', 'Create the secret');
    await screen.findByRole('group', { name: 'The new secret, shown only once' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('whose link got no response may be linked if that cannot be read', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.repositories.push(externalRepository({ link: { site: 'summit', ...LINKED } }));
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.click(await screen.findByRole('button', { name: 'New secret…' }));
    world.answer = (_method, path) => {
      if (path.includes('/repositories/')) throw new TypeError('The network is away.');
      return undefined;
    };
    await person.click(screen.getByRole('button', { name: 'Create the secret' }));
    await screen.findByText('The repository may have been linked');
    screen.getByText('Refresh. If it was, earlier secrets are revoked: create a new one and store it.');
  });

  test('whose onboarding got no response are in the list', async () => {
    const world = createSyncWorld();
    world.answer = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/repositories')) return undefined;
      world.repositories.push(externalRepository({ state: 'added' }));
      throw new TypeError('The connection broke.');
    };
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: 'Onboard a repository…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Team site');
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://git.example.com/team/site.git');
    await person.type(screen.getByLabelText('Access token'), 'token-of-ada');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The repository may have been onboarded');
    within(alert).getByText('Check the list before you try again.');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('button', { name: /^Team site.*linked/i });
  });

  test.each<readonly [string, () => Response, string, string]>([
    [
      'does not respond',
      () => {
        throw new TypeError('The network is away.');
      },
      'Build management does not respond.',
      'Check your connection and try again in a minute.',
    ],
    [
      'is behind a gateway that returns an error',
      () => new Response('<html>Bad gateway</html>', { status: 502 }),
      'Build management refused the request (status 502).',
      'Refresh. If it happens again, contact the operator of build management.',
    ],
    [
      'has no storage left',
      () => refused('STORAGE_FULL', 507, 'The storage is full.'),
      'The storage is full.',
      'Nothing was changed. Tell the operator of build management that its storage is full.',
    ],
  ])('report whose failure it is if build management %s', async (_what, answer, sentence, next) => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository({ state: 'failed', problem: 'The access token may not read the repository.' }));
    world.answer = (_method, path) => (path.startsWith('/organizations/') ? answer() : undefined);
    const person = await showRepositories(world);
    await screen.findByText(sentence);
    screen.getByText(next);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await screen.findByText(/The access token may not read/);
    world.answer = (method) => (method === 'POST' ? answer() : undefined);
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await screen.findByText(sentence);
    screen.getByText(next);
  });

  test('are unknown while build management does not respond; the sites are still known', async () => {
    const world = createSyncWorld();
    world.answer = (_method, path) =>
      path.startsWith('/organizations/') ? refused('STORAGE_UNAVAILABLE', 503, 'Build management is being restarted.') : undefined;
    const person = await showRepositories(world);
    await screen.findByText('Build management is being restarted.');
    screen.getByText('2 sites in 1 repository');
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No external repository has been onboarded yet.');
  });
});
