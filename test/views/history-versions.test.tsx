import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { historyProblem } from './history-world.ts';
import { ADA, BEN, row, show, siteWith, wiped } from './render-history.tsx';
import { violations } from './render-page.tsx';

describe('the history view', () => {
  test('undoes a change made by mistake, and preserves later ones', async () => {
    const world = wiped();
    const { person, calls } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await person.click(await screen.findByRole('button', { name: 'Undo this change…' }));
    const would = await screen.findByRole('list', { name: /^Undoing the change of version 2 would make these changes/ });
    expect(
      within(would)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Administrators: ben.builder@example.com added']);
    expect(world.versions).toHaveLength(3);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Undo the change of version 2 now' }));
    await screen.findByText('The change of version 2 was undone. Later changes are kept.');
    expect(world.versions[0]?.data).toMatchObject({ title: 'Tarnfell', access: { admin: { role: { admin: [ADA, BEN] } } } });
    expect(calls.restored).toBe(1);
  });

  test('does not undo a change that was overridden later; restoring warns that it undoes later changes too', async () => {
    const world = wiped();
    world.store({ ...siteWith([BEN]), title: 'Tarnfell' });
    const { person } = show(world);
    await person.click(await row(/^Administrators: ben.builder@example.com removed Version 2/));
    await person.click(await screen.findByRole('button', { name: 'Undo this change…' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The change of version 2 can’t be undone on its own');
    within(alert).getByText('Access');
    within(alert).getByText('To go back all the way, restore version 1. That undoes the later changes too.');
    expect(await violations()).toEqual([]);
    await person.click(within(alert).getByRole('button', { name: 'Restore version 1…' }));
    await screen.findByText('Title removed (was Tarnfell)');
    expect(world.versions).toHaveLength(4);
  });

  test('shows the effect of restoring first, and the new version names its source', async () => {
    const world = wiped();
    const { person, calls } = show(world);
    await person.click(await row(/^Stored for the first time/));
    await screen.findByRole('heading', { name: 'Version 1' });
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Restore version 1…' }));
    const would = await screen.findByRole('list', { name: 'Restoring version 1 would make these changes:' });
    expect(
      within(would)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Administrators: ben.builder@example.com added', 'Title removed (was Tarnfell)']);
    expect(world.versions).toHaveLength(3);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    const done = await screen.findByText('Version 1 was restored.');
    await waitFor(() => expect(done.closest('[role="status"]')).toBe(document.activeElement));
    await row(/^Administrators: ben.builder@example.com added and 1 more Version 4 .*Restored from version 1 Current$/);
    expect(calls.restored).toBe(1);
    expect(world.versions[0]?.data).toMatchObject({ access: { admin: { role: { admin: [ADA, BEN] } } } });
    expect(await violations()).toEqual([]);
  });

  test('shows which rule refuses a version, and changes nothing', async () => {
    const world = wiped();
    world.refuse = (call) =>
      call === 'dryRun 1'
        ? historyProblem('VERSION_REFUSED', 409, 'Version 1 breaks a current rule.', [
            { pointer: '/content/source/url', detail: 'Write https.' },
          ])
        : undefined;
    const { person } = show(world);
    await person.click(await row(/^Stored for the first time/));
    await person.click(await screen.findByRole('button', { name: 'Restore version 1…' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Version 1 breaks a current rule.');
    within(alert).getByText('/content/source/url: Write https.');
    expect(await violations()).toEqual([]);
    await person.click(within(alert).getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('button', { name: 'Restore version 1…' });
    expect(world.versions).toHaveLength(3);
  });

  test('asks for confirmation before a version removes one’s own administration', async () => {
    const world = wiped();
    const port = { ...world.port };
    Object.assign(world, {
      port: {
        ...port,
        dryRun: async (...[subject, restoring]: Parameters<typeof port.dryRun>) => {
          if (!restoring.confirm)
            return { state: 'failed', failure: historyProblem('WOULD_LOCK_OUT', 409, 'You would not be an administrator.') };
          const dryRun = await port.dryRun(subject, restoring);
          const consequences = [{ what: { kind: 'yourself' }, grave: true, sites: [] }];
          return dryRun.state === 'known' ? { ...dryRun, value: { ...dryRun.value, consequences } } : dryRun;
        },
      },
    });
    const { person } = show(world);
    await person.click(await row(/^Stored for the first time/));
    await person.click(await screen.findByRole('button', { name: 'Restore version 1…' }));
    await screen.findByText(/^You would no longer be an administrator/);
    expect(screen.getByRole('button', { name: 'Restore version 1 now' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    await screen.findByText('Version 1 was restored.');
  });

  test('shows someone else’s concurrent version instead of overwriting it', async () => {
    const world = wiped();
    const { person } = show(world);
    await person.click(await row(/^Stored for the first time/));
    await person.click(await screen.findByRole('button', { name: 'Restore version 1…' }));
    await screen.findByRole('button', { name: 'Restore version 1 now' });
    world.store({ ...siteWith([ADA]), title: 'Somebody else’s' });
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('It was changed in the meantime. Review what restoring would change now.');
    await person.click(within(alert).getByRole('button', { name: 'Review again' }));
    await screen.findByText('Title removed (was Somebody else’s)');
  });

  test('restores a removed site', async () => {
    const world = wiped();
    world.store(null, { user: BEN });
    const { person, calls } = show(world);
    await screen.findByText('Removed. You can restore any version below.');
    await person.click(await row(/^Removed Version 4/));
    await person.click(await screen.findByRole('button', { name: 'Undo this change: restore version 3…' }));
    expect(screen.queryByRole('button', { name: 'Restore version 4…' })).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Restore version 3 now' }));
    await row(/^Stored again after its removal .*Version 5 .*Current$/);
    expect(calls.restored).toBe(1);
  });

  test('names a version, and deletes another one after confirmation', async () => {
    const world = wiped();
    const { person } = show(world);
    await person.click(await row(/^Administrators: ben/));
    await person.type(await screen.findByRole('textbox', { name: 'Name of this version' }), 'Accident');
    await person.click(screen.getByRole('button', { name: 'Save the name' }));
    await row(/Version 2 .*Accident$/);
    await screen.findByText('The name was saved.');
    await person.click(screen.getByRole('button', { name: 'Delete version 2…' }));
    await screen.findByRole('heading', { name: 'Permanently delete version 2?' });
    expect(world.versions).toHaveLength(3);
    await person.click(screen.getByRole('button', { name: 'Delete version 2' }));
    await screen.findByText('Version 2 was deleted.');
    await row(/^Administrators: ben.builder@example.com removed and 1 more Version 3/);
    await person.click(await row(/Version 3/));
    await screen.findByText('The current version can’t be deleted.');
  });
});
