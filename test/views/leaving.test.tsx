import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import { CreateKey } from '@repoless/extension/features/access/ApiKeys.tsx';
import { MemberList } from '@repoless/extension/features/access/MemberList.tsx';
import { Groups } from '@repoless/extension/features/access/AccessPanel.tsx';
import { AddUser } from '@repoless/extension/features/access/Users.tsx';
import { CreateSecret } from '@repoless/extension/features/configuration/Secrets.tsx';
import { SubscribeForm } from '@repoless/extension/features/events/SubscribeForm.tsx';
import { CreateSite } from '@repoless/extension/features/external-repository/CreateSite.tsx';
import { OnboardForm, OnboardingSteps } from '@repoless/extension/features/external-repository/Onboarding.tsx';
import { Once } from '@repoless/extension/ui/Once.tsx';
import { NameVersion } from '@repoless/extension/features/history/NameVersion.tsx';
import { CloneSite } from '@repoless/extension/features/organization/CloneSite.tsx';
import { ProductionForm } from '@repoless/extension/features/production/ProductionForm.tsx';
import { EditSites } from '@repoless/extension/features/rollouts/EditSites.tsx';
import { PasteSecret } from '@repoless/extension/features/sync-status/BranchJob.tsx';
import { screen, waitFor, render } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { showInDialog } from './show-in-dialog.tsx';
import { externalRepository, site as siteEntry, createSyncWorld, json, type SyncWorld } from './sync-world.ts';
import { AUTHOR, createWorld, INFO, PAGE, SERVICE } from './world.ts';
import { eventsPort, never, rolloutsPort } from './ports.ts';
import userEvent from '@testing-library/user-event';
import { LeaveGuard } from '@repoless/extension/ui/LeaveGuard.tsx';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { SyncStatus } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { type Person, press } from './in-surface.tsx';

const QUESTION = 'Your change is not saved yet';
const ONCE = 'A secret is shown only once';

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '#/page-properties');
});

const nothing = (): void => undefined;
const { ports } = createWorld();
const site = { kind: 'site', organization: 'wknd', name: 'summit' } as const;
const members = { caller: [], scope: { organization: undefined }, problemOf: () => undefined, isDisabled: false, onChange: nothing };
const [lantern] = organizationSites([siteEntry('lantern')]);
const repository = externalRepository({ state: 'failed', problem: 'It may not be read.' });
const group = { key: 'byogit:100/7', type: 'byogit', owner: '100', repo: '7', sites: ['summit'], holder: 'summit' } as const;
const overview = { info: INFO, organization: 'wknd', author: AUTHOR, site: 'summit', isRegistered: true, groups: [group] };
const here = { author: AUTHOR, ports, page: PAGE, technicalAccount: '', environments: [] };
const handlers = { onCreated: nothing, onCancel: nothing };

/** The form of each kind of input, and the label of an initially empty field. */
const FORMS: Readonly<Record<string, readonly [ReactNode, string | RegExp]>> = {
  'an API key': [
    <CreateKey key="" service={ports.service} subject={site} longest={undefined} listed={[]} onUncertain={nothing} {...handlers} />,
    'Description',
  ],
  'a member': [<MemberList key="" level={2} label="Authors" help="" members={[]} {...members} />, /Authors/],
  'a secret': [
    <CreateSecret key="" service={ports.service} site={site} names={[]} onUncertain={nothing} {...handlers} />,
    'Name (optional)',
  ],
  'a group': [<Groups key="" groups={{}} isReadOnly={false} {...members} />, /group/i],
  'a user': [<AddUser key="" isDisabled={false} exists={() => false} onAdd={nothing} />, /e-mail/i],
  'a recipient': [<SubscribeForm key="" port={eventsPort()} organization="wknd" onUncertain={nothing} {...handlers} />, /^E-mail address/],
  'a repository': [<OnboardForm key="" program="100" onSubmit={never} onCancel={nothing} />, 'Access token'],
  'another access token': [<OnboardingSteps key="" repository={repository} onRetry={never} />, 'Different access token'],
  'a site of a repository': [<CreateSite key="" overview={overview} create={never} onCreated={nothing} />, /^Site/],
  'a pasted secret': [
    <PasteSecret
      key=""
      group={group}
      siteRef={{ org: 'wknd', site: 'summit', ref: 'main' }}
      branch="main"
      sync={{ start: never, setSecret: never }}
    />,
    /secret/i,
  ],
  'the name of a version': [<NameVersion key="" name="" onSave={never} />, 'Name of this version'],
  'edits of sites': [
    <EditSites
      key=""
      port={rolloutsPort()}
      history={{ profiles: async () => ({ state: 'known', value: [] }) }}
      organization="wknd"
      sites={[{ name: 'summit' }]}
      onCancel={nothing}
      onStarted={nothing}
    />,
    'Value',
  ],
  'a clone': [
    lantern && <CloneSite key="" site={lantern} organization="wknd" {...ports} onCreated={nothing} onCancel={nothing} />,
    'Name of the new site',
  ],
  'another environment': [
    <ProductionForm key="" here={here} info={INFO} portsOf={() => ports} authors={[]} onEnvironment={nothing} onCancel={nothing} />,
    'Address of the other author',
  ],
};

