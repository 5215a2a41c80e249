import { screen, waitFor, within, render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { showRepositories } from './show-sync-status.tsx';
import { createSyncWorld, delivery, externalRepository, externalSite, site, BUILDS, refused } from './sync-world.ts';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { createBuildManagementPort } from '@repoless/core/api/sync-port.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { PageProperties } from '@repoless/extension/features/page-properties/PageProperties.tsx';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { createWorld, INFO, PAGE, SERVICE } from './world.ts';
import '@repoless/extension/features/page-properties/ExternalCode.tsx';

describe('external repositories', () => {
  test('can be onboarded if there is none; invalid fields are reported before the request', async () => {
    const world = createSyncWorld();
    const person = await showRepositories(world);
    await screen.findByText('No external repository has been onboarded yet.');
    await person.click(screen.getByRole('button', { name: 'Onboard a repository…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Team site');
    expect(screen.getByRole('textbox', { name: 'Program' })).toHaveProperty('value', '100');
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://ada:secret@git.example.com/team/site.git');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    screen.getByRole('textbox', { name: 'HTTPS clone address', description: /without a user name/ });
    screen.getByLabelText('Access token', { selector: '[aria-invalid=true]' });
    expect(world.writes).toEqual([]);
    expect(await violations()).toEqual([]);
    await person.clear(screen.getByRole('textbox', { name: 'HTTPS clone address' }));
    await person.type(screen.getByRole('textbox', { name: 'HTTPS clone address' }), 'https://git.example.com/team/site.git');
    await person.type(screen.getByLabelText('Access token'), 'token-of-ada');
    await person.click(screen.getByRole('button', { name: 'Onboard' }));
    const steps = await screen.findByRole('list', { name: 'Onboarding' });
    within(steps).getByText('being checked');
    expect(document.body.textContent).not.toContain('token-of-ada');
    expect(await violations()).toEqual([]);
  });

  test('are linked to another site after a warning about revocation; the secret is shown once and stored with the site that holds it', async () => {
    const world = createSyncWorld([externalSite('summit', true), site('summit-fr')]);
    world.repositories.push(
      externalRepository({ link: { site: 'summit', linked: '2026-03-04T05:06:07.000Z', linkedBy: 'ada.admin@example.com' } }),
    );
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    const field = await screen.findByRole('combobox', { name: 'Site' });
    await person.clear(field);
    await person.type(field, 'summit-fr{Escape}');
    await press(person, 'Link…', 'Cancel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Link…' }));
    await person.click(screen.getByRole('button', { name: 'Link…' }));
    const question = screen.getByRole('group', { name: 'Link the repository to “summit-fr”?' });
    within(question).getByText(/The secret of “summit” is revoked immediately/);
    expect(world.writes).toEqual([]);
    expect(await violations()).toEqual([]);
    await person.click(within(question).getByRole('button', { name: 'Link now' }));
    const once = await screen.findByRole('group', { name: 'The new secret, shown only once' });
    within(once).getByText('one-time-secret');
    expect(await violations()).toEqual([]);
    await person.type(within(once).getByLabelText('Last day (optional)'), '2999-01-31');
    await person.click(within(once).getByRole('button', { name: 'Store it with “summit”' }));
    await within(once).findByText('Stored with “summit”. Sync its code now.');
    expect(world.writes.at(-1)).toEqual({
      call: 'POST /config/wknd/sites/summit/secrets/cm-byog.json',
      body: { value: 'one-time-secret', expires: new Date('2999-01-31T23:59:59').toISOString() },
    });
    await person.click(within(once).getByRole('button', { name: 'I have copied it' }));
    expect(document.body.textContent).not.toContain('one-time-secret');
  });

  test('become the code of their first site: its code source is set, then the secret', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.type(await screen.findByRole('combobox', { name: 'Site' }), 'summit{Escape}');
    await press(person, 'Link…', 'Link now', 'Use the repository for “summit” and store it');
    await waitFor(() =>
      expect(world.writes.map(({ call }) => call)).toEqual([
        'PUT /organizations/wknd/repositories/7/link',
        'POST /config/wknd/sites/summit/code.json',
        'POST /config/wknd/sites/summit/secrets/cm-byog.json',
      ]),
    );
  });

  test('have a webhook whose credentials are shown once, and deliveries that can be sent again', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    world.deliveries = [delivery({ outcome: 'refused', changes: [], detail: 'The signature is wrong.' })];
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /^Team site.*linked/i }));
    await person.click(await screen.findByRole('button', { name: 'Create the webhook' }));
    const once = await screen.findByRole('group', { name: 'The webhook’s credentials, shown only once' });
    within(once).getByText('webhook-secret');
    within(once).getByText(/Secret token/);
    expect(await violations()).toEqual([]);
    await person.click(within(once).getByRole('button', { name: 'I have entered them' }));
    expect(document.body.textContent).not.toContain('webhook-secret');
    screen.getByText('The signature is wrong.');
    await person.click(screen.getByRole('button', { name: 'Send again: Push Hook no branch' }));
    await waitFor(() => expect(world.writes.at(-1)?.call).toMatch(/resend$/));
  });
});
const SECRET = 'shown-once-9f3a';

function show(...repositories: ExternalRepository[]) {
  return showWith(false, repositories);
}

