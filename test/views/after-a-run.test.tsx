import { screen, waitFor, within, act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage, violations } from './render-page.tsx';
import { AUTHOR, CALLER, createWorld, problem, type World, INFO, PAGE } from './world.ts';
import { pressEnabled } from './in-surface.tsx';
import { Site } from '@repoless/contract/site.ts';
import type { Rollout } from '@repoless/contract/rollout.ts';
import { siteAccessKind } from '@repoless/core/access/access-kind.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useEdit } from '@repoless/extension/features/access/use-edit.ts';
import { usePreview } from '@repoless/extension/features/rollouts/PrepareRollout.tsx';
import { useBatch } from '@repoless/extension/features/sites/ReviewStep.tsx';
import { rollout, rolloutsPort } from './ports.ts';

const SET_UP = /^This page is set up for repoless/;
const enable = { name: 'Enable repoless' };

/** Reloads the page's situation. */
async function checkNow(person: ReturnType<typeof renderPage>['person']): Promise<void> {
  await person.click(screen.getByRole('link', { name: 'Health' }));
  await person.click(await screen.findByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Check now' })).toHaveProperty('disabled', false));
  await person.click(screen.getByRole('link', { name: 'Setup' }));
}

/** Saves the current state of a page and its site. Returns a function that restores it. */
function snapshot(world: World): () => void {
  const { properties, versions, configurationPage } = world;
  const [then, last] = [new Map(properties), versions.at(-1)];
  return () => {
    world.configurationPage = configurationPage;
    properties.clear();
    for (const [name, value] of then) properties.set(name, value);
    versions.push(last);
  };
}

test('The result of a run is hidden after someone else has switched the page back', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  await person.click(await screen.findByRole('button', enable));
  await screen.findByRole('heading', { name: SET_UP });
  screen.getByText('The site is set up.');
  world.properties.set('projectType', '1');
  await checkNow(person);
  await waitFor(() => expect(screen.queryByText('The site is set up.')).toBeNull());
  expect(screen.queryByRole('heading', { name: SET_UP })).toBeNull();
  expect(await violations()).toEqual([]);
});

test('A page switched back during the run is not called set up, and the focus moves to the planned steps', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  await screen.findByRole('button', enable);
  const { send } = world.ports.authoring;
  Object.assign(world.ports.authoring, {
    send: async (call: Parameters<typeof send>[0]) => {
      const answer = await send(call);
      if (world.properties.get('projectType') === '4') world.properties.set('projectType', '1');
      return answer;
    },
  });
  await person.click(screen.getByRole('button', enable));
  await screen.findByRole('button', { name: 'Finish setup: 1 step' });
  expect(screen.queryByText('The site is set up.')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Planned steps' })));
});

test('The result of an undo is hidden after someone else has set the page up again', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  await person.click(await screen.findByRole('button', enable));
  await screen.findByRole('heading', { name: SET_UP });
  const restoreSetup = snapshot(world);
  await person.click(screen.getByRole('button', { name: 'Undo setup…' }));
  await pressEnabled(person, 'Undo setup now');
  await screen.findByText('The site “summit” is removed, and the authoring system has its previous values.');
  await screen.findByRole('button', enable);
  restoreSetup();
  await checkNow(person);
  await screen.findByRole('heading', { name: SET_UP });
  await screen.findByRole('button', { name: 'Undo setup…' });
  expect(screen.queryByText(/^The site “summit” is removed/)).toBeNull();
  expect(await violations()).toEqual([]);
});

const TIME = '2026-03-04T05:06:07.000Z';

/** The site as another person registers it, with another content source. */
function registered(): Site {
  return Site.parse({
    version: 1,
    name: 'summit',
    created: TIME,
    lastModified: TIME,
    code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.example.com/wknd/wknd' } },
    content: { source: { url: `${AUTHOR}/bin/franklin.delivery/wknd/other/main`, type: 'markup', suffix: '.html' } },
    access: { admin: { role: { admin: [CALLER] } } },
  });
}

