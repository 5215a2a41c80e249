import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { groupsIn, renderPage, violations } from './render-page.tsx';
import { CALLER, createWorld, problem } from './world.ts';
import { pressEnabled } from './in-surface.tsx';

const enable = { name: 'Enable repoless' };
const REFUSED = { type: 'about:blank', title: '', status: 403, detail: '', requestId: 'r-1' };

describe('page properties of a site root', () => {
  test('show each value with its source, and the plan with every step', async () => {
    renderPage(createWorld());
    await screen.findByRole('heading', { level: 1, name: 'Summit School' });
    const settings = screen.getByRole('region', { name: 'Settings' });
    within(settings).getByText('not repoless (1)');
    expect(within(settings).getAllByText('from the configuration /conf/summit').length).toBeGreaterThan(0);
    within(settings).getByText('/content/summit/configuration');
    within(settings).getByText('proposed');
    const steps = screen.getByRole('list', { name: 'Planned steps' });
    expect(groupsIn(steps)).toEqual(['Prepare: 2 to do', 'Register: 4 to do', 'Verify: 4 to do', 'Switch: 3 to do']);
    const titles = within(steps).getAllByRole('heading', { level: 3 });
    expect(titles).toHaveLength(17);
    expect(titles.at(-1)?.textContent).toBe('Switch the project type to repoless');
    within(steps).getByText('Will change');
    expect(await violations()).toEqual([]);
  });

  test('enable repoless with one button: every step succeeds, the project type is switched, the focus is on the result', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', enable));
    const line = await screen.findByRole('heading', { name: 'This page is set up for repoless as site “summit” of “wknd”.' });
    await waitFor(() => expect(document.activeElement).toBe(line));
    expect(world.properties.get('projectType')).toBe('4');
    expect(world.versions).toHaveLength(1);
    expect(world.configurationPage).toBe(true);
    screen.getByRole('link', { name: 'https://main--summit--wknd.preview.example.com' });
    expect(screen.getByRole('link', { name: 'Open the live site' }).getAttribute('href')).toBe(
      'https://main--summit--wknd.live.example.com',
    );
    expect(groupsIn(screen.getByRole('list', { name: 'Completed steps' }))).toEqual([
      'Prepare: Done',
      'Register: Done',
      'Verify: Done',
      'Switch: Done',
    ]);
    expect(screen.getByRole('heading', { name: 'Settings' }).closest('details')?.open).toBe(false);
    expect(screen.queryByRole('button', enable)).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('show requests and checks only with technical details, and never for a step that is not due', async () => {
    const { person } = renderPage(createWorld());
    await screen.findByRole('button', enable);
    expect(screen.queryByText(/^PUT /)).toBeNull();
    await person.click(screen.getByRole('switch', { name: 'Technical details' }));
    screen.getByText(/^PUT https:\/\/admin.example.com\/config\/wknd\/sites\/summit.json/);
    const verify = screen.getByRole('heading', { name: 'Verify the live host' }).closest('li');
    expect(within(verify ?? document.body).queryByText(/404/)).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('show the progress of a run, and stop it between steps', async () => {
    const world = createWorld();
    let open = (): void => undefined;
    world.gate = new Promise((resolve) => (open = resolve));
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', enable));
    const bar = await screen.findByRole('progressbar', { name: 'Setting up the site' });
    await waitFor(() => expect(bar.getAttribute('aria-valuetext')).toBe('4 of 17'));
    expect(screen.queryByRole('link', { name: /^All sites/ })).toBeNull();
    await person.click(screen.getByRole('link', { name: /^Health/ }));
    expect(screen.queryByRole('progressbar', { name: 'Setting up the site' })).toBeNull();
    await person.click(screen.getByRole('link', { name: 'Setup' }));
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Stop' }));
    open();
    const continueButton = await screen.findByRole('button', { name: 'Continue' });
    expect(world.properties.get('projectType')).toBe('1');
    expect(await violations()).toEqual([]);
    screen.getByRole('link', { name: /^All sites/ });
    await person.click(continueButton);
    await screen.findByRole('heading', { name: /This page is set up/ });
  });

  test('show what failed and what to do, and continue from there', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    world.refuseWrite = ({ method }) =>
      method === 'PUT' ? problem('STORAGE_FULL', 507, 'The storage of the service is full.') : undefined;
    await person.click(await screen.findByRole('button', enable));
    const alert = await screen.findByRole('alert');
    await waitFor(() => expect(document.activeElement).toBe(alert));
    within(alert).getByText('“Register the site” failed');
    within(alert).getByText('The storage of the service is full.');
    within(alert).getByText(/Tell the operator of the configuration service/);
    expect(world.properties.get('projectType')).toBe('1');
    expect(await violations()).toEqual([]);
    world.refuseWrite = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Try again from the failed step' }));
    await screen.findByRole('heading', { name: /This page is set up/ });
    expect(world.versions).toHaveLength(1);
  });

  test('name who has locked a page, before anything is written', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    world.lockedBy = 'otto@example.com';
    await person.click(await screen.findByRole('button', enable));
    const alert = await screen.findByRole('alert');
    within(alert).getByText(/ is locked by otto@example\.com in the authoring system\.$/);
    within(alert).getByText(/^Ask otto@example\.com to unlock it, then try again\./);
    expect([world.versions, world.configurationPage]).toEqual([[], false]);
    expect(await violations()).toEqual([]);
    world.lockedBy = undefined;
    await person.click(within(alert).getByRole('button', { name: 'Try again from the failed step' }));
    await screen.findByRole('heading', { name: /This page is set up/ });
  });

  test('name the unreadable system once, and that nothing was changed', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    await screen.findByRole('button', enable);
    const detail = 'Could not check https://github.example.com/wknd/wknd on the code host.';
    const { code } = world;
    world.code = { ...code, repository: 'unreachable', detail };
    await person.click(screen.getByRole('button', enable));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Couldn’t read the current state. Nothing was changed.');
    expect(screen.getAllByText(detail, { exact: false })).toHaveLength(1);
    expect(screen.queryByText('Failed')).toBeNull();
    expect(await violations()).toEqual([]);
    world.code = code;
    await person.click(within(alert).getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: /This page is set up/ });
  });

  test('confirm completed steps after the end of a sign-in interrupted a run', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    world.refuseWrite = ({ method }) => (method === 'PUT' ? problem('NOT_AUTHENTICATED', 401, 'The token has ended.') : undefined);
    await person.click(await screen.findByRole('button', enable));
    within(await screen.findByRole('alert')).getByText('Sign in again. Completed steps are kept.');
  });

  test('preserve the last values when a refresh fails', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    await screen.findByRole('button', enable);
    world.refuse = () => ({ kind: 'unreachable' });
    await person.click(screen.getByRole('link', { name: 'Health' }));
    await person.click(await screen.findByRole('button', { name: 'Check now' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The configuration service does not respond.');
    expect(within(alert).queryByText(/Completed steps/)).toBeNull();
    screen.getByRole('heading', { level: 1, name: 'Summit School' });
    expect(await violations()).toEqual([]);
    world.refuse = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('undo everything from the same panel, after showing the plan of the undo', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', enable));
    await screen.findByRole('heading', { name: /This page is set up/ });
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Undo setup' }));
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Keep the setup' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo setup…' }));
    await person.click(screen.getByRole('button', { name: 'Undo setup…' }));
    // The button waits for a read of what is deleted with the site.
    await pressEnabled(person, 'Undo setup now');
    await screen.findByRole('button', enable);
    expect(world.properties.get('projectType')).toBe('1');
    expect(world.versions.at(-1)).toBeUndefined();
    expect(world.configurationPage).toBe(false);
  });

  test('name blocked steps and who can help, without the button', async () => {
    const world = createWorld();
    world.configurationInherited = true;
    renderPage(world);
    await screen.findAllByText(/The cloud configuration is inherited from \/content\/wknd/);
    expect(screen.getByRole('button', enable)).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
  });

  test('help to claim the organization by committing a file, then the plan continues', async () => {
    const world = createWorld();
    world.claimed = false;
    const { person } = renderPage(world);
    const claim = await screen.findByRole('region', { name: 'Claim the organization “wknd”' });
    expect(screen.queryByRole('button', enable)).toBeNull();
    await person.click(within(claim).getByRole('button', { name: 'Get the file' }));
    await within(claim).findByText('proof-of-ada');
    expect(await violations()).toEqual([]);
    world.committed = true;
    await person.click(within(claim).getByRole('button', { name: 'Check the committed file' }));
    await person.click(await screen.findByRole('button', enable));
    await screen.findByRole('heading', { name: /This page is set up/ });
    expect(world.claimed).toBe(true);
  });

  test('tell a user without a role who they are, who can help and how to ask, and show no plan', async () => {
    const world = createWorld();
    const data = { caller: CALLER, grantedBy: 'otto.org@example.com' };
    const failure = { kind: 'refused', status: 403, problem: { ...REFUSED, code: 'NOT_AUTHORIZED', data } } as const;
    Object.assign(world.ports.service, { site: async () => ({ state: 'failed', failure }) });
    const { person } = renderPage(world);
    const denied = () => screen.findByRole('region', { name: 'You don’t have permission for the site “summit”' });
    const region = await denied();
    within(region).getByText(CALLER);
    within(region).getByText('otto.org@example.com');
    within(region).getByText(/^Hello, please give me a role on the site “summit” of “wknd” .* My account: ada\.admin@example\.com$/);
    within(region).getByRole('button', { name: 'Copy: Text to ask with' });
    expect(screen.queryByRole('list', { name: 'Planned steps' })).toBeNull();
    expect(screen.queryByText('Blocked')).toBeNull();
    expect(await violations()).toEqual([]);
    // Missing read permission is reported once, and is not a finding.
    await person.click(screen.getByRole('link', { name: /^Health/ }));
    await denied();
    const shown = within(await screen.findByRole('region', { name: 'Check this site' }));
    shown.getByRole('heading', { name: 'Check this site' });
    expect(shown.queryByRole('heading', { name: 'Your admin access', hidden: true })).toBeNull();
    expect(shown.queryByText('Unknown')).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('do not offer to claim the organization of a served site', async () => {
    const world = createWorld();
    world.claimed = false;
    Object.assign(world.ports.hosts, { config: async (address: string) => ({ address, status: 401, answer: { state: 'missing' } }) });
    renderPage(world);
    await screen.findByRole('region', { name: 'You have no role in the organization “wknd”' });
    expect(screen.queryByRole('region', { name: /^Claim/ })).toBeNull();
    expect(screen.queryByText('Changed since verified')).toBeNull();
  });

  test('show a reason that blocks several steps once, above the waiting steps', async () => {
    const world = createWorld();
    world.code = { ...world.code, repository: 'missing' };
    const { person } = renderPage(world);
    const blocks = await screen.findByRole('group', { name: /^Some steps are blocked/ });
    within(blocks).getByText(/^The code host has no repository/);
    expect(screen.getAllByText(/^The code host has no repository/)).toHaveLength(1);
    const steps = screen.getByRole('list', { name: 'Planned steps' });
    expect(groupsIn(steps)[0]).toMatch(/: Blocked$/);
    expect(
      groupsIn(steps)
        .slice(1)
        .every((group) => group.endsWith(': Waiting')),
    ).toBe(true);
    expect(await violations()).toEqual([]);
    await person.click(within(blocks).getByRole('button', { name: 'Go to “Code repository”' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Code repository' }));
    world.code = { ...world.code, repository: 'found' };
    await person.click(within(blocks).getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.getByRole('button', enable)).toHaveProperty('disabled', false));
  });

  test('report an invalid field before the request', async () => {
    const world = createWorld();
    const { person } = renderPage(world);
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    await person.clear(name);
    await person.type(name, 'Summit');
    screen.getByRole('textbox', { name: 'Site name', description: /has uppercase letters; write "summit"/ });
    expect(screen.getByRole('button', enable)).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Use “summit”' }));
    expect(name).toHaveProperty('value', 'summit');
    expect(screen.getByRole('button', enable)).toHaveProperty('disabled', false);
  });

  test('edit a list of administrators', async () => {
    const { person } = renderPage(createWorld());
    const group = await screen.findByRole('group', { name: 'Administrators' });
    await person.type(within(group).getByRole('textbox'), 'grace@example.com{Enter}');
    within(group).getByText('grace@example.com');
    within(group).getByText('grace@example.com added.', { selector: '[role=status]' });
    await person.type(within(group).getByRole('textbox'), 'ADA.admin@example.com{Enter}');
    within(group).getByText('ADA.admin@example.com is already in the list.');
    const field = within(group).getByRole('textbox', { name: 'E-mail address of another administrator' });
    await person.click(within(group).getByRole('button', { name: 'Remove ada.admin@example.com' }));
    expect(document.activeElement).toBe(field);
    within(group).getByText('ada.admin@example.com removed.', { selector: '[role=status]' });
    await person.click(within(group).getByRole('button', { name: 'Remove grace@example.com' }));
    within(group).getByText('Add at least one administrator.');
    expect(screen.getByRole('button', enable)).toHaveProperty('disabled', true);
  });

  test('report a missing page, and reload', async () => {
    const world = createWorld();
    world.pageExists = false;
    const { person } = renderPage(world);
    await screen.findByText(/The page \/content\/summit doesn’t exist/);
    expect(await violations()).toEqual([]);
    world.pageExists = true;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', enable)).toHaveProperty('disabled', false);
  });

  test('ask to sign in again after the sign-in has ended', async () => {
    const world = createWorld();
    world.refuse = () => problem('NOT_AUTHENTICATED', 401, 'not authenticated');
    const { person, calls } = renderPage(world);
    await person.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(calls.signedOut).toBe(1);
    expect(await violations()).toEqual([]);
  });

  test('check the site by what the author sees', async () => {
    const { person } = renderPage(createWorld());
    await person.click(await screen.findByRole('link', { name: 'Health' }));
    const check = await screen.findByRole('region', { name: 'Check this site' });
    await person.click(within(check).getByRole('radio', { name: 'config.json returns 404' }));
    const first = within(check).getByRole('list', { name: 'Most likely cause' });
    expect(within(first).getAllByRole('heading')[0]?.textContent).toBe('Registration');
    expect(await violations()).toEqual([]);
  });

  test('are German if the host is: settings, steps, reasons, findings and the run', async () => {
    const world = createWorld();
    const { person } = renderPage(world, 'de-CH');
    const settings = await screen.findByRole('region', { name: 'Einstellungen' });
    within(settings).getByText('nicht repoless (1)');
    expect(within(settings).getAllByText('aus der Konfiguration /conf/summit').length).toBeGreaterThan(0);
    const steps = screen.getByRole('list', { name: 'Geplante Schritte' });
    expect(within(steps).getAllByRole('heading', { level: 3 }).at(-1)?.textContent).toBe('Projekttyp auf repoless umschalten');
    await person.click(screen.getByRole('link', { name: 'Zustand' }));
    await person.click(await screen.findByRole('radio', { name: 'config.json antwortet mit 404' }));
    const first = screen.getByRole('list', { name: 'Wahrscheinlichste Ursache' });
    expect(within(first).getAllByRole('heading')[0]?.textContent).toBe('Registrierung');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('link', { name: 'Einrichtung' }));
    world.refuseWrite = ({ target }) =>
      target === 'service' ? problem('PRECONDITION_FAILED', 412, 'It was changed in the meantime.') : undefined;
    await person.click(screen.getByRole('button', { name: 'Repoless aktivieren' }));
    await screen.findAllByText('Jemand anderes ändert diese Site immer wieder.');
    world.refuseWrite = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Ab dem fehlgeschlagenen Schritt noch einmal versuchen' }));
    await screen.findByRole('heading', { name: 'Diese Seite ist als Site „summit“ von „wknd“ für repoless eingerichtet.' });
    expect(document.body.textContent).not.toMatch(/\b(?:the|and|what|with|this)\b/i);
    expect(await violations()).toEqual([]);
  });

  test('fit a very long title and a missing account', async () => {
    const world = createWorld();
    world.title = 'Grundschulverwaltungsgemeinschaft'.repeat(6);
    world.technicalAccount = undefined;
    renderPage(world, 'en-US', 'dark');
    await screen.findByText('The technical account is unknown.');
    screen.getByRole('textbox', { name: 'Technical account', description: /Publishing does not work without it/ });
    expect(await violations()).toEqual([]);
  });
});
