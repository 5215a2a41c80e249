import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { Surface } from '#extension/views/Surface.tsx';
import { SyncPanel } from '#extension/views/sync-status/SyncPanel.tsx';
import { violations } from './render-page.tsx';
import { createSyncWorld, delivery, externalRepository, externalSite, refused, site } from './sync-world.ts';
import type { SyncWorld } from './sync-world.ts';
import { PAGE } from './world.ts';

const LINKED = { linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada.admin@example.com' };

beforeEach(() => {
  sessionStorage.clear();
  Object.defineProperty(window.screen, 'width', { configurable: true, value: 1280 });
});

/** The rail with all sites of the organization. */
async function show(world: SyncWorld) {
  world.hasBuildManagement = true;
  render(
    <Surface locale="en-US" theme="light" standAlone={false}>
      <SyncPanel {...world.ports} path={PAGE} onSignedOut={() => undefined} />
    </Surface>,
  );
  const person = userEvent.setup();
  await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
  return person;
}

describe('external repositories', () => {
  test('are none yet: one is onboarded; what is wrong is said at the field before anything is sent', async () => {
    const world = createSyncWorld();
    const person = await show(world);
    await screen.findByText('No external repository has been onboarded yet.');
    await person.click(screen.getByRole('button', { name: 'Onboard a repository…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Team site');
    expect(screen.getByRole('textbox', { name: 'Program' })).toHaveProperty('value', '100');
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://ada:secret@git.example.com/team/site.git');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    screen.getByRole('textbox', { name: 'HTTPS clone address', description: /without a user name/ });
    screen.getByLabelText('Access token', { selector: '[aria-invalid=true]' });
    expect(world.writes).toEqual([]);
    expect(await violations()).toEqual([]);
    await person.clear(screen.getByRole('textbox', { name: 'HTTPS clone address' }));
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://git.example.com/team/site.git');
    await person.type(screen.getByLabelText('Access token'), 'token-of-ada');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    const steps = await screen.findByRole('list', { name: 'Onboarding' });
    within(steps).getByText('being checked');
    expect(document.body.textContent).not.toContain('token-of-ada');
    expect(await violations()).toEqual([]);
  });

  test('that failed say why, and are checked again with another token', async () => {
    const world = createSyncWorld();
    world.repositories.push(
      externalRepository({ state: 'failed', problem: 'The access token may not read the repository. Give it that right.' }),
    );
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await screen.findByText(/The access token may not read the repository/);
    expect(await violations()).toEqual([]);
    await person.type(screen.getByLabelText('Different access token'), 'better');
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() =>
      expect(world.writes).toEqual([{ call: 'POST /organizations/wknd/repositories/7/retry', body: { accessToken: 'better' } }]),
    );
  });

  test('keep the token that was typed while it is refused, and forget it once it is taken', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository({ state: 'failed', problem: 'The access token may not read the repository.' }));
    world.answer = (_method, path) =>
      path.endsWith('/retry') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
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

  test('are linked to another site after saying what that revokes; the secret is shown once and stored with the site that holds it', async () => {
    const world = createSyncWorld([externalSite('summit', true), site('summit-fr')]);
    world.repositories.push(externalRepository({ link: { site: 'summit', ...LINKED } }));
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    const field = await screen.findByRole('combobox', { name: 'Site' });
    await person.clear(field);
    await person.type(field, 'summit-fr{Escape}');
    await person.click(screen.getByRole('button', { name: 'Link…' }));
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Link…' }));
    await person.click(screen.getByRole('button', { name: 'Link…' }));
    const asked = screen.getByRole('group', { name: 'Link the repository to “summit-fr”?' });
    within(asked).getByText(/The secret of “summit” is revoked immediately/);
    expect(world.writes).toEqual([]);
    expect(await violations()).toEqual([]);
    await person.click(within(asked).getByRole('button', { name: 'Link now' }));
    const once = await screen.findByRole('group', { name: 'The new secret, shown only once' });
    within(once).getByText('one-time-secret');
    expect(await violations()).toEqual([]);
    await person.type(within(once).getByLabelText('Last day (optional)'), '2999-01-31');
    await person.click(within(once).getByRole('button', { name: 'Store it with “summit”' }));
    await within(once).findByText('Stored with “summit”. Sync its code now.');
    expect(world.writes.at(-1)).toEqual({
      call: 'POST /config/wknd/sites/summit/secrets/cm-byog.json',
      body: { value: 'one-time-secret', expires: new Date('2999-01-31T23:59:59').toISOString() },
    });
    await person.click(within(once).getByRole('button', { name: 'I have copied it' }));
    expect(document.body.textContent).not.toContain('one-time-secret');
  });

  test.each([
    ['to another site', 'Link…'],
    ['once more to their site', 'New secret…'],
  ])('whose link %s was not answered are shown as they are by now, with what became of the secrets', async (_what, name) => {
    const world = createSyncWorld([externalSite('summit', true), site('summit-fr')]);
    const to = name === 'Link…' ? 'summit-fr' : 'summit';
    world.repositories.push(externalRepository({ link: { site: 'summit', ...LINKED } }));
    world.answer = (method, path) => {
      if (method !== 'PUT' || !path.endsWith('/link')) return undefined;
      world.answer = () => undefined;
      world.repositories.splice(0, 1, externalRepository({ link: { site: to, ...LINKED, linked: '2026-03-05T05:06:07.000Z' } }));
      throw new TypeError('The connection broke.');
    };
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    const field = await screen.findByRole('combobox', { name: 'Site' });
    await person.clear(field);
    await person.type(field, `${to}{Escape}`);
    await person.click(screen.getByRole('button', { name }));
    await person.click(screen.getByRole('button', { name: 'Link now' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText(`The repository is linked to “${to}”, but its new secret was lost`);
    within(alert).getByText(/^Earlier secrets are revoked/);
    expect(screen.getByRole('combobox', { name: 'Site' })).toHaveProperty('value', to);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'New secret…' }));
    await person.click(screen.getByRole('button', { name: 'Link now' }));
    await screen.findByRole('group', { name: 'The new secret, shown only once' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('whose link was not answered may be linked where that cannot be read', async () => {
    const world = createSyncWorld([externalSite('summit', true)]);
    world.repositories.push(externalRepository({ link: { site: 'summit', ...LINKED } }));
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await person.click(await screen.findByRole('button', { name: 'New secret…' }));
    world.answer = (_method, path) => {
      if (path.includes('/repositories/')) throw new TypeError('The network is away.');
      return undefined;
    };
    await person.click(screen.getByRole('button', { name: 'Link now' }));
    await screen.findByText('The repository may have been linked');
    screen.getByText('Refresh. If it was, earlier secrets are revoked: create a new one and store it.');
  });

  test('whose onboarding was not answered are in the list', async () => {
    const world = createSyncWorld();
    world.answer = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/repositories')) return undefined;
      world.repositories.push(externalRepository({ state: 'added' }));
      throw new TypeError('The connection broke.');
    };
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: 'Onboard a repository…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Team site');
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://git.example.com/team/site.git');
    await person.type(screen.getByLabelText('Access token'), 'token-of-ada');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The repository may have been onboarded');
    within(alert).getByText('Check the list before you try again.');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('button', { name: /Team site/ });
  });

  test('become the code of their first site: its code source is set, then the secret', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
    await person.click(screen.getByRole('button', { name: 'Link…' }));
    await person.click(screen.getByRole('button', { name: 'Link now' }));
    await person.click(await screen.findByRole('button', { name: 'Use the repository for “summit” and store it' }));
    await waitFor(() =>
      expect(world.writes.map(({ call }) => call)).toEqual([
        'PUT /organizations/wknd/repositories/7/link',
        'POST /config/wknd/sites/summit/code.json',
        'POST /config/wknd/sites/summit/secrets/cm-byog.json',
      ]),
    );
  });

  test('have a webhook whose credentials are shown once, and deliveries that are sent again', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    world.deliveries = [delivery({ outcome: 'refused', changes: [], detail: 'The signature is wrong.' })];
    const person = await show(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await person.click(await screen.findByRole('button', { name: 'Create the webhook' }));
    const once = await screen.findByRole('group', { name: 'The webhook’s credentials, shown only once' });
    within(once).getByText('webhook-secret');
    within(once).getByText(/Secret token/);
    expect(await violations()).toEqual([]);
    await person.click(within(once).getByRole('button', { name: 'I have entered them' }));
    expect(document.body.textContent).not.toContain('webhook-secret');
    screen.getByText('The signature is wrong.');
    await person.click(screen.getByRole('button', { name: 'Send again: Push Hook no branch' }));
    await waitFor(() => expect(world.writes.at(-1)?.call).toMatch(/resend$/));
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
      'is behind a gateway that answers in its place',
      () => new Response('<html>Bad gateway</html>', { status: 502 }),
      'Build management refused the request (status 502).',
      'Refresh. If it happens again, contact the operator of build management.',
    ],
    [
      'has no room',
      () => refused('STORAGE_FULL', 507, 'The storage is full.'),
      'The storage is full.',
      'Nothing was changed. Tell the operator of build management that its storage is full.',
    ],
  ])('say whose failure it is where build management %s', async (_what, answer, sentence, next) => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository({ state: 'failed', problem: 'The access token may not read the repository.' }));
    world.answer = (_method, path) => (path.startsWith('/organizations/') ? answer() : undefined);
    const person = await show(world);
    await screen.findByText(sentence);
    screen.getByText(next);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await screen.findByText(/The access token may not read/);
    world.answer = (method) => (method === 'POST' ? answer() : undefined);
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    await screen.findByText(sentence);
    screen.getByText(next);
  });

  test('are not known while build management does not respond; the sites still are', async () => {
    const world = createSyncWorld();
    world.answer = (_method, path) =>
      path.startsWith('/organizations/') ? refused('STORAGE_UNAVAILABLE', 503, 'Build management is being restarted.') : undefined;
    const person = await show(world);
    await screen.findByText('Build management is being restarted.');
    screen.getByText('2 sites in 1 repository');
    expect(await violations()).toEqual([]);
    world.answer = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No external repository has been onboarded yet.');
  });
});