describe('unsaved input', () => {
  test.each(Object.keys(FORMS))('is asked about before Escape closes the dialog: %s', async (name) => {
    const [view, label] = FORMS[name] ?? [];
    const { person, calls } = showInDialog(view);
    const field = await screen.findByLabelText(label ?? '', { selector: 'input:not([type=radio]):not([type=checkbox])' });
    await person.type(field, 'typed');
    await person.keyboard('{Escape}');
    await screen.findByText(QUESTION);
    expect(calls.closed).toBe(0);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
    expect(document.activeElement).toBe(field);
    expect(field).toHaveProperty('value', 'typed');
    await person.clear(field);
    await person.keyboard('{Escape}');
    expect(screen.queryByText(QUESTION)).toBeNull();
    expect(calls.closed).toBe(1);
  });

  test('is asked about before another place opens, and is lost by leaving', async () => {
    const { person } = showInDialog(FORMS['a repository']?.[0]);
    await person.type(await screen.findByLabelText('Access token'), 'typed');
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await screen.findByText(QUESTION);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Leave without saving' }));
    await waitFor(() => expect(screen.queryByLabelText('Access token')).toBeNull());
    expect(screen.queryByText(QUESTION)).toBeNull();
  });

  test('is asked about by the browser before the window closes, and only then', async () => {
    const { person } = showInDialog(FORMS['a recipient']?.[0]);
    const field = await screen.findByLabelText(/^E-mail address/);
    expect(doesBrowserAsk()).toBe(false);
    await person.type(field, 'ops@example.com');
    expect(doesBrowserAsk()).toBe(true);
    await person.clear(field);
    expect(doesBrowserAsk()).toBe(false);
  });
});

describe('a value that is shown only once', () => {
  const rows = [{ name: 'Secret', value: 'shown-once', copy: 'Copy the secret' }];

  test('is asked about before Escape closes the dialog', async () => {
    const { person, calls } = showInDialog(
      <Once title="Copy it now" text="" rows={rows}>
        {null}
      </Once>,
    );
    await screen.findByText('shown-once');
    await person.keyboard('{Escape}');
    await screen.findByText(ONCE);
    await person.click(screen.getByRole('button', { name: 'Stay' }));
    screen.getByText('shown-once');
    await person.keyboard('{Escape}');
    await person.click(await screen.findByRole('button', { name: 'Leave anyway' }));
    expect(calls.closed).toBe(1);
  });

  test('does not cause a question after it is stored', async () => {
    const { person, calls } = showInDialog(
      <Once isKept title="Copy it now" text="" rows={rows}>
        {null}
      </Once>,
    );
    await screen.findByText('shown-once');
    await person.keyboard('{Escape}');
    expect(calls.closed).toBe(1);
  });
});

/** Whether the browser would ask before leaving. */
function doesBrowserAsk(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
const MAKING = 'A secret is still being created';
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
        <LeaveGuard requested={view} id={view}>
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

test('a rail, which has no shell, asks before another view replaces it', async () => {
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

describe('a value that build management shows only once', () => {
  const credentials = {
    address: 'https://builds.example.com/webhooks/7?api_key=k',
    apiKey: 'k',
    secret: 'made-once',
    username: 'repoless',
  };

  test('is asked about while it is created, and before the list or another view opens', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    let arrive = (): void => undefined;
    world.answer = (_method, path) =>
      path.endsWith('/webhook') ? new Promise((resolve) => (arrive = () => resolve(json(201, credentials)))) : undefined;
    const person = await showRail(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    const create = await screen.findByRole('button', { name: 'Create the webhook' });
    expect(doesBrowserAsk()).toBe(false);
    await person.click(create);
    await screen.findByRole('button', { name: 'Creating…' });
    expect(doesBrowserAsk()).toBe(true);
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
    expect(doesBrowserAsk()).toBe(false);
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
  ])('is asked about while %s is created', async (_what, address, make) => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    world.answer = (method, path) => (method !== 'GET' && address.test(path) ? new Promise(() => undefined) : undefined);
    const person = await showRail(world);
    await make(person);
    await person.click(screen.getByRole('button', { name: 'Go on' }));
    await screen.findByText(MAKING);
  });
});
