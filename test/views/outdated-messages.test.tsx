import { LinkSite } from '@repoless/extension/features/external-repository/CreateSite.tsx';
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, BEN, showAccess } from './access-world.tsx';
import { startConfiguredSite } from './configuration-world.tsx';
import { addMember } from './enter-changes.ts';
import { press, renderInSurface } from './in-surface.tsx';
import { lossyNetwork } from './lossy-network.ts';
import { externalRepository } from './sync-world.ts';

const SAVED = 'The change was saved.';

const first = startBeforeAll(startConfiguredSite);
beforeEach(async () => {
  await first.put();
});

describe('The message that a change of access was saved is hidden by the next change', () => {
  test('of a site', async () => {
    const { service, cut } = await lossyNetwork(first.backend, ADA);
    const { person } = showAccess({ service, subject: { kind: 'site', organization: 'wknd', name: 'first' } });
    await addMember(person, BEN);
    await press(person, 'Review the change…', 'Save');
    await screen.findByText(SAVED);
    await addMember(person, 'carl@example.com');
    expect(screen.queryByText(SAVED)).toBeNull();
    await press(person, 'Review the change…');
    await screen.findByRole('button', { name: 'Save' });
    cut('POST', /access\.json$/);
    await press(person, 'Save');
    await screen.findByText('The change was not saved');
    expect(screen.queryByText(SAVED)).toBeNull();
    await press(person, 'Review the change…', 'Save');
    await screen.findByText(SAVED);
  });

  test('of an organization', async () => {
    const { service } = await lossyNetwork(first.backend, OPERATOR);
    const { person } = showAccess({ service, subject: { kind: 'organization', organization: 'wknd' } });
    const name = await screen.findByRole('textbox', { name: 'Name of the new group' });
    await person.type(name, 'editors{Enter}');
    await press(person, 'Review the change…', 'Save');
    await screen.findByText(SAVED);
    await person.type(await screen.findByRole('textbox', { name: 'Name of the new group' }), 'authors{Enter}');
    expect(screen.queryByText(SAVED)).toBeNull();
  });
});

test('The failure of a link is hidden by the question before the next attempt', async () => {
  const { person } = renderInSurface(
    <LinkSite
      repository={externalRepository()}
      sites={['summit']}
      failed={{ state: 'failed', failure: { kind: 'refused', status: 429 }, isLinked: false, site: 'summit' }}
      link={() => new Promise(() => undefined)}
    />,
  );
  await screen.findByRole('alert');
  await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
  await press(person, 'Link…');
  await screen.findByRole('button', { name: 'Link now' });
  expect(screen.queryByRole('alert')).toBeNull();
});