/** `links`: the panel can call build management to link repositories. */
function showWith(links: boolean, repositories: readonly ExternalRepository[]) {
  const world = createWorld();
  const syncWorld = createSyncWorld([]);
  syncWorld.repositories.push(...repositories);
  const { service } = world.ports;
  const stored: unknown[] = [];
  /** The organizations requested from the service. */
  const read: string[] = [];
  const ports = {
    ...world.ports,
    ...(links ? { buildsAt: async (address: string) => createBuildManagementPort(syncWorld.ports.clientAt(address)) } : {}),
    service: {
      ...service,
      organization: async (org: string) => {
        read.push(org);
        return service.organization(org);
      },
      info: async () => ({ state: 'known', value: { ...INFO, buildManagement: BUILDS } }) as const,
      send: async (call: Parameters<typeof service.send>[0]) => {
        if (call.body?.type !== 'secret') return service.send(call);
        stored.push([call.address, call.body.value.reveal()]);
        return { state: 'known', value: {} } as const;
      },
      secret: async () =>
        stored.length === 0
          ? ({ state: 'missing' } as const)
          : ({ state: 'known', value: { id: 'cm-byog', type: 'key', created: '', lastModified: '' } } as const),
    },
  };
  render(<Page ports={ports} clientAt={syncWorld.ports.clientAt} />);
  return { world, syncWorld, stored, read, person: userEvent.setup() };
}

function Page(props: Pick<Parameters<typeof PageProperties>[0], 'ports' | 'clientAt'>) {
  const [edits, setEdits] = useState(NO_EDITS);
  return (
    <Surface locale="en-US" theme="light" standAlone={false}>
      <PageProperties {...props} path={PAGE} service={SERVICE} edits={edits} onEdit={setEdits} onSignedOut={() => undefined} />
    </Surface>
  );
}

/** The choice of an external repository, once one is ready. */
async function enabledRadio(): Promise<HTMLElement> {
  const radio = await screen.findByRole('radio', { name: 'External repository' });
  await waitFor(() => expect(radio).toHaveProperty('disabled', false));
  return radio;
}

describe('page properties of a site on an external repository', () => {
  test('offer none while none is ready', async () => {
    show();
    await screen.findByText(/No external repository is ready/, undefined, { timeout: 15_000 });
    expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
  });

  test('offer none of another organization, even if those of this one cannot be read', async () => {
    const { syncWorld, person } = show(externalRepository());
    await enabledRadio();
    syncWorld.answer = (_method, path) =>
      path.startsWith('/organizations/') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    await person.type(screen.getByRole('textbox', { name: 'Organization' }), 'x');
    await waitFor(() => expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('disabled', true));
  });

  test('request them once for a typed name, not for each letter', async () => {
    const { syncWorld, read, person } = show(externalRepository());
    await enabledRadio();
    const early: string[] = [];
    const requested: string[] = [];
    syncWorld.answer = (_method, path) => {
      const org = /^\/organizations\/([^/]+)\//.exec(path)?.[1] ?? '';
      requested.push(org);
      if (!read.includes(org)) early.push(org);
      return undefined;
    };
    await person.type(screen.getByRole('textbox', { name: 'Organization' }), '-demo');
    await waitFor(() => expect(requested).toContain('wknd-demo'));
    expect(early).toEqual([]);
    await waitFor(() => expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('disabled', false));
  });

  test('choose none of another program automatically', async () => {
    const { person } = show(externalRepository({ programId: '300' }));
    await person.click(await enabledRadio());
    const picker = await screen.findByRole('button', { name: /Repository in build management/ });
    expect(screen.queryByLabelText('One-time secret')).toBeNull();
    await person.click(picker);
    await person.click(await screen.findByRole('option', { name: 'Team site (300/7)' }));
    await screen.findByLabelText('One-time secret');
    expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('checked', true);
  });

  test('read program and repository from build management, and the one-time secret pasted once', async () => {
    const { world, stored, person } = show(externalRepository());
    await screen.findByRole('button', { name: 'Enable repoless' });
    await person.click(await enabledRadio());
    await screen.findByText(
      /^The secret of the external repository is not stored yet, and build management makes one for registered sites only\.$/,
    );
    expect(screen.getByRole('button', { name: 'Enable repoless' })).toHaveProperty('disabled', true);
    await person.type(screen.getByLabelText('One-time secret'), SECRET);
    expect(screen.getByLabelText('One-time secret').getAttribute('type')).toBe('password');
    await person.click(screen.getByRole('switch', { name: 'Technical details' }));
    const step = screen.getByRole('heading', { level: 3, name: 'Store the secret of the external repository' }).closest('li');
    within(step ?? document.body).getByText(/"\[sealed\]"/);
    expect(document.body.textContent).not.toContain(SECRET);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Enable repoless' }));
    await screen.findByRole('heading', { name: /This page is set up for repoless/ });
    expect(stored).toEqual([['/config/wknd/sites/summit/secrets/cm-byog.json', SECRET]]);
    expect(world.versions.at(-1)?.code).toMatchObject({ owner: '100', repo: '7', source: { type: 'byogit', secretId: 'cm-byog' } });
    await waitFor(() => expect(screen.getByLabelText('One-time secret')).toHaveProperty('value', ''));
    expect(document.body.textContent).not.toContain(SECRET);
  });

  test('link the repository and store its secret in the same plan, with one press', async () => {
    const { world, stored, person } = showWith(true, [externalRepository()]);
    await person.click(await enabledRadio());
    const steps = await screen.findByRole('list', { name: 'Planned steps' });
    await within(steps).findByRole('heading', { name: 'Link the external repository' });
    expect(screen.queryByText(/Open “Sync status”/)).toBeNull();
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Enable repoless' }));
    await screen.findByRole('heading', { name: /This page is set up for repoless/ });
    expect(stored).toEqual([['/config/wknd/sites/summit/secrets/cm-byog.json', expect.any(String)]]);
    expect(world.versions.at(-1)?.code).toMatchObject({ owner: '100', repo: '7' });
  });
});
