import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { showRepositories } from './show-sync-status.tsx';
import { createSyncWorld, delivery, externalRepository, externalSite, site } from './sync-world.ts';

describe('external repositories', () => {
  test('are none yet: one is onboarded; what is wrong is said at the field before anything is sent', async () => {
    const world = createSyncWorld();
    const person = await showRepositories(world);
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

  test('are linked to another site after saying what that revokes; the secret is shown once and stored with the site that holds it', async () => {
    const world = createSyncWorld([externalSite('summit', true), site('summit-fr')]);
    world.repositories.push(
      externalRepository({ link: { site: 'summit', linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada.admin@example.com' } }),
    );
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    const field = await screen.findByRole('combobox', { name: 'Site' });
    await person.clear(field);
    await person.type(field, 'summit-fr{Escape}');
    await press(person, 'Link…', 'Cancel');
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

  test('become the code of their first site: its code source is set, then the secret', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
    await press(person, 'Link…', 'Link now', 'Use the repository for “summit” and store it');
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
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
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
});
