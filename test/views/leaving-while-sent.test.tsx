import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEventsPort, createRolloutsPort } from '@repoless/core/api/organization-ports.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { OnboardForm } from '@repoless/extension/features/external-repository/Onboarding.tsx';
import { HistoryPanel } from '@repoless/extension/features/history/HistoryPanel.tsx';
import { EditSites } from '@repoless/extension/features/rollouts/EditSites.tsx';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, showAccess } from './access-world.tsx';
import { showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { pausedNetwork } from './paused-network.ts';
import { InShell } from './in-shell.tsx';
import { type Person, press, renderInSurface } from './in-surface.tsx';
import { showInDialog } from './show-in-dialog.tsx';

const UNSAVED = 'Your change is not saved yet';
const SAVING = 'Your change is being saved';
const MAKING = 'A secret is still being created';
const ONCE = 'A secret is shown only once';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;

const first = startBeforeAll(startConfiguredSite);
beforeEach(async () => {
  await first.put({ robots: { txt: 'zero' } });
  await first.put({ robots: { txt: 'one' } });
});

const field = (name: string | RegExp) => screen.findByRole('textbox', { name });
const elsewhere = async (person: Person) => person.click(await screen.findByRole('link', { name: 'Elsewhere' }));

function show(view: ReactNode): Person {
  history.replaceState(null, '', '#/page-properties');
  return renderInSurface(<InShell>{() => view}</InShell>).person;
}

type Network = Awaited<ReturnType<typeof pausedNetwork>>;

interface Made {
  readonly name: string;
  /** Shows the form, and sends it while the network holds it. */
  send(net: Network): Promise<Person>;
  /** One of its fields. */
  readonly field?: string | RegExp;
  /** The message when the write has succeeded. */
  readonly success: string | RegExp;
}

const MADE: readonly Made[] = [
  {
    name: 'an API key',
    field: 'Description',
    async send({ service, hold }) {
      const { person } = showAccess({ service, subject });
      await press(person, 'Create an API key…');
      await person.click(await screen.findByRole('checkbox', { name: /^Author/ }));
      hold('POST', /apiKeys\.json$/);
      await press(person, 'Create the key');
      return person;
    },
    success: 'The key was created. Copy it now',
  },
  {
    name: 'a secret without input',
    field: 'Name (optional)',
    async send({ service, hold }) {
      const { person } = showConfiguration({ service, site: 'first' });
      await press(person, 'Create a secret…');
      hold('POST', /secrets\.json$/);
      await press(person, 'Create the secret');
      return person;
    },
    success: 'The secret was created. Copy it now',
  },
  {
    name: 'the secret of a webhook',
    async send({ client, hold }) {
      const person = show(<Subscriptions port={createEventsPort(client)} organization="wknd" />);
      await press(person, 'Add a recipient');
      await person.click(await screen.findByRole('radio', { name: 'Webhook' }));
      hold('POST', /subscriptions\.json$/);
      await person.type(await field(/^Address/), 'https://hooks.example.com/one{Enter}');
      return person;
    },
    success: /^Copy/,
  },
];

describe('Leaving asks about a value that is shown only once', () => {
  test.each(MADE)('first because it is being created, then because it is shown: $name', async ({ send, success }) => {
    const net = await pausedNetwork(first.backend, OPERATOR);
    const person = await send(net);
    await net.held();
    await elsewhere(person);
    await screen.findByText(MAKING);
    expect(screen.queryByText(/Copy it first/)).toBeNull();
    expect(screen.queryByText(UNSAVED)).toBeNull();
    await press(person, 'Stay');
    net.release();
    await screen.findAllByText(success);
    await elsewhere(person);
    await screen.findByText(ONCE);
    expect(screen.queryByText(MAKING)).toBeNull();
  });

  test('with a new question if it appears while the first one is open', async () => {
    const net = await pausedNetwork(first.backend, ADA);
    const [key] = MADE;
    const person = (await key?.send(net)) ?? userEvent.setup();
    await net.held();
    await elsewhere(person);
    await screen.findByText(MAKING);
    net.release();
    const question = await screen.findByText(ONCE);
    expect(question.closest('[role="alert"]')).toBe(document.activeElement);
    expect(screen.queryByText(MAKING)).toBeNull();
  });
});

const versions = (service: Network['service']) => (
  <HistoryPanel history={service.history} subject={subject} onClose={() => undefined} onRestored={() => undefined} />
);
/** Opens the previous version. */
async function openBefore(person: Person): Promise<void> {
  const [, before] = await screen.findAllByRole('button', { name: /Version \d+ / });
  if (before === undefined) throw new Error('One version only');
  await person.click(before);
}

const SENT: readonly (Omit<Made, 'success'> & { readonly before?: string })[] = [
  {
    name: 'a recipient',
    field: /^E-mail address/,
    async send({ client, hold }) {
      const person = show(<Subscriptions port={createEventsPort(client)} organization="wknd" />);
      await press(person, 'Add a recipient');
      hold('POST', /subscriptions\.json$/);
      await person.type(await field(/^E-mail address/), 'ops@example.com{Enter}');
      return person;
    },
  },
  {
    name: 'the name of a version',
    async send({ service, hold }) {
      const person = show(versions(service));
      await openBefore(person);
      await person.type(await field('Name of this version'), 'Before the relaunch');
      hold('POST', /versions\/\d+\.json$/);
      await press(person, 'Save the name');
      return person;
    },
  },
  {
    name: 'a version that is restored',
    async send({ service, hold }) {
      const person = show(versions(service));
      await openBefore(person);
      await press(person, /^Restore version \d+…/);
      await screen.findByRole('button', { name: /^Restore version \d+ now/ });
      hold('POST', /first\.json$/);
      await press(person, /^Restore version \d+ now/);
      return person;
    },
  },
];

describe('Leaving reports that saving continues for', () => {
  test.each(SENT)('$name', async ({ send }) => {
    const net = await pausedNetwork(first.backend, OPERATOR);
    const person = await send(net);
    await net.held();
    await elsewhere(person);
    await screen.findByText(SAVING);
    expect(screen.queryByText(UNSAVED)).toBeNull();
    net.release();
  });

  test('a rollout, whose fields are disabled', async () => {
    const { client, service, hold, held, cut, release } = await pausedNetwork(first.backend, OPERATOR);
    const port = createRolloutsPort(client);
    const sites = [{ name: 'first', contentRoot: '/content/first' }];
    const none = () => undefined;
    const { person, calls } = showInDialog(
      <EditSites port={port} history={service.history} organization="wknd" sites={sites} onCancel={none} onStarted={none} />,
    );
    await person.type(await field('Name of the header'), 'x-country');
    await person.type(await field('Value'), 'ch');
    await person.type(await field(/^Title/), 'Tell the country');
    await press(person, 'Preview on every site');
    await screen.findByRole('button', { name: 'Start on 1 site' });
    hold('POST', /rollouts\.json$/);
    await press(person, 'Start on 1 site');
    await held();
    expect(await field('Value')).toHaveProperty('disabled', true);
    await person.keyboard('{Escape}');
    await screen.findByText(SAVING);
    expect([screen.queryByText(UNSAVED), calls.closed]).toEqual([null, 0]);
    cut(true);
    release();
  });

  test('a repository', async () => {
    let end = (): void => undefined;
    const sent = () => new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
    const person = show(<OnboardForm program="100" onSubmit={sent} onCancel={() => undefined} />);
    await person.type(await field('Name'), 'storefront');
    await person.type(await field(/clone address/), 'https://git.example.com/storefront.git');
    await person.type(await screen.findByLabelText('Access token'), 'token');
    await press(person, 'Onboard');
    await elsewhere(person);
    await screen.findByText(SAVING);
    end();
    await screen.findByText(UNSAVED);
  });
});

const WITH_FIELD = [...MADE, ...SENT].filter((one) => one.field !== undefined);
test.each(WITH_FIELD)('Fields of $name are disabled while it is sent', async ({ send, field: name = '' }) => {
  const net = await pausedNetwork(first.backend, OPERATOR);
  await send(net);
  await net.held();
  expect(await field(name)).toHaveProperty('disabled', true);
  net.release();
});