test('A plan that another person’s change has extended is shown before it is executed', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  await screen.findByRole('button', enable);
  world.versions.push(registered());
  await person.click(screen.getByRole('button', enable));

  const alert = await screen.findByRole('alert');
  within(alert).getByText('The plan has changed');
  within(alert).getByText('Somebody changed this page or its site after the plan was shown, so the plan is out of date.');
  within(alert).getByText('Review the new plan, then continue.');
  expect(within(alert).queryByRole('button', { name: 'Try again from the failed step' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(alert));
  expect(world.versions).toHaveLength(1);
  expect(world.properties.get('projectType')).toBe('1');
  const step = await screen.findByRole('heading', { level: 3, name: 'Register the site' });
  await waitFor(() => expect(within(step.closest('li') ?? step).queryByText('Will change')).not.toBeNull());
  expect(await violations()).toEqual([]);

  await pressEnabled(person, enable.name);
  await screen.findByRole('heading', { name: /This page is set up/ });
  expect(world.versions).toHaveLength(2);
});

test('A failed run cannot be retried after the settings were edited; the new plan is shown', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  world.refuseWrite = ({ method }) => (method === 'PUT' ? problem('STORAGE_FULL', 507, 'The storage of the service is full.') : undefined);
  await person.click(await screen.findByRole('button', enable));
  await screen.findByRole('button', { name: 'Try again from the failed step' });
  world.refuseWrite = () => undefined;
  const group = await screen.findByRole('group', { name: 'Administrators' });
  await person.type(within(group).getByRole('textbox'), 'grace@example.com{Enter}');
  expect(screen.queryByRole('button', { name: 'Try again from the failed step' })).toBeNull();
  await person.click(screen.getByRole('button', enable));
  await screen.findByRole('heading', { name: /This page is set up/ });
  expect(world.versions.at(-1)?.access?.admin?.role?.admin).toEqual([CALLER, 'grace@example.com']);
});
/** An answer that is held until released. */
function delayed<T>(answer: T) {
  let release = (): void => undefined;
  const promise = new Promise<T>((resolve) => (release = () => resolve(answer)));
  return { promise, release: async () => act(async () => release()) };
}

test('a rollout that starts after its form was closed does not navigate', async () => {
  const answer = delayed<Known<Rollout>>({ state: 'known', value: rollout() });
  const port = rolloutsPort({ start: async () => answer.promise });
  const started: string[] = [];
  const { result, unmount } = renderHook(() => usePreview(port, 'wknd', undefined, (id) => started.push(id)));
  act(() => void result.current.start({ title: 'One', sites: ['summit'], edits: [] }));
  unmount();
  await answer.release();
  expect(started).toEqual([]);
});

test('an entry saved after its form was closed reports nothing about other input', async () => {
  const { service } = createWorld().ports;
  const answer = delayed<Known<unknown>>({ state: 'known', value: {} });
  const reported: boolean[] = [];
  const saved: unknown[] = [];
  const { result, unmount } = renderHook(() =>
    useEdit({
      service: { ...service, send: async () => answer.promise },
      subject: { kind: 'site', organization: 'wknd', name: 'summit' },
      kind: siteAccessKind('wknd', 'summit'),
      read: { base: FIRST },
      onUnsaved: (isUnsaved) => reported.push(isUnsaved),
      onSaved: (_before, after) => saved.push(after),
    }),
  );
  // The messages are loaded first.
  await waitFor(() => expect(result.current).not.toBeNull());
  act(() => void result.current.save(false));
  unmount();
  await answer.release();
  expect(saved).toHaveLength(1);
  expect(reported).toEqual([]);
});

test('a base site that does not answer is no longer requested after its review was closed', async () => {
  const { ports } = createWorld();
  const signals: AbortSignal[] = [];
  const service = { ...ports.service, siteConfigurations: async () => ({ state: 'failed', failure: { kind: 'unreachable' } }) as const };
  const wait = async (_milliseconds: number, signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const context = { author: AUTHOR, ports: { ...ports, service, wait }, page: PAGE, technicalAccount: '', environments: [] };
  const question = { environment: context, organization: 'wknd', info: INFO, base: 'summit', inherited: undefined };
  const { unmount } = renderHook(() => useBatch(question));
  await waitFor(() => expect(signals).toHaveLength(1));
  unmount();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

const FIRST = { value: {}, etag: undefined };
