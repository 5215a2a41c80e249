import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, BEN, showAccess } from './access-world.tsx';
import { section, showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { addMember, type } from './enter-changes.ts';
import { press } from './in-surface.tsx';
import { pausedNetwork } from './paused-network.ts';

const CARL = 'carl@example.com';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;
const people = { kind: 'organization', organization: 'wknd' } as const;

const first = startBeforeAll(startConfiguredSite);
beforeEach(() => first.put({ robots: { txt: 'zero' } }));

const unsavedQuestion = () => screen.queryByText('Your change is not saved yet');

describe('A concurrent change by someone else', () => {
  const KEPT = /^Their change is kept/;
  const REPLACED = /^Where you both changed the same value/;

  test('is replaced in a configuration if both changed the same value, and the review says so', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await type(person, 'mine');
    await first.put({ robots: { txt: 'theirs' } });
    await press(person, 'Preview changes');
    await screen.findByText(REPLACED);
    expect(screen.queryByText(KEPT)).toBeNull();
    await press(person, 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ robots: { txt: 'mine' } });
  });

  test('is preserved in a configuration if it is in another location', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await type(person, 'mine');
    await first.put({ robots: { txt: 'zero' }, folders: { '/products': '/product' } });
    await press(person, 'Preview changes');
    await screen.findByText(KEPT);
    expect(screen.queryByText(REPLACED)).toBeNull();
  });

  test('is preserved in a list to which both added, and replaced if both chose who may read', async () => {
    const { person } = showAccess({ service: await first.as(ADA), subject });
    await addMember(person, BEN);
    await first.put({ access: { admin: { role: { admin: [ADA, CARL] } } } });
    await press(person, 'Review the change…');
    await screen.findByText(KEPT);
    await press(person, 'Keep editing');
    await person.click(screen.getByRole('radio', { name: /^Always require sign-in/ }));
    await first.put({ access: { admin: { role: { admin: [ADA, CARL] }, requireAuth: false } } });
    await press(person, 'Review the change…');
    await screen.findByText(REPLACED);
  });

  test('leaves nothing unsaved if it equals the user’s change', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await type(person, 'the same');
    await first.put({ robots: { txt: 'the same' } });
    await press(person, 'Preview changes');
    await screen.findByText('There are no differences from the saved version.');
    await press(person, 'Keep editing');
    await screen.findByText('No changes yet.');
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await waitFor(() => expect(screen.queryByText('No changes yet.')).toBeNull());
    expect(unsavedQuestion()).toBeNull();
  });

  test('does not hide that the user’s change is unsaved', async () => {
    const { person } = showAccess({ service: await first.as(ADA), subject });
    await addMember(person, BEN);
    await first.put({ access: { admin: { role: { admin: [ADA, CARL] } } } });
    await press(person, 'Review the change…');
    await screen.findByRole('heading', { name: /in the meantime$/ });
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    const question = await screen.findByRole('alert');
    expect(within(question).getByText('Your change is not saved yet')).toBeTruthy();
  });
});

describe('A site that was removed in the meantime is reported as removed', () => {
  const removed = async () => first.backend.call('DELETE', '/config/wknd/sites/first.json', { as: OPERATOR });

  test('beside its configuration, which is saved when the site is restored', async () => {
    const { person } = showConfiguration({ service: await first.as(OPERATOR), site: 'first' });
    await type(person, 'mine');
    await removed();
    await press(person, 'Preview changes');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('The site was removed in the meantime')).toBeTruthy();
    expect(alert.textContent).not.toContain('code source');
    await first.put({ robots: { txt: 'zero' } });
    await press(person, 'Preview changes', 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ robots: { txt: 'mine' } });
  });

  test('beside its access', async () => {
    const { person } = showAccess({ service: await first.as(OPERATOR), subject });
    await addMember(person, BEN);
    await removed();
    await press(person, 'Review the change…');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('The site was removed in the meantime')).toBeTruthy();
    expect(alert.textContent).not.toContain('PUT');
  });

  test.each(['Configuration', 'Access'])('if it is missing when the change is saved: %s', async (what) => {
    const service = await first.as(OPERATOR);
    const { person } = what === 'Access' ? showAccess({ service, subject }) : showConfiguration({ service, site: 'first' });
    await (what === 'Access' ? addMember(person, BEN) : type(person, 'mine'));
    await press(person, /^(?:Review the change…|Preview changes)$/);
    await screen.findByRole('button', { name: 'Save' });
    await removed();
    await press(person, 'Save');
    await screen.findByText('The site was removed in the meantime');
  });
});

