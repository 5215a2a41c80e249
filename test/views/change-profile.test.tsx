import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { createRolloutsPort } from '@repoless/core/api/organization-ports.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { ChangeProfile } from '@repoless/extension/features/rollouts/ChangeMany.tsx';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { clientOf } from './access-world.tsx';
import { renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';

const THEIRS = { '/**': [{ key: 'x-theirs', value: '1' }] };

const backend = startBeforeAll(() => startTestBackend());

/** Each test has its own profile, because a rollout may outlast a test, and a site that extends it. */
let name = '';
let count = 0;
beforeEach(async () => {
  name = `shared-${++count}`;
  await put({ robots: { txt: 'zero' } });
  const body = siteBody('wknd', `site-${count}`, { extends: { profile: name } });
  expect((await backend.call('PUT', `/config/wknd/sites/site-${count}.json?confirm=true`, { as: OPERATOR, body })).status).toBe(201);
});

const address = () => `/config/wknd/profiles/${name}.json`;

async function put(profile: Readonly<Record<string, unknown>>): Promise<void> {
  const { status } = await backend.call('PUT', `${address()}?replace=true`, { as: OPERATOR, body: { version: 1, name, ...profile } });
  expect([200, 201]).toContain(status);
}

const stored = async () => (await backend.call('GET', address(), { as: OPERATOR })).json();
const text = () => screen.findByRole('textbox', { name: /^Configuration/ });

async function show() {
  const client = clientOf(backend.address, await backend.token(OPERATOR));
  const started: string[] = [];
  const { person } = renderInSurface(
    <ChangeProfile
      port={createRolloutsPort(client)}
      history={createServicePort(client).history}
      organization="wknd"
      profile={name}
      onCancel={() => undefined}
      onStarted={(id) => started.push(id)}
    />,
  );
  await person.clear(await text());
  await person.click(await text());
  await person.paste('{ "robots": { "txt": "mine" } }');
  await person.type(screen.getByRole('textbox', { name: /^Title/ }), 'Robots');
  return { person, started, press: async (name: RegExp) => person.click(await screen.findByRole('button', { name })) };
}

test('A profile changed by someone else is reloaded before its preview, and the text is merged into it', async () => {
  const { press, started } = await show();
  await put({ robots: { txt: 'zero' }, headers: THEIRS });
  await press(/^Preview on every site/);
  await screen.findByText(/^The text was refreshed/);
  expect(JSON.parse((await text()).textContent ?? '')).toEqual({ robots: { txt: 'mine' }, headers: THEIRS });
  await press(/^Preview/);
  await press(/^Start on 1 site/);
  await waitFor(() => expect(started).toHaveLength(1));
  await waitFor(async () => expect(await stored()).toMatchObject({ robots: { txt: 'mine' }, headers: THEIRS }));
});

test('A profile changed by someone else after the preview is previewed again before the start', async () => {
  const { press, started } = await show();
  await press(/^Preview on every site/);
  await screen.findByRole('button', { name: 'Start on 1 site' });
  await put({ robots: { txt: 'theirs' }, headers: THEIRS });
  await press(/^Start on 1 site/);
  const alert = await screen.findByRole('alert');
  await within(alert).findByText(/^The text was refreshed/);
  within(alert).getByText('Somebody else changed the profile in the meantime.');
  expect(within(alert).queryByText(/read it again/)).toBeNull();
  expect(started).toEqual([]);
  await press(/^Preview/);
  await press(/^Start on 1 site/);
  await waitFor(() => expect(started).toHaveLength(1));
  await waitFor(async () => expect(await stored()).toMatchObject({ robots: { txt: 'mine' }, headers: THEIRS }));
});

test('Consequences of a profile are shown for its sites, and confirmed before the start', async () => {
  const { person, press, started } = await show();
  await person.clear(await text());
  await person.click(await text());
  await person.paste('{ "access": { "admin": { "requireAuth": false } } }');
  await press(/^Preview on every site/);
  await screen.findByText('1 site: Everybody can read the configuration, without signing in.');
  await screen.findByText('Confirm the consequences first.');
  expect(screen.getByRole('button', { name: 'Start on 1 site' })).toHaveProperty('disabled', true);
  expect(await violations()).toEqual([]);
  await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
  await press(/^Start on 1 site/);
  await waitFor(() => expect(started).toHaveLength(1));
});
