import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { LeaveGuard } from '@repoless/extension/ui/LeaveGuard.tsx';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { SyncStatus } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { type Person, press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { createSyncWorld, externalRepository, json, type SyncWorld } from './sync-world.ts';
import { PAGE, SERVICE } from './world.ts';

const QUESTION = 'Your change is not saved yet';
const ONCE = 'A secret is shown only once';
const MAKING = 'A secret is still being created';
const repository = externalRepository({ state: 'failed', problem: 'It may not be read.' });

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '#/page-properties');
});

/** The rail beside another view, with all sites of the organization. */
async function showRail(world: SyncWorld) {
  world.hasBuildManagement = true;
  const { setup, clientAt } = world.ports;
  const connection = { client: clientAt(SERVICE), ports: setup, clientAt };
  function Views() {
    const [view, setView] = useState('rail');
    return (
      <Surface locale="en-US" theme="light" standAlone={false}>
        <button onClick={() => setView('other')}>Go on</button>
        <LeaveGuard asked={view} id={view}>
          {(shown) =>
            shown === 'rail' ? <SyncStatus connection={connection} path={PAGE} onSignedOut={() => undefined} /> : <p>Another view</p>
          }
        </LeaveGuard>
      </Surface>
    );
  }
  render(<Views />);
  const person = userEvent.setup();
  await person.click(await screen.findByRole('switch', { name: 'All sites of wknd' }));
  return person;
}

test('a rail, which has no shell, asks before another view takes its place', async () => {
  const world = createSyncWorld();
  world.repositories.push(repository);
  const person = await showRail(world);
  await person.click(await screen.findByRole('button', { name: /Team site/ }));
  await person.type(await screen.findByLabelText('Different access token'), 'typed');
  await person.click(screen.getByRole('button', { name: 'Go on' }));
  await screen.findByText(QUESTION);
  await person.click(screen.getByRole('button', { name: 'Leave without saving' }));
  await screen.findByText('Another view');
});

describe('what build management shows only once', () => {
  const credentials = {
    address: 'https://builds.example.com/webhooks/7?api_key=k',
    apiKey: 'k',
    secret: 'made-once',
    username: 'repoless',
  };

  test('is asked about while it is being made, and before the list or another view is shown', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    let arrive = (): void => undefined;
    world.answer = (_method, path) =>
      path.endsWith('/webhook') ? new Promise((resolve) => (arrive = () => resolve(json(201, credentials)))) : undefined;
    const person = await showRail(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    const create = await screen.findByRole('button', { name: 'Create the webhook' });
    expect(isAskedByTheBrowser()).toBe(false);
    await person.click(create);
    await screen.findByRole('button', { name: 'Creating…' });
    expect(isAskedByTheBrowser()).toBe(true);
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    await screen.findByText(MAKING);
    await person.click(screen.getByRole('button', { name: 'Stay' }));
    arrive();
    await screen.findByText('made-once');
    expect(await violations()).toEqual([]);

    await person.click(screen.getByRole('switch', { name: 'All sites of wknd' }));
    await screen.findByText(ONCE);
    await press(person, 'Stay', 'All repositories');
    await screen.findByText(ONCE);
    screen.getByText('made-once');
    await person.click(screen.getByRole('button', { name: 'Leave anyway' }));
    await screen.findByRole('button', { name: 'Onboard a repository…' });
    expect(screen.queryByText('made-once')).toBeNull();
    expect(isAskedByTheBrowser()).toBe(false);
  });

  test.each<readonly [string, RegExp, (person: Person) => Promise<void>]>([
    [
      'a webhook',
      /\/webhook$/,
      async (person) => {
        await press(person, /Team site/, 'Create the webhook');
      },
    ],
    [
      'the secret of a link',
      /\/link$/,
      async (person) => {
        await person.click(await screen.findByRole('button', { name: /Team site/ }));
        await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
        await press(person, 'Link…', 'Link now');
      },
    ],
  ])('is asked about while %s is being made', async (_what, address, make) => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    world.answer = (method, path) => (method !== 'GET' && address.test(path) ? new Promise(() => undefined) : undefined);
    const person = await showRail(world);
    await make(person);
    await person.click(screen.getByRole('button', { name: 'Go on' }));
    await screen.findByText(MAKING);
  });
});

/** Whether the browser would ask before leaving. */
function isAskedByTheBrowser(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
