import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { createBuildManagementPort } from '@repoless/core/api/sync-port.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { PageProperties } from '@repoless/extension/features/page-properties/PageProperties.tsx';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { BUILDS, createSyncWorld, externalRepository, refused } from './sync-world.ts';
import { createWorld, INFO, PAGE, SERVICE } from './world.ts';
import '@repoless/extension/features/page-properties/ExternalCode.tsx';

const SECRET = 'shown-once-9f3a';

function show(...repositories: ExternalRepository[]) {
  return showWith(false, repositories);
}

/** `links`: the panel can call build management to link repositories. */
function showWith(links: boolean, repositories: readonly ExternalRepository[]) {
  const world = createWorld();
  const around = createSyncWorld([]);
  around.repositories.push(...repositories);
  const { service } = world.ports;
  const stored: unknown[] = [];
  /** The organizations requested from the service. */
  const read: string[] = [];
  const ports = {
    ...world.ports,
    ...(links ? { buildsAt: async (address: string) => createBuildManagementPort(around.ports.clientAt(address)) } : {}),
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
  render(<Page ports={ports} clientAt={around.ports.clientAt} />);
  return { world, around, stored, read, person: userEvent.setup() };
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

  test('offer none of another organization, also where those of this one cannot be read', async () => {
    const { around, person } = show(externalRepository());
    await enabledRadio();
    around.answer = (_method, path) =>
      path.startsWith('/organizations/') ? refused('STORAGE_UNAVAILABLE', 503, 'The storage does not respond.') : undefined;
    await person.type(screen.getByRole('textbox', { name: 'Organization' }), 'x');
    await waitFor(() => expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('disabled', true));
  });

  test('are requested once a name is typed, not at each of its letters', async () => {
    const { around, read, person } = show(externalRepository());
    await enabledRadio();
    const early: string[] = [];
    const asked: string[] = [];
    around.answer = (_method, path) => {
      const org = /^\/organizations\/([^/]+)\//.exec(path)?.[1] ?? '';
      asked.push(org);
      if (!read.includes(org)) early.push(org);
      return undefined;
    };
    await person.type(screen.getByRole('textbox', { name: 'Organization' }), '-demo');
    await waitFor(() => expect(asked).toContain('wknd-demo'));
    expect(early).toEqual([]);
    await waitFor(() => expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('disabled', false));
  });

  test('take none of another program by themselves: the person chooses it', async () => {
    const { person } = show(externalRepository({ programId: '300' }));
    await person.click(await enabledRadio());
    const picker = await screen.findByRole('button', { name: /Repository in build management/ });
    expect(screen.queryByLabelText('One-time secret')).toBeNull();
    await person.click(picker);
    await person.click(await screen.findByRole('option', { name: 'Team site (300/7)' }));
    await screen.findByLabelText('One-time secret');
    expect(screen.getByRole('radio', { name: 'External repository' })).toHaveProperty('checked', true);
  });

  test('take program and repository from build management, and the one-time secret pasted once', async () => {
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

  test('link the repository and store its secret by the same plan, with one press', async () => {
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
