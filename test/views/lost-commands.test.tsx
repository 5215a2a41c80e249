import type { Rollout } from '@repoless/contract/rollout.ts';
import { createEventsPort } from '@repoless/core/api/organization-ports.ts';
import type { ChecksPort, StoredChecks } from '@repoless/core/overview/stored-checks.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { CloneSite } from '@repoless/extension/features/organization/CloneSite.tsx';
import { CheckSites } from '@repoless/extension/features/content-tree/CheckSites.tsx';
import { RolloutOrders } from '@repoless/extension/features/rollouts/RolloutOrders.tsx';
import { useStoredChecks } from '@repoless/extension/ui/use-stored-checks.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { press, renderInSurface } from './in-surface.tsx';
import { LOSSES, lossyNetwork } from './lossy-network.ts';
import { register } from './rollouts-world.tsx';
import { addPage, createSitesWorld } from './sites-world.ts';
import { site as siteEntry } from './sync-world.ts';
import { eventsPort, rollout, rolloutsPort, TIME, UNREACHABLE } from './ports.ts';

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await register(backend, 'lantern', '/content/lantern');
});

describe('A recipient', () => {
  const URL = 'https://hooks.example.com/lost';
  const GONE = /^https:\/\/hooks\.example\.com.* will no longer be notified\.$/;
  beforeEach(async () => {
    await backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body: { channel: { type: 'webhook', url: URL } } });
  });

  async function remove() {
    const { client, lose, cut } = await lossyNetwork(backend, OPERATOR);
    const { person } = renderInSurface(<Subscriptions port={createEventsPort(client)} organization="wknd" />);
    const [button] = await screen.findAllByRole('button', { name: `Remove ${URL}` });
    if (button !== undefined) await person.click(button);
    return { person, lose, cut, confirm: () => press(person, 'Remove recipient') };
  }

  test.each(LOSSES)('is removed if the response is lost and it no longer exists: %s', async (loss) => {
    const { lose, confirm } = await remove();
    lose(loss, 'DELETE', /subscriptions\/[^/]+\.json$/);
    await confirm();
    await screen.findByText(GONE);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is possibly removed if that cannot be read, and is removed by a retry', async () => {
    const { person, cut, confirm } = await remove();
    cut('DELETE', /subscriptions\/[^/]+\.json$/);
    await confirm();
    await screen.findByText('The recipient may not have been removed');
    expect(screen.queryByText('The recipient was not removed')).toBeNull();
    const [again] = screen.getAllByRole('button', { name: `Remove ${URL}` });
    if (again !== undefined) await person.click(again);
    // The previous attempt's message is no longer shown beside the question.
    expect(screen.queryByRole('alert')).toBeNull();
    await confirm();
    await screen.findByText(GONE);
  });
});

describe('A message', () => {
  const port = eventsPort({ sendTest: async () => UNREACHABLE, resend: async () => UNREACHABLE });

  test('whose request got no response was possibly sent, and the sent messages are shown', async () => {
    const { person } = renderInSurface(<Subscriptions port={port} organization="wknd" />);
    await press(person, 'Send test message to ops@example.com');
    await screen.findByText('The test message may have been sent');
    await screen.findByRole('list', { name: 'Messages to ops@example.com' });
    await press(person, 'Send again: message-1');
    await screen.findByText('The message may have been sent again');
    expect(screen.queryByText(/was not sent/)).toBeNull();
  });
});

describe('A clone', () => {
  const world = createSitesWorld();
  async function create(name: string) {
    const root = `/content/${name}`;
    addPage(world, root);
    const { service, lose, cut } = await lossyNetwork(backend, OPERATOR);
    const created: string[] = [];
    const [lantern] = organizationSites([siteEntry('lantern')]);
    const { person } = renderInSurface(
      lantern && (
        <CloneSite
          site={lantern}
          organization="wknd"
          service={service}
          authoring={world.ports.authoring}
          onCreated={(site) => created.push(site)}
          onCancel={() => undefined}
        />
      ),
    );
    await person.type(await screen.findByRole('textbox', { name: 'Name of the new site' }), name);
    await person.type(screen.getByRole('textbox', { name: 'Content root of the new site' }), `${root}{Enter}`);
    const address = new RegExp(`sites/${name}\\.json$`);
    await screen.findByRole('button', { name: `Create the site “${name}”` });
    return { person, created, lose, cut, address, now: () => press(person, `Create the site “${name}”`) };
  }

  test.each(LOSSES)('is created if the response is lost and it is stored: %s', async (loss) => {
    const { created, lose, address, now } = await create(`harbour-${loss}`);
    lose(loss, 'PUT', address);
    await now();
    await waitFor(() => expect(created).toEqual([`harbour-${loss}`]));
  });

  test('is not created if the request never arrived', async () => {
    const { created, cut, address, now } = await create('never');
    cut('PUT', address);
    await now();
    await screen.findByText('The site was not created');
    expect(created).toEqual([]);
  });

  test('is possibly created if that cannot be read', async () => {
    const { lose, cut, address, now } = await create('perhaps');
    lose('broken', 'PUT', address);
    cut('GET', address);
    await now();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The site may have been created');
    expect(screen.queryByText('The site was not created')).toBeNull();
  });

  test('does not count as created if someone else took its name', async () => {
    const { created, cut, address, now } = await create('taken');
    await register(backend, 'taken', '/content/theirs');
    cut('PUT', address);
    await now();
    await screen.findByText('A site with this name already exists. Choose another name.');
    expect(created).toEqual([]);
  });
});

