import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Site } from '@repoless/contract/site.ts';
import { renderPage, violations } from './render-page.tsx';
import { AUTHOR, CALLER, createWorld, problem } from './world.ts';

const enable = { name: 'Enable repoless' };
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

test('A plan that somebody else’s change made write more is shown before that is written, and carried out then', async () => {
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

  await waitFor(() => expect(screen.getByRole('button', enable)).toHaveProperty('disabled', false));
  await person.click(screen.getByRole('button', enable));
  await screen.findByRole('heading', { name: /This page is set up/ });
  expect(world.versions).toHaveLength(2);
});

test('A run that failed is not tried again with settings that were edited since: their plan is shown', async () => {
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
