import type { JobListEntry } from '@repoless/contract/job.ts';
import { SyncPanel } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { createSyncWorld, ended, JOB, json } from './sync-world.ts';
import { PAGE } from './world.ts';

const at = (minute: number, second = 0): string => new Date(Date.UTC(2026, 2, 4, 5, minute, second)).toISOString();
const past = (index: number, seconds: number, error?: string): JobListEntry => ({
  name: `job-2026-03-04-05-${index + 10}-07-0a1b2c3d`,
  state: 'stopped',
  time: at(index + 10),
  stopTime: at(index + 10, seconds),
  branch: 'main',
  href: '',
  ...(error === undefined ? {} : { error }),
});

describe('the sync history of a branch', () => {
  test.each([
    ['en-US', 'Sync history (6 syncs)', 'How long syncs took. Successful syncs: shortest 2 sec, longest 9 sec, latest 4 sec'],
    [
      'de-DE',
      'Sync-Verlauf (6 Syncs)',
      'Wie lange Syncs dauerten. Erfolgreiche Syncs: der kürzeste 2 Sek., der längste 9 Sek., der letzte 4 Sek.',
    ],
  ])('shows durations as a line and in words, and failures by reason (%s)', async (locale, title, trend) => {
    const world = createSyncWorld();
    const stopped = { ...past(6, 1), cancelled: true };
    const jobs = [
      stopped,
      past(5, 4),
      past(4, 1, 'Unable to fetch a.js: 503'),
      past(3, 2),
      past(2, 1, 'Unable to fetch b.js: 502'),
      past(1, 9),
    ];
    world.notify('main', { ...ended(), jobs });
    showSync(world.ports, locale);
    const person = userEvent.setup();
    await person.click(await screen.findByText(title, { exact: false }));
    expect(screen.getByRole('img', { name: trend })).toBeTruthy();
    const failures = screen.getByRole('group', { name: locale === 'en-US' ? 'Failures by reason' : 'Fehlschläge nach Grund' });
    expect(within(failures).getAllByRole('listitem')).toHaveLength(1);
    expect(failures.textContent).toContain(locale === 'en-US' ? 'The code source did not respond · 2 times' : '2-mal');
    const [latest] = within(screen.getByRole('list', { name: /main/ })).getAllByRole('listitem');
    expect(latest?.textContent).toMatch(/^(Stopped|Angehalten)/);
    expect(await violations()).toEqual([]);
  });

  test('shows the changes of a sync, who started it, and its commit', async () => {
    const world = createSyncWorld();
    world.notify('main', { ...ended(), jobs: [past(1, 3)] });
    const changes = Array.from({ length: 22 }, (_, index) => ({ type: 'modified', path: `/blocks/b${index}.js` }));
    world.answer = (_method, path) =>
      path.endsWith('/details')
        ? json(200, {
            ...ended('c'.repeat(40)),
            topic: 'code',
            data: { ...ended('c'.repeat(40)).data, changes, resources: [] },
            links: { self: path, job: path, list: path },
          })
        : undefined;
    showSync(world.ports);
    const person = userEvent.setup();
    await person.click(await screen.findByText('Sync history (1 sync)', { exact: false }));
    expect(screen.queryByRole('img', { name: /How long/ })).toBeNull();
    await person.click(screen.getByRole('button', { name: /^Details of the sync of/ }));
    const link = await screen.findByRole('link', { name: 'cccccccccc' });
    expect(link.getAttribute('href')).toMatch(new RegExp(`/wknd/boilerplate/commit/${'c'.repeat(40)}$`));
    expect(within(screen.getByRole('list', { name: 'Changed files' })).getAllByRole('listitem')).toHaveLength(20);
    screen.getByText('and 2 more files');
    expect(await violations()).toEqual([]);
  });

  test('reports a sync that is no longer stored', async () => {
    const world = createSyncWorld();
    world.notify('main', { ...ended(), jobs: [{ ...past(1, 3), name: JOB }] });
    world.answer = (_method, path) => (path.endsWith('/details') ? json(404, {}) : undefined);
    showSync(world.ports);
    const person = userEvent.setup();
    await person.click(await screen.findByText('Sync history (1 sync)', { exact: false }));
    await person.click(screen.getByRole('button', { name: /^Details of the sync of/ }));
    await screen.findByText('The service no longer keeps this sync.');
  });
});

function showSync(ports: ReturnType<typeof createSyncWorld>['ports'], locale = 'en-US'): void {
  renderInSurface(<SyncPanel {...ports} path={PAGE} onSignedOut={() => undefined} />, { locale });
}
