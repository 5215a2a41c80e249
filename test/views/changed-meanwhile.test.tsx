import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, BEN, showAccess } from './access-world.tsx';
import { section, showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { addMember, type } from './enter-changes.ts';
import { press } from './in-surface.tsx';

const CARL = 'carl@example.com';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;
const people = { kind: 'organization', organization: 'wknd' } as const;

const first = startBeforeAll(startConfiguredSite);
beforeEach(() => first.put({ robots: { txt: 'zero' } }));

const asked = () => screen.queryByText('Your change is not saved yet');

describe('What somebody else saved meanwhile', () => {
  const KEPT = /^Their change is kept/;
  const REPLACED = /^Where you both changed the same value/;

  test('is replaced in a configuration where both changed the same place, and the review says so', async () => {
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

  test('is kept in a configuration where it is of another place', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await type(person, 'mine');
    await first.put({ robots: { txt: 'zero' }, folders: { '/products': '/product' } });
    await press(person, 'Preview changes');
    await screen.findByText(KEPT);
    expect(screen.queryByText(REPLACED)).toBeNull();
  });

  test('is kept in a list to which both added, and replaced where both chose who may read', async () => {
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

  test('leaves nothing to ask about where it is the same', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await type(person, 'the same');
    await first.put({ robots: { txt: 'the same' } });
    await press(person, 'Preview changes');
    await screen.findByText('There are no differences from the saved version.');
    await press(person, 'Keep editing');
    await screen.findByText('No changes yet.');
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await waitFor(() => expect(screen.queryByText('No changes yet.')).toBeNull());
    expect(asked()).toBeNull();
  });

  test('is asked about as long as a change is left on it', async () => {
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

describe('A site that somebody removed in the meantime is reported as removed', () => {
  const removed = async () => first.backend.call('DELETE', '/config/wknd/sites/first.json', { as: OPERATOR });

  test('beside its configuration, which is saved when the site is back', async () => {
    const { person } = showConfiguration({ service: await first.as(OPERATOR), site: 'first' });
    await type(person, 'mine');
    await removed();
    await press(person, 'Preview changes');
    const told = await screen.findByRole('alert');
    expect(within(told).getByText('The site was removed in the meantime')).toBeTruthy();
    expect(told.textContent).not.toContain('code source');
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
    const told = await screen.findByRole('alert');
    expect(within(told).getByText('The site was removed in the meantime')).toBeTruthy();
    expect(told.textContent).not.toContain('PUT');
  });

  test.each(['Configuration', 'Access'])('where it is gone when the change is saved: %s', async (what) => {
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

describe('What is said of an entry', () => {
  const unsaved = () => screen.queryAllByText(/; not saved yet\.$/).map(({ textContent }) => textContent);

  test('is no longer that it is not saved, once access is saved or the change is discarded', async () => {
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

  test('of a part of the configuration ends with its change', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    const robots = await section('robots.txt');
    await person.click(robots.summary);
    await person.click(await robots.inside.findByRole('button', { name: 'Remove this section' }));
    expect(unsaved()).toEqual(['Section “robots.txt” removed; not saved yet.']);
    await press(person, 'Discard');
    expect(unsaved()).toEqual([]);
  });

  test('of users and groups ends with their change', async () => {
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