describe('The message about an entry', () => {
  const unsaved = () => screen.queryAllByText(/; not saved yet\.$/).map(({ textContent }) => textContent);

  test('no longer says “not saved” after access is saved or the change is discarded', async () => {
    const { person } = showAccess({ service: await first.as(ADA), subject });
    await addMember(person, BEN);
    expect(unsaved()).toEqual([`${BEN} added; not saved yet.`]);
    await press(person, 'Review the change…', 'Save');
    await screen.findByText('The change was saved.');
    expect(unsaved()).toEqual([]);
    await addMember(person, CARL);
    expect(unsaved()).toEqual([`${CARL} added; not saved yet.`]);
    await press(person, 'Discard the change');
    expect(unsaved()).toEqual([]);
  });

  test('of a part of the configuration disappears with its change', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    const robots = await section('robots.txt');
    await person.click(robots.summary);
    await person.click(await robots.inside.findByRole('button', { name: 'Remove this section' }));
    expect(unsaved()).toEqual(['Section “robots.txt” removed; not saved yet.']);
    await press(person, 'Discard');
    expect(unsaved()).toEqual([]);
  });

  test('of users and groups disappears with their change', async () => {
    const { person } = showAccess({ service: await first.as(OPERATOR), subject: people });
    await person.type(await screen.findByRole('textbox', { name: 'Name of the new group' }), 'editors{Enter}');
    await press(person, 'Remove the group editors');
    expect(unsaved()).toEqual(['groups/editors removed; not saved yet.']);
    await person.click(screen.getByText('Add a user'));
    await person.type(await screen.findByRole('textbox', { name: 'E-mail address of another user, or groups/name' }), 'dan@example.com');
    await person.click(screen.getByRole('checkbox', { name: /^Developer/ }));
    await press(person, 'Add user');
    expect(unsaved()).toEqual(expect.arrayContaining(['dan@example.com added; not saved yet.']));
    await press(person, 'Review the change…', 'Save');
    await screen.findByText('The change was saved.');
    expect(unsaved()).toEqual([]);
  });
});
describe('While a change is being saved', () => {
  const SITE = '/config/wknd/sites/first.json';
  const ACCESS = '/config/wknd/sites/first/access.json';
  const backend = startBeforeAll(() => startTestBackend());
  beforeEach(async () => {
    const body = siteBody('wknd', 'first', { access: { admin: { role: { admin: [ADA] } } } });
    const { status } = await backend.call('PUT', `${SITE}?confirm=true&replace=true`, { as: OPERATOR, body });
    expect([200, 201]).toContain(status);
  });

  const network = (who: string) => pausedNetwork(backend, who);
  const admins = async () => (await backend.call('GET', ACCESS, { as: OPERATOR })).json();
  const field = (name: string | RegExp) => screen.findByRole('textbox', { name });

  describe('input', () => {
    test('is accepted or disabled until access is reloaded, and never lost', async () => {
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

    test('for another user is preserved after the review', async () => {
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

    test('is preserved if an earlier version is restored in the meantime, and applied to it', async () => {
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

  test('The value of a new secret stays visible while the configuration cannot be read', async () => {
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

  test('Leaving loses no change, and the panel says so', async () => {
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

  test('Leaving asks about input beside that change', async () => {
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
});
