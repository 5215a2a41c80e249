import { setImmediate } from 'node:timers/promises';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHistoryWorld, historyProblem, type HistoryWorld } from './history-world.ts';
import { press } from './in-surface.tsx';
import { ADA, BEN, row, show, siteWith, wiped } from './render-history.tsx';
import { violations } from './render-page.tsx';

/** 200 versions, of which the second added an administrator. */
function showMany() {
  const world = createHistoryWorld();
  for (let version = 1; version <= 200; version++)
    world.store({ ...siteWith(version === 1 ? [ADA] : [ADA, BEN]), title: `Title ${version}` });
  return { world, ...show(world) };
}

/** Holds answers with versions until released; their requests still count as calls. */
function holdVersions(world: HistoryWorld): () => void {
  const { version } = world.port;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  world.port.version = async (...parameters) => {
    const answer = await version(...parameters);
    await released;
    return answer;
  };
  return () => release();
}

describe('the history of a site', () => {
  test('lists changes, author and time of each version, newest first', async () => {
    show(wiped());
    await screen.findByRole('heading', { name: 'History of the site “wknd-de”' });
    await row(/^Title set to Tarnfell Version 3 · .* · ada.admin@example.com Current$/);
    await row(/^Administrators: ben.builder@example.com removed Version 2 · .* · ben.builder@example.com/);
    await row(/^Stored for the first time and \d+ more Version 1 .*Before the relaunch$/);
    expect(
      within(screen.getByRole('list', { name: 'Versions' }))
        .getAllByRole('listitem')
        .map((item) => /Version (\d)/.exec(item.textContent ?? '')?.[1]),
    ).toEqual(['3', '2', '1']);
    expect(screen.getByRole('heading', { name: 'History of the site “wknd-de”' })).toBe(document.activeElement);
    expect(await violations()).toEqual([]);
  });

  test('works by keyboard only', async () => {
    const world = wiped();
    const { person } = show(world);
    await row(/^Title set/);
    await person.tab();
    await person.tab();
    await person.tab();
    await person.tab();
    await person.tab();
    await person.tab();
    expect(document.activeElement?.textContent).toMatch(/^Title set/);
    await person.keyboard('{ArrowDown}{Enter}');
    const heading = await screen.findByRole('heading', { name: 'Version 2' });
    expect(document.activeElement).toBe(heading);
    await person.click(screen.getByRole('button', { name: 'All versions', hidden: true }));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Administrators: ben/));
  });

  test('returns the focus to the button whose question is declined', async () => {
    const { person } = show(wiped());
    await person.click(await row(/^Administrators: ben/));
    for (const [ask, decline] of [
      ['Undo this change…', 'Cancel'],
      ['Restore version 2…', 'Cancel'],
      ['Delete version 2…', 'Keep it'],
    ] as const) {
      await person.click(await screen.findByRole('button', { name: ask }));
      await person.click(await screen.findByRole('button', { name: decline }));
      expect(document.activeElement).toBe(screen.getByRole('button', { name: ask }));
    }
  });

  test('compares any two versions, also as a JSON patch', async () => {
    const width = vi.spyOn(window.screen, 'width', 'get').mockReturnValue(1280);
    onTestFinished(() => width.mockRestore());
    const { person } = show(wiped());
    await person.click(await row(/^Title set/));
    const compare = await screen.findByRole('combobox', { name: 'Compared with' });
    expect(compare).toHaveProperty('value', 'Version 2 – previous version');
    await person.clear(compare);
    await person.type(compare, '1');
    await person.click(await screen.findByRole('option', { name: 'Version 1 – Before the relaunch' }));
    const changes = await screen.findByRole('list', { name: 'What changed' });
    await waitFor(() =>
      expect(
        within(changes)
          .getAllByRole('listitem')
          .map((item) => item.textContent),
      ).toEqual(['Administrators: ben.builder@example.com removed', 'Title set to Tarnfell']),
    );
    const patch: unknown = JSON.parse(screen.getByRole('region', { name: 'As a JSON patch', hidden: true }).textContent ?? '');
    expect(patch).toEqual([
      { op: 'add', path: '/title', value: 'Tarnfell' },
      { op: 'remove', path: '/access/admin/role/admin/1' },
    ]);
  });

  test('is searched by person and change, and leads to the last change of access and of the mapping', async () => {
    const world = wiped();
    const { person } = show(world);
    await row(/^Title set/);
    await person.type(screen.getByRole('searchbox', { name: 'Search person, change or name' }), 'access');
    await screen.findByText('2 of 3 versions');
    await person.clear(screen.getByRole('searchbox'));
    await person.type(screen.getByRole('searchbox'), BEN);
    await waitFor(() => expect(screen.queryByText(/^Title set/)).toBeNull());
    await person.type(screen.getByRole('searchbox'), 'zzz');
    await screen.findByText('No loaded version matches the search.');
    await person.click(screen.getByRole('button', { name: 'Access' }));
    await screen.findByRole('heading', { name: 'Version 2' });
    await screen.findByText('Access: last changed in version 2.');
    await person.click(screen.getByRole('button', { name: 'Path mapping' }));
    await screen.findByText('Path mapping: unchanged since the oldest version that is kept.');
  });

  test('does not open the last change if another version was opened in the meantime, but names it', async () => {
    const { world, person } = showMany();
    const release = holdVersions(world);
    await person.click(await screen.findByRole('button', { name: 'Access' }));
    await screen.findByText('Looking for it…');
    await person.click(await row(/Version 199/));
    await screen.findByRole('heading', { name: 'Version 199' });
    release();
    await screen.findByText('Access: last changed in version 2.');
    screen.getByRole('heading', { name: 'Version 199' });
    await person.click(await screen.findByRole('button', { name: 'Access' }));
    await screen.findByRole('heading', { name: 'Version 2' });
  });

  test('reads no more versions after it is closed', async () => {
    const { world, person } = showMany();
    await row(/^Title changed from Title 199 to Title 200/);
    await person.type(screen.getByRole('searchbox'), 'Title 7 to');
    const release = holdVersions(world);
    await press(person, 'Search them too', 'Access');
    const callsBefore = world.calls.length;
    cleanup();
    release();
    await setImmediate();
    expect(world.calls.slice(callsBefore)).toEqual([]);
  });

  test('renders a screenful of thousands of versions, and reads only visible ones', async () => {
    const world = createHistoryWorld();
    for (let version = 1; version <= 3000; version++) world.store({ ...siteWith([ADA]), title: `Title ${version}` });
    const { person } = show(world);
    await row(/^Title changed from Title 2999 to Title 3000/);
    expect(screen.getAllByRole('listitem').length).toBeLessThan(30);
    expect(world.calls.filter((call) => call === 'versions')).toHaveLength(1);
    expect(world.calls.length).toBeLessThan(40);
    await person.type(screen.getByRole('searchbox'), 'Title 7 to');
    await screen.findByText(/versions were not searched for their changes/);
    await person.click(screen.getByRole('button', { name: 'Search them too' }));
    await row(/^Title changed from Title 7 to Title 8/);
    expect(await violations()).toEqual([]);
  });

  test('reports a read failure, retries, and reports an empty history', async () => {
    const world = createHistoryWorld();
    world.refuse = () => historyProblem('NOT_AUTHORIZED', 403, 'not authorized');
    const { person, calls } = show(world);
    await screen.findByText('You don’t have permission for this');
    expect(await violations()).toEqual([]);
    world.refuse = () => ({ kind: 'unreachable' });
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('The configuration service does not respond.');
    world.refuse = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('There is no history yet.');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Back' }));
    expect(calls.closed).toBe(1);
  });

  test('reports a version that could not be read, and retries', async () => {
    const world = wiped();
    world.refuse = (call) => (call === 'version 2' ? { kind: 'unreachable' } : undefined);
    const { person } = show(world);
    await person.click(await row(/^Couldn’t read what changed. Version 2/));
    world.refuse = () => undefined;
    await person.click(await screen.findByRole('button', { name: 'Try again' }));
    await row(/^Administrators: ben/);
  });

  test('is shown in German', async () => {
    show(wiped(), 'de-DE');
    await screen.findByRole('heading', { name: 'Verlauf der Site „wknd-de“' });
    await row(/^Administratoren: ben.builder@example.com entfernt Version 2/);
    expect(await violations()).toEqual([]);
  });
});
