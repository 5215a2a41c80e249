import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteBody, startTestBackend, OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, BEN, showAccess } from './access-world.tsx';
import { showConfiguration } from './configuration-world.tsx';
import { pausedNetwork } from './held-network.ts';
import { press } from './in-surface.tsx';

const SITE = '/config/wknd/sites/first.json';
const ACCESS = '/config/wknd/sites/first/access.json';
const CARL = 'carl@example.com';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;
const people = { kind: 'organization', organization: 'wknd' } as const;

const backend = startBeforeAll(() => startTestBackend());
beforeEach(async () => {
  const body = siteBody('wknd', 'first', { access: { admin: { role: { admin: [ADA] } } } });
  const { status } = await backend.call('PUT', `${SITE}?confirm=true&replace=true`, { as: OPERATOR, body });
  expect([200, 201]).toContain(status);
});

const network = (who: string) => pausedNetwork(backend, who);
const admins = async () => (await backend.call('GET', ACCESS, { as: OPERATOR })).json();
const field = (name: string | RegExp) => screen.findByRole('textbox', { name });

describe('What somebody types', () => {
  test('while access is saved and read again is accepted or refused, and never lost', async () => {
    const { service, hold, held, release } = await network(ADA);
    const { person } = showAccess({ service, subject });
    await person.type(await field('Add to Administrators'), `${BEN}{Enter}`);
    await person.type(await field('Add to Configuration administrators'), CARL);
    await press(person, 'Review the change…');
    hold('GET', /access\.json$/);
    await press(person, 'Save');
    await held();
    expect(await field('Add to Administrators')).toHaveProperty('disabled', true);
    await person.type(await field('Add to Administrators'), 'lost@example.com{Enter}');
    expect(screen.queryByText('lost@example.com')).toBeNull();
    release();
    await screen.findByText('The change was saved.');
    expect(await field('Add to Configuration administrators')).toHaveProperty('value', CARL);
    await person.type(await field('Add to Configuration administrators'), '{Enter}');
    await press(person, 'Review the change…', 'Save');
    await waitFor(async () => expect(await admins()).toEqual({ admin: { role: { admin: [ADA, BEN], config_admin: [CARL] } } }));
  });

  test('of a further user is there after a look at the change', async () => {
    const { service } = await network(OPERATOR);
    const { person } = showAccess({ service, subject: people });
    await person.type(await field('Name of the new group'), 'editors{Enter}');
    await person.type(await field('Name of the new group'), 'authors');
    await person.click(screen.getByText('Add a user'));
    await person.type(await field('E-mail address of another user, or groups/name'), CARL);
    await person.click(screen.getByRole('checkbox', { name: /^Developer/ }));
    await press(person, 'Review the change…', 'Save');
    await screen.findByText('The change was saved.');
    expect(await field('Name of the new group')).toHaveProperty('value', 'authors');
    expect(await field('E-mail address of another user, or groups/name')).toHaveProperty('value', CARL);
    expect(screen.getByRole('checkbox', { name: /^Developer/ })).toHaveProperty('checked', true);
  });

  test('is preserved where an earlier version is restored in the meantime, and applied to it', async () => {
    const { service } = await network(ADA);
    const { person } = showAccess({ service, subject });
    await person.type(await field('Add to Administrators'), `${BEN}{Enter}`);
    await press(person, 'Review the change…', 'Save');
    await screen.findByText('The change was saved.');
    await person.type(await field('Add to Administrators'), `${CARL}{Enter}`);
    await press(person, 'View in the history');
    await press(person, new RegExp(`^Administrators: ${BEN} added`));
    await press(person, /^Undo this change/);
    await person.click(await screen.findByRole('checkbox', { name: 'I understand the consequences' }));
    await press(person, /now$/);
    await waitFor(async () => expect(await admins()).toEqual({ admin: { role: { admin: [ADA] } } }));
    await press(person, 'Back', 'Review the change…');
    await screen.findByRole('heading', { name: /changed it in the meantime$/ });
    await press(person, 'Save');
    await waitFor(async () => expect(await admins()).toEqual({ admin: { role: { admin: [ADA, CARL] } } }));
  });
});

test('The value of a new secret stays while the configuration cannot be read', async () => {
  const { service, hold, held, release, cut } = await network(ADA);
  const { person } = showConfiguration({ service, site: 'first' });
  await press(person, 'Create a secret…');
  await person.type(await field('Name (optional)'), '{Enter}');
  const once = await screen.findByRole('group', { name: 'The secret was created. Copy it now' });
  const value = within(once).getAllByText(/.+/, { selector: 'code' })[0]?.textContent ?? '';
  await person.click(screen.getByRole('heading', { level: 2, name: 'robots.txt' }));
  await person.type(await field('Text of robots.txt'), 'User-agent: *');
  await press(person, 'Preview changes');
  hold('GET', /first\.json$/);
  await press(person, 'Save');
  await held();
  cut(true);
  release();
  await screen.findByText('The configuration service does not respond.');
  expect(screen.getByText(value)).toBeTruthy();
});

test('Leaving while a change is being saved loses nothing, and says so', async () => {
  const { service, hold, held, release } = await network(ADA);
  const { person } = showConfiguration({ service, site: 'first' });
  await person.click(await screen.findByRole('heading', { level: 2, name: 'robots.txt' }));
  await person.type(await field('Text of robots.txt'), 'User-agent: *');
  await press(person, 'Preview changes');
  await screen.findByRole('button', { name: 'Save' });
  hold('POST', /first\.json$/);
  await press(person, 'Save');
  await held();
  await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await screen.findByText('Your change is being saved');
  expect(screen.queryByText(/it is lost/)).toBeNull();
  await press(person, 'Leave');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text of robots.txt' })).toBeNull());
  release();
  await waitFor(async () =>
    expect(await (await backend.call('GET', SITE, { as: OPERATOR })).json()).toMatchObject({ robots: { txt: 'User-agent: *' } }),
  );
});

test('What is entered beside a change that is being saved is lost with leaving, and asked about', async () => {
  const { service, hold, held, release } = await network(ADA);
  const { person } = showAccess({ service, subject });
  await person.type(await field('Add to Administrators'), `${BEN}{Enter}`);
  await press(person, 'Review the change…');
  await screen.findByRole('button', { name: 'Save' });
  await person.type(await field('Add to Configuration administrators'), CARL);
  hold('POST', /access\.json$/);
  await press(person, 'Save');
  await held();
  await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await screen.findByText('Your change is not saved yet');
  release();
});
