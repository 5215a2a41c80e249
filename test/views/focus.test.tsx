import { SyncPanel } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { press, renderInSurface } from './in-surface.tsx';
import { show as showSites } from './render-sites.tsx';
import { showRepositories } from './show-sync-status.tsx';
import { addPage, createSitesWorld, siteOf } from './sites-world.ts';
import { createSyncWorld, externalRepository, refused, site } from './sync-world.ts';
import { PAGE } from './world.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { RolloutView } from '@repoless/extension/features/rollouts/RolloutView.tsx';
import { WebhookPanel } from '@repoless/extension/features/external-repository/WebhookPanel.tsx';
import { eventsPort, rollout, rolloutsPort, TIME } from './ports.ts';

const focused = () => document.activeElement;

describe('The focus returns to', () => {
  test('“Onboard a repository…” after its form is cancelled', async () => {
    const name = 'Onboard a repository…';
    const person = await showRepositories(createSyncWorld());
    (await screen.findByRole('button', { name })).focus();
    await person.keyboard('{Enter}');
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(focused()).toBe(screen.getByRole('button', { name }));
  });

  test('the opened external repository, far down the list, and to its name while it is open', async () => {
    const world = createSyncWorld();
    for (let n = 100; n < 160; n++) world.repositories.push(externalRepository({ repositoryId: String(n), name: `Team ${n}` }));
    const person = await showRepositories(world);
    (await screen.findByRole('button', { name: /^Team 100/ })).focus();
    await person.keyboard('{End}');
    await waitFor(() => expect(focused()?.textContent).toMatch(/^Team 159/));
    await person.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('heading', { level: 2, name: 'Team 159' })));
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    expect(focused()).toBe(screen.getByRole('button', { name: /^Team 159/ }));
  });

  test('the opened site in the filtered list of repositories', async () => {
    const world = createSyncWorld([site('summit'), site('harbour', 'other'), site('haven', 'other')]);
    const person = await showRepositories(world);
    await person.type(screen.getByRole('searchbox', { name: 'Search sites and repositories' }), 'haven');
    screen.getByRole('button', { name: 'haven' }).focus();
    await person.keyboard('{Enter}');
    await screen.findByRole('heading', { level: 2, name: 'wknd/other' });
    await person.click(screen.getByRole('button', { name: 'All repositories' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'haven' }));
  });

  test('the heading, if the rail was rendered again without the list', async () => {
    const world = createSyncWorld();
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: 'Onboard a repository…' }));
    document.body.innerHTML = '';
    world.answer = (_method, path) =>
      path.endsWith('/repositories') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    world.hasBuildManagement = true;
    renderInSurface(<SyncPanel {...world.ports} path={PAGE} onSignedOut={() => undefined} />);
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(focused()).toBe(screen.getByRole('heading', { level: 2, name: 'External repositories' }));
  });

  test('the closed site in the list of all sites', async () => {
    const world = createSitesWorld();
    for (const name of ['lantern', 'harbour']) {
      world.sites.set(name, siteOf(name, `/content/${name}`));
      addPage(world, `/content/${name}`);
    }
    const { person } = showSites(world, 'organization');
    await person.click(await screen.findByRole('row', { name: /lantern/ }));
    const details = await screen.findByRole('region', { name: 'Site “lantern”' });
    expect(focused()).toBe(within(details).getByRole('heading', { name: 'Site “lantern”' }));
    await person.click(within(details).getByRole('button', { name: 'Close the details' }));
    const grid = screen.getByRole('grid');
    expect(focused()).toBe(grid);
    expect(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('lantern');
    await person.keyboard('{Enter}');
    await screen.findByRole('region', { name: 'Site “lantern”' });
    await person.type(screen.getByRole('searchbox'), 'nothing of this name');
    await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Close the details' }));
    expect(focused()).toBe(screen.getByRole('heading', { name: 'All sites' }));
  });
});

const REFUSED = { state: 'failed', failure: { kind: 'refused', status: 429 } } as const;

/** After confirming by keyboard, the focus is at the outcome. */
async function expectFocusAtAlert(): Promise<void> {
  const alert = await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement).toBe(alert));
}

test('The refused removal of a recipient gets the focus', async () => {
  const port = eventsPort({ unsubscribe: async () => REFUSED });
  const { person } = renderInSurface(<Subscriptions port={port} organization="wknd" />);
  await press(person, 'Remove ops@example.com', 'Remove recipient');
  await expectFocusAtAlert();
});

test('The refusal of new webhook credentials gets the focus', async () => {
  const repository = externalRepository({
    webhook: { address: 'https://builds.example.com/hooks/7', created: TIME, createdBy: 'ada.admin@example.com' },
  });
  const { person } = renderInSurface(<WebhookPanel repository={repository} rotate={async () => REFUSED} onChanged={() => undefined} />);
  await press(person, /^New credentials/, 'Create new ones');
  await expectFocusAtAlert();
});

test('A refused rollout command keeps the focus while the rollout is reloaded', async () => {
  let arrive: (() => void) | undefined;
  let isOrdered = false;
  const done = rollout({ state: 'done', sites: { changed: 2 }, wave: 2 });
  const port = rolloutsPort({
    rollout: async () => {
      if (isOrdered) await new Promise<void>((resolve) => (arrive = resolve));
      return { state: 'known', value: { ...done, worse: isOrdered ? 1 : 0, startedBy: isOrdered ? 'Read again' : 'Read once' } };
    },
    sites: async () => ({ state: 'known', value: { sites: [] } }),
    previewUndo: async () => ({ state: 'known', value: { total: 0, sites: [], kinds: [], consequences: [] } }),
    order: async () => {
      isOrdered = true;
      return REFUSED;
    },
  });
  const { person } = renderInSurface(
    <RolloutView port={port} organization="wknd" id={done.id} onBack={() => undefined} onEnded={() => undefined} />,
  );
  await press(person, 'Undo on all sites…', 'Undo on 2 sites');
  await expectFocusAtAlert();
  arrive?.();
  await screen.findByText(/Read again/);
  await expectFocusAtAlert();
});
