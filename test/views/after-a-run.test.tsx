import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage, violations } from './render-page.tsx';
import { createWorld, type World } from './world.ts';

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
function kept(world: World): () => void {
  const { properties, versions, configurationPage } = world;
  const [then, last] = [new Map(properties), versions.at(-1)];
  return () => {
    world.configurationPage = configurationPage;
    properties.clear();
    for (const [name, value] of then) properties.set(name, value);
    versions.push(last);
  };
}

test('What a run came to is said no longer once somebody else has switched the page back', async () => {
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

test('A page that was switched back at the end of the run is not called set up, and the focus is at what is left to do', async () => {
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

test('The end of an undo gives way to the undo of what somebody else has set up since', async () => {
  const world = createWorld();
  const { person } = renderPage(world);
  await person.click(await screen.findByRole('button', enable));
  await screen.findByRole('heading', { name: SET_UP });
  const setUpAnew = kept(world);
  await person.click(screen.getByRole('button', { name: 'Undo setup…' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
  await person.click(screen.getByRole('button', { name: 'Undo setup now' }));
  await screen.findByText('The site “summit” is removed, and the authoring system has its previous values.');
  await screen.findByRole('button', enable);
  setUpAnew();
  await checkNow(person);
  await screen.findByRole('heading', { name: SET_UP });
  await screen.findByRole('button', { name: 'Undo setup…' });
  expect(screen.queryByText(/^The site “summit” is removed/)).toBeNull();
  expect(await violations()).toEqual([]);
});
