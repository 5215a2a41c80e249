import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { HistoryPanel } from '#extension/views/history/HistoryPanel.tsx';
import { Surface } from '#extension/views/Surface.tsx';
import { createHistoryWorld, historyProblem } from './history-world.ts';
import type { HistoryWorld } from './history-world.ts';
import { violations } from './render-page.tsx';
import { siteOf } from './sites-world.ts';

const ADA = 'ada.admin@example.com';
const BEN = 'ben.builder@example.com';

function siteWith(admins: readonly string[], mappings: readonly string[] = ['/content/wknd/de/:/']): Record<string, unknown> {
  const site = siteOf('wknd-de', '/content/wknd/de');
  return {
    ...site,
    access: { admin: { role: { ...site.access?.admin?.role, admin: admins } } },
    public: { paths: { mappings } },
  };
}

/** Stored, then an administrator lost by mistake, then a title set. */
function wiped(): HistoryWorld {
  const world = createHistoryWorld();
  world.store(siteWith([ADA, BEN]), { name: 'Before the relaunch' });
  world.store(siteWith([ADA]), { user: BEN });
  world.store({ ...siteWith([ADA]), title: 'Tarnfell' });
  return world;
}

function show(world: HistoryWorld, locale = 'en-US') {
  const calls = { closed: 0, restored: 0 };
  render(
    <Surface locale={locale} theme="light" standAlone={false}>
      <HistoryPanel
        history={world.port}
        subject={{ kind: 'site', organization: 'wknd', name: 'wknd-de' }}
        onClose={() => calls.closed++}
        onRestored={() => calls.restored++}
      />
    </Surface>,
  );
  return { person: userEvent.setup(), calls };
}

const row = (name: RegExp) => screen.findByRole('button', { name });

