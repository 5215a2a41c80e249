import { Surface } from '@repoless/extension/app/Surface.tsx';
import { LinkSite } from '@repoless/extension/features/external-repository/CreateSite.tsx';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { ADA, BEN, showAccess } from './access-world.tsx';
import { startConfiguredSite } from './configuration-world.tsx';
import { addMember, press } from './enter-changes.ts';
import { lossyNetwork } from './lossy-network.ts';
import { externalRepository } from './sync-world.ts';

const SAVED = 'The change was saved.';

let first: Awaited<ReturnType<typeof startConfiguredSite>>;
beforeAll(async () => {
  first = await startConfiguredSite();
});
afterAll(() => first.backend.stop());
beforeEach(async () => {
  // On a phone's screen, Spectrum renders another kind of picker.
  Object.defineProperty(window.screen, 'width', { configurable: true, value: 1280 });
  await first.put();
});

describe('That a change of access was saved is not said any more once there is another one', () => {
  test('of a site', async () => {
    const { service, cut } = await lossyNetwork(first.backend, ADA);
    const { person } = showAccess({ service, subject: { kind: 'site', organization: 'wknd', name: 'first' } });
    await addMember(person, BEN);
    await press(person, 'Review the change…');
    await press(person, 'Save');
    await screen.findByText(SAVED);
    await addMember(person, 'carl@example.com');
    expect(screen.queryByText(SAVED)).toBeNull();
    await press(person, 'Review the change…');
    await screen.findByRole('button', { name: 'Save' });
    cut('POST', /access\.json$/);
    await press(person, 'Save');
    await screen.findByText('The change was not saved');
    expect(screen.queryByText(SAVED)).toBeNull();
    await press(person, 'Review the change…');
    await press(person, 'Save');
    await screen.findByText(SAVED);
  });

  test('of an organization', async () => {
    const { service } = await lossyNetwork(first.backend, OPERATOR);
    const { person } = showAccess({ service, subject: { kind: 'organization', organization: 'wknd' } });
    const name = await screen.findByRole('textbox', { name: 'Name of the new group' });
    await person.type(name, 'editors{Enter}');
    await press(person, 'Review the change…');
    await press(person, 'Save');
    await screen.findByText(SAVED);
    await person.type(await screen.findByRole('textbox', { name: 'Name of the new group' }), 'authors{Enter}');
    expect(screen.queryByText(SAVED)).toBeNull();
  });
});

test('Why a link failed does not stand beside the question before another attempt', async () => {
  render(
    <Surface locale="en-US" theme="light" standAlone={false}>
      <LinkSite
        repository={externalRepository()}
        sites={['summit']}
        failed={{ state: 'failed', failure: { kind: 'refused', status: 429 }, isLinked: false, site: 'summit' }}
        link={() => new Promise(() => undefined)}
      />
    </Surface>,
  );
  const person = userEvent.setup();
  await screen.findByRole('alert');
  await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
  await press(person, 'Link…');
  await screen.findByRole('button', { name: 'Link now' });
  expect(screen.queryByRole('alert')).toBeNull();
});
