import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Subscription } from '@repoless/contract/event.ts';
import type { Rollout } from '@repoless/contract/rollout.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { NO_EVENTS } from '@repoless/extension/features/events/use-events.ts';
import { RolloutView } from '@repoless/extension/features/rollouts/RolloutView.tsx';
import { WebhookPanel } from '@repoless/extension/features/external-repository/WebhookPanel.tsx';
import { press, renderInSurface } from './in-surface.tsx';
import { externalRepository } from './sync-world.ts';

const TIME = '2026-03-04T05:06:07.000Z';
const REFUSED = { state: 'failed', failure: { kind: 'refused', status: 429 } } as const;

function show(view: ReactNode) {
  return renderInSurface(view).person;
}

/** After confirming by keyboard, the focus is at the outcome. */
async function expectFocusAtAlert(): Promise<void> {
  const alert = await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement).toBe(alert));
}

test('The removal of a recipient that was refused takes the focus', async () => {
  const subscription: Subscription = {
    id: 'one',
    channel: { type: 'email', to: 'ops@example.com', digest: 'each' },
    created: TIME,
    createdBy: 'ada.admin@example.com',
  };
  const port: EventsPort = {
    ...NO_EVENTS,
    subscriptions: async () => ({ state: 'known', value: [subscription] }),
    unsubscribe: async () => REFUSED,
  };
  const person = show(<Subscriptions port={port} organization="wknd" />);
  await press(person, 'Remove ops@example.com', 'Remove recipient');
  await expectFocusAtAlert();
});

test('New webhook credentials that were refused take the focus', async () => {
  const repository = externalRepository({
    webhook: { address: 'https://builds.example.com/hooks/7', created: TIME, createdBy: 'ada.admin@example.com' },
  });
  const person = show(<WebhookPanel repository={repository} rotate={async () => REFUSED} onChanged={() => undefined} />);
  await press(person, /^New credentials/, 'Create new ones');
  await expectFocusAtAlert();
});

test('An order to a rollout that was refused keeps the focus while the rollout is read again', async () => {
  const rollout: Rollout = {
    id: 'one',
    title: 'One',
    state: 'done',
    sites: { changed: 2 },
    waves: [1],
    wave: 2,
    total: 2,
    worse: 0,
    started: TIME,
    startedBy: 'ada.admin@example.com',
  };
  let arrive: (() => void) | undefined;
  let isOrdered = false;
  const port: RolloutsPort = {
    list: async () => REFUSED,
    preview: async () => REFUSED,
    start: async () => REFUSED,
    rollout: async () => {
      if (isOrdered) await new Promise<void>((resolve) => (arrive = resolve));
      return { state: 'known', value: { ...rollout, worse: isOrdered ? 1 : 0, startedBy: isOrdered ? 'Read again' : 'Read once' } };
    },
    sites: async () => ({ state: 'known', value: { sites: [] } }),
    previewUndo: async () => ({ state: 'known', value: { total: 0, sites: [], kinds: [], consequences: [] } }),
    order: async () => {
      isOrdered = true;
      return REFUSED;
    },
  };
  const person = show(<RolloutView port={port} organization="wknd" id="one" onBack={() => undefined} onEnded={() => undefined} />);
  await press(person, 'Undo on all sites…', 'Undo on 2 sites');
  await expectFocusAtAlert();
  arrive?.();
  await screen.findByText(/Read again/);
  await expectFocusAtAlert();
});