describe('the history of a site', () => {
  test('says of each version what it changed, who did it and when, newest first', async () => {
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

  test('a change made by mistake is undone: what restoring would change is shown before it is done', async () => {
    const world = wiped();
    const { person, calls } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await screen.findByRole('heading', { name: 'Version 2' });
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Undo this change: restore version 1…' }));
    const would = await screen.findByRole('list', { name: 'Restoring version 1 would change this, from now on:' });
    expect(
      within(would)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Administrators: ben.builder@example.com added', 'Title removed (was Tarnfell)']);
    expect(world.versions).toHaveLength(3);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    const done = await screen.findByText('Version 1 is restored.');
    await waitFor(() => expect(done.closest('[role="status"]')).toBe(document.activeElement));
    await row(/^Administrators: ben.builder@example.com added and 1 more Version 4 .*Current$/);
    expect(calls.restored).toBe(1);
    expect(world.versions[0]?.data).toMatchObject({ access: { admin: { role: { admin: [ADA, BEN] } } } });
    expect(await violations()).toEqual([]);
  });

  test('works by the keyboard alone', async () => {
    const world = wiped();
    const { person } = show(world);
    await row(/^Title set/);
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

  test('compares any two versions, also as a JSON patch', async () => {
    vi.spyOn(window.screen, 'width', 'get').mockReturnValue(1280);
    const { person } = show(wiped());
    await person.click(await row(/^Title set/));
    const compare = await screen.findByRole('combobox', { name: 'Compared with' });
    expect(compare).toHaveProperty('value', 'Version 2 – the one before');
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

  test('is searched by person and by what changed, and leads to the last change of access and of the mapping', async () => {
    const world = wiped();
    const { person } = show(world);
    await row(/^Title set/);
    await person.type(screen.getByRole('searchbox', { name: 'Search person, change or name' }), 'access');
    await screen.findByText('2 of 3 versions');
    await person.clear(screen.getByRole('searchbox'));
    await person.type(screen.getByRole('searchbox'), BEN);
    await waitFor(() => expect(screen.queryByText(/^Title set/)).toBeNull());
    await person.type(screen.getByRole('searchbox'), 'zzz');
    await screen.findByText('No version that was read fits the search.');
    await person.click(screen.getByRole('button', { name: 'Access' }));
    await screen.findByRole('heading', { name: 'Version 2' });
    await screen.findByText('Access: last changed with version 2.');
    await person.click(screen.getByRole('button', { name: 'Path mapping' }));
    await screen.findByText('Path mapping: as it was in the oldest version that is kept.');
  });

  test('says which rule refuses a version, and keeps everything as it is', async () => {
    const world = wiped();
    world.refuse = (call) =>
      call === 'rehearse 1'
        ? historyProblem('VERSION_REFUSED', 409, 'Version 1 breaks a present rule.', [
            { pointer: '/content/source/url', detail: 'Write https.' },
          ])
        : undefined;
    const { person } = show(world);
    await person.click(await row(/^Stored for the first time/));
    await person.click(await screen.findByRole('button', { name: 'Restore version 1…' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Version 1 breaks a present rule.');
    within(alert).getByText('/content/source/url: Write https.');
    expect(await violations()).toEqual([]);
    await person.click(within(alert).getByRole('button', { name: 'Leave it as it is' }));
    await screen.findByRole('button', { name: 'Restore version 1…' });
    expect(world.versions).toHaveLength(3);
  });

  test('a version that takes the administration from oneself needs an explicit yes', async () => {
    const world = wiped();
    const port = { ...world.port };
    Object.assign(world, {
      port: {
        ...port,
        rehearse: async (...[subject, restoring]: Parameters<typeof port.rehearse>) =>
          restoring.confirm
            ? port.rehearse(subject, restoring)
            : { state: 'failed', failure: historyProblem('WOULD_LOCK_OUT', 409, 'You would not be an administrator.') },
      },
    });
    const { person } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await person.click(await screen.findByRole('button', { name: /^Undo this change/ }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('You would lose the administration');
    await person.click(within(alert).getByRole('button', { name: 'I know, and want it nevertheless' }));
    await person.click(await screen.findByRole('button', { name: 'Restore version 1 now' }));
    await screen.findByText('Version 1 is restored.');
  });

  test('what somebody else stored meanwhile is not overwritten, but shown', async () => {
    const world = wiped();
    const { person } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await person.click(await screen.findByRole('button', { name: /^Undo this change/ }));
    await screen.findByRole('button', { name: 'Restore version 1 now' });
    world.store({ ...siteWith([ADA]), title: 'Somebody else’s' });
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('It was changed meanwhile. Look at what restoring would change now.');
    await person.click(within(alert).getByRole('button', { name: 'Look again' }));
    await screen.findByText('Title removed (was Somebody else’s)');
  });

  test('a removed site is brought back', async () => {
    const world = wiped();
    world.store(null, { user: BEN });
    const { person, calls } = show(world);
    await screen.findByText('It is removed. Any version below can be brought back.');
    await person.click(await row(/^Removed Version 4/));
    await person.click(await screen.findByRole('button', { name: 'Undo this change: restore version 3…' }));
    expect(screen.queryByRole('button', { name: 'Restore version 4…' })).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Restore version 3 now' }));
    await row(/^Brought back .*Version 5 .*Current$/);
    expect(calls.restored).toBe(1);
  });

  test('a version gets a name, and another one is deleted after a yes', async () => {
    const world = wiped();
    const { person } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await person.type(await screen.findByRole('textbox', { name: 'Name of this version' }), 'Accident');
    await person.click(screen.getByRole('button', { name: 'Save the name' }));
    await row(/Version 2 .*Accident$/);
    await screen.findByText('The name is saved.');
    await person.click(screen.getByRole('button', { name: 'Delete version 2…' }));
    await screen.findByRole('heading', { name: 'Delete version 2 for good?' });
    expect(world.versions).toHaveLength(3);
    await person.click(screen.getByRole('button', { name: 'Delete version 2' }));
    await screen.findByText('Version 2 is deleted.');
    await row(/^Administrators: ben.builder@example.com removed and 1 more Version 3/);
    await person.click(await row(/Version 3/));
    await screen.findByText('The current version cannot be deleted.');
  });

  test('holds thousands of versions with a screenful in the document, and reads those on the screen alone', async () => {
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

  test('says what could not be read, reads it again, and says where there is nothing', async () => {
    const world = createHistoryWorld();
    world.refuse = () => historyProblem('NOT_AUTHORIZED', 403, 'not authorized');
    const { person, calls } = show(world);
    await screen.findByText('Ask an administrator of the site or of the organization to give you the role “admin”.');
    expect(await violations()).toEqual([]);
    world.refuse = () => ({ kind: 'unreachable' });
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('The configuration service does not answer.');
    world.refuse = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('There is no history yet.');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Back' }));
    expect(calls.closed).toBe(1);
  });

  test('says of a version that it could not be read, and reads it again', async () => {
    const world = wiped();
    world.refuse = (call) => (call === 'version 2' ? { kind: 'unreachable' } : undefined);
    const { person } = show(world);
    await person.click(await row(/^What changed could not be read. Version 2/));
    world.refuse = () => undefined;
    await person.click(await screen.findByRole('button', { name: 'Try again' }));
    await row(/^Administrators: ben/);
  });

  test('speaks German', async () => {
    show(wiped(), 'de-DE');
    await screen.findByRole('heading', { name: 'Verlauf der Site „wknd-de“' });
    await row(/^Administratoren: ben.builder@example.com entfernt Version 2/);
    expect(await violations()).toEqual([]);
  });
});