describe('A command to a rollout', () => {
  const running = rollout();

  function order(current: Rollout, after: Rollout | undefined) {
    const port = rolloutsPort({
      order: async () => UNREACHABLE,
      rollout: async () => (after === undefined ? UNREACHABLE : { state: 'known', value: after }),
    });
    const ordered: string[] = [];
    const { person } = renderInSurface(
      <RolloutOrders port={port} organization="wknd" rollout={current} onOrdered={() => ordered.push('read')} />,
    );
    return { person, ordered };
  }

  test('succeeded if the response is lost and the rollout is in that state', async () => {
    const { person, ordered } = order(running, { ...running, state: 'stopped', stopped: { reason: 'asked' } });
    await press(person, 'Stop');
    await waitFor(() => expect(ordered).toEqual(['read']));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('failed if the rollout continues', async () => {
    const { person } = order(running, running);
    await press(person, 'Stop');
    await screen.findByText('Couldn’t do that');
  });

  test('possibly succeeded if the rollout cannot be read', async () => {
    const { person } = order(running, undefined);
    await press(person, 'Stop');
    await screen.findByText('That may have been done');
    expect(screen.queryByText('Couldn’t do that')).toBeNull();
  });
});

function ServiceChecks({ checks }: { readonly checks: ChecksPort }) {
  const none = { checked: { own: new Map(), stored: new Map() }, check: async () => ({ unread: 0, denied: 0 }) };
  return <CheckSites checks={none} pages={[]} stored={useStoredChecks(checks, 'wknd')} />;
}
const idle: StoredChecks = { sites: [], days: [] };

test.each([
  ['is in progress if the service says so', { ...idle, running: { done: 1, total: 3, since: TIME } }, /^The service is checking/],
  ['is possibly started otherwise', idle, 'The check may have started'],
] as const)('A check of all sites whose start got no response %s', async (_what, after, message) => {
  let now: StoredChecks = idle;
  const { person } = renderInSurface(
    <ServiceChecks
      checks={{
        all: async () => ({ state: 'known', value: now }),
        start: async () => {
          now = after;
          return UNREACHABLE;
        },
        site: async () => UNREACHABLE,
        activity: async () => UNREACHABLE,
        store: async () => UNREACHABLE,
      }}
    />,
  );
  await press(person, 'Check');
  await screen.findByText(message);
  expect(screen.queryByText('The check did not start')).toBeNull();
  expect(screen.queryAllByRole('alert')).toHaveLength(after === idle ? 1 : 0);
});

test.each(LOSSES)('A webhook whose response was lost is reported as possibly created, and is in the list: %s', async (loss) => {
  const { client, lose } = await lossyNetwork(backend, OPERATOR);
  const { person } = renderInSurface(<Subscriptions port={createEventsPort(client)} organization="wknd" />);
  await person.click(await screen.findByRole('button', { name: 'Add a recipient' }));
  await person.click(await screen.findByRole('radio', { name: 'Webhook' }));
  const address = `https://hooks.example.com/${loss}`;
  lose(loss, 'POST', /subscriptions\.json$/);
  await person.type(screen.getByRole('textbox', { name: /^Address/ }), `${address}{Enter}`);
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('The recipient may have been added')).toBeTruthy();
  expect(within(alert).getByText(/nobody has its secret/)).toBeTruthy();
  expect(screen.queryByText('The recipient was not added')).toBeNull();
  expect(await within(await screen.findByRole('list', { name: 'Recipients' })).findByText(new RegExp(address))).toBeTruthy();
});
