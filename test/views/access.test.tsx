import { NoPermission } from '@repoless/extension/ui/NoPermission.tsx';
import { CallerContext } from '@repoless/extension/ui/organization-contexts.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteBody, startTestBackend, OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ACCOUNT, ADA, BEN, OTHER_ACCOUNT, servicePort, showAccess } from './access-world.tsx';
import { press, renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';

const DAY = 86_400;
const SITE = '/config/wknd/sites/first.json';
const ACCESS = '/config/wknd/sites/first/access.json';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;
const environment = { author: 'https://author-p100-e200.example.com', technicalAccount: ACCOUNT };
const role = (admin: readonly string[], config_admin: readonly string[] = [ACCOUNT]) => ({ admin: { role: { admin, config_admin } } });

const backend = startBeforeAll(() =>
  startTestBackend({
    settings: { API_KEY_LIFETIME: String(DAY), API_KEY_LIFETIME_LIMIT: String(45 * DAY) },
  }),
);
beforeEach(async () => {
  const body = siteBody('wknd', 'first', { access: role([ADA]), groups: { editors: { members: [{ email: BEN }] } } });
  const { status } = await backend.call('PUT', `${SITE}?confirm=true`, { as: OPERATOR, body });
  expect([200, 201]).toContain(status);
});

const stored = async () => (await backend.call('GET', ACCESS, { as: OPERATOR })).json();
const as = async (who: string) => servicePort(backend.address, await backend.token(who));
const list = (name: string) => screen.findByRole('list', { name });
const texts = (within_: HTMLElement) =>
  within(within_)
    .getAllByRole('listitem')
    .map((item) => item.querySelector('.rp-value')?.textContent);

describe('the access view of a site', () => {
  test('shows the roles on the site and mentions those through the organization', async () => {
    showAccess({ service: await as(ADA), subject, environment });
    expect(texts(await list('Administrators'))).toEqual([ADA]);
    expect(texts(await list('Configuration administrators'))).toEqual([ACCOUNT]);
    expect(screen.getByRole('heading', { level: 2, name: 'Access to “first”' })).toBe(document.activeElement);
    expect(screen.getByText('You can’t see the users of the organization. Some of them may have access too.')).toBeTruthy();
    expect(await violations()).toEqual([]);
  });

  test('adds a colleague by keyboard only: reviewed, saved by one request, and found in the history', async () => {
    const { person, calls } = showAccess({ service: await as(ADA), subject, environment });
    await person.click(await screen.findByRole('textbox', { name: 'Add to Administrators' }));
    await person.keyboard('ben builder{Enter}');
    expect(screen.getByText('Enter an e-mail address, “*”, “*@domain”, a technical account or “groups/name”.')).toBeTruthy();
    await person.clear(screen.getByRole('textbox', { name: 'Add to Administrators' }));
    await person.keyboard(`${BEN}{Enter}`);
    screen.getByRole('button', { name: 'Review the change…' }).focus();
    await person.keyboard('{Enter}');
    const changes = await screen.findByRole('list', { name: 'What will change' });
    expect(changes.textContent).toBe(`Administrators: ${BEN} added`);
    expect(screen.getByRole('heading', { name: 'What will change' })).toBe(document.activeElement);
    expect(await violations()).toEqual([]);
    screen.getByRole('button', { name: 'Save' }).focus();
    await person.keyboard('{Enter}');
    const saved = await screen.findByText('The change was saved.');
    await waitFor(() => expect(saved.closest('[role="status"]')).toBe(document.activeElement));
    expect(await stored()).toEqual(role([ADA, BEN]));
    expect(calls.changed).toBe(1);
    expect(texts(await list('Administrators'))).toEqual([ADA, BEN]);
    await person.click(screen.getByRole('button', { name: 'View in the history' }));
    await screen.findByRole('button', { name: new RegExp(`^Administrators: ${BEN} added`) });
    await person.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'View in the history' })).toBe(document.activeElement));
  });

  test('explains wildcards, a foreign account and a missing account before the change is saved', async () => {
    const { person } = showAccess({ service: await as(ADA), subject, environment });
    const admins = await screen.findByRole('textbox', { name: 'Add to Administrators' });
    await person.type(admins, '*{Enter}');
    await screen.findByText(/^“\*” gives the role “Administrator” to everybody who can sign in\. Everything/);
    await person.type(admins, '*@example.org{Enter}');
    await screen.findByText(
      /^“\*@example\.org” gives the role “Administrator” to everybody with an address at example\.org, including people who join later/,
    );
    await person.click(screen.getByRole('button', { name: `Remove ${ACCOUNT} from Configuration administrators` }));
    await screen.findByText(new RegExp(`^Without the technical account ${ACCOUNT}, publishing from its authoring system stops`));
    await person.type(screen.getByRole('textbox', { name: 'Add to Configuration administrators' }), `${OTHER_ACCOUNT}{Enter}`);
    await screen.findByText(new RegExp(`^${OTHER_ACCOUNT} is not the account of p100-e200\\..*by ${ACCOUNT}`));
    await person.click(screen.getByRole('button', { name: `Add ${ACCOUNT}` }));
    await waitFor(() => expect(screen.queryByText(/publishing from its authoring system stops/)).toBeNull());
    expect(await violations()).toEqual([]);
    expect(await stored()).toEqual(role([ADA]));
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await screen.findByText('Your change is not saved yet');
    await press(person, 'Stay', 'Discard the change');
    await waitFor(() => expect(screen.queryByText('Consequences')).toBeNull());
  });

  test('explains the loss of one’s own role, and saves it only after confirmation', async () => {
    const { person } = showAccess({ service: await as(ADA), subject, environment });
    await person.type(await screen.findByRole('textbox', { name: 'Add to Administrators' }), `${BEN}{Enter}`);
    await press(person, `Remove ${ADA} from Administrators`, 'Review the change…');
    await screen.findByText(/^You would no longer be an administrator/);
    await screen.findByText('Confirm the consequences first.');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('This site doesn’t exist yet, or you have no role on it.');
    expect(await stored()).toEqual(role([BEN]));
  });

  test('accepts a group that does not exist yet', async () => {
    const { person } = showAccess({ service: await as(ADA), subject });
    const admins = await screen.findByRole('textbox', { name: 'Add to Administrators' });
    await person.type(admins, 'groups/nowhere{Enter}');
    await press(person, 'Review the change…', 'Save');
    await waitFor(async () => expect(await stored()).toEqual(role([ADA, 'groups/nowhere'])));
  });

  test('shows and preserves another person’s change, and applies the user’s change to it', async () => {
    const { person } = showAccess({ service: await as(ADA), subject, environment });
    await person.type(await screen.findByRole('textbox', { name: 'Add to Administrators' }), `${BEN}{Enter}`);
    await person.click(screen.getByRole('button', { name: 'Review the change…' }));
    await screen.findByRole('list', { name: 'What will change' });
    const elsewhere = await backend.call('POST', ACCESS, { as: OPERATOR, body: role([ADA, 'nina@example.com'], [ACCOUNT, OTHER_ACCOUNT]) });
    expect(elsewhere.status).toBe(200);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { name: `${OPERATOR} changed it in the meantime` });
    expect(screen.getByRole('list', { name: 'Their changes' }).textContent).toBe(
      `Administrators: nina@example.com addedConfiguration administrators: ${OTHER_ACCOUNT} added`,
    );
    expect(screen.getByRole('list', { name: 'Your additional changes' }).textContent).toBe(`Administrators: ${BEN} added`);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The change was saved.');
    expect(await stored()).toEqual(role([ADA, 'nina@example.com', BEN], [ACCOUNT, OTHER_ACCOUNT]));
  });

  test('shows a user without write permission the reason', async () => {
    await backend.call('POST', ACCESS, { as: OPERATOR, body: role([ADA], [ACCOUNT, 'carl@example.com']) });
    showAccess({ service: await as('carl@example.com'), subject, environment });
    await screen.findByText('You have read-only access');
    expect(screen.getByRole('button', { name: `Remove ${ADA} from Administrators` })).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: 'Review the change…' })).toBeNull();
    await screen.findByText('Only administrators can see, create and revoke API keys.');
    expect(await violations()).toEqual([]);
  });

  test('starts empty for a site without its own access, beside what applies through its profile', async () => {
    const profile = siteBody('wknd', 'third', { access: { admin: { role: { admin: ['pia@example.com'], author: ['*'] } } } });
    const { access } = profile;
    expect((await backend.call('PUT', '/config/wknd/profiles/shared.json', { as: OPERATOR, body: { access } })).status).toBe(201);
    const body = siteBody('wknd', 'third', { extends: { profile: 'shared' } });
    expect((await backend.call('PUT', '/config/wknd/sites/third.json', { as: OPERATOR, body })).status).toBe(201);
    const { person } = showAccess({ service: await as('pia@example.com'), subject: { ...subject, name: 'third' } });
    await screen.findByText('Through the profile “shared” (2)');
    expect(screen.getByText('pia@example.com').closest('li')?.textContent).toBe('pia@example.comAdministrator');
    expect(screen.queryByText('Consequences')).toBeNull();
    await person.type(screen.getByRole('textbox', { name: 'Add to Administrators' }), `${BEN}{Enter}`);
    await screen.findByText('Through the profile “shared” (1)');
    await person.click(screen.getByRole('button', { name: 'Review the change…' }));
    await screen.findByText('Confirm the consequences first.');
    await person.click(screen.getByRole('button', { name: 'Keep editing' }));
    await person.type(screen.getByRole('textbox', { name: 'Add to Administrators' }), 'pia@example.com{Enter}');
    await person.click(screen.getByRole('button', { name: 'Review the change…' }));
    await screen.findByRole('list', { name: 'What will change' });
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The change was saved.');
    expect((await backend.call('GET', '/config/wknd/sites/third/access.json', { as: OPERATOR })).json()).toEqual({
      admin: { role: { admin: [BEN, 'pia@example.com'] } },
    });
  });

  test('preserves an unsaved change while the service does not respond', async () => {
    const service = await as(ADA);
    const cut: typeof service = { ...service, dryRun: async () => ({ state: 'failed', failure: { kind: 'unreachable' } }) };
    const { person } = showAccess({ service: cut, subject });
    await person.type(await screen.findByRole('textbox', { name: 'Add to Administrators' }), `${BEN}{Enter}`);
    await person.click(screen.getByRole('button', { name: 'Review the change…' }));
    await screen.findByText('The configuration service does not respond.');
    expect(texts(await list('Administrators'))).toEqual([ADA, BEN]);
    expect(screen.getByRole('alert')).toBe(document.activeElement);
  });

  test('is shown in German', async () => {
    showAccess({ service: await as('stranger@example.com'), subject, locale: 'de-CH' });
    await screen.findByText('Diese Site gibt es noch nicht, oder Sie haben keine Rolle auf ihr.');
    expect(screen.getByRole('heading', { level: 2, name: 'Zugriff auf „first“' })).toBeTruthy();
  });
});

describe('the users of an organization', () => {
  const people = { kind: 'organization', organization: 'wknd' } as const;

  test('are changed together with the groups, by one request', async () => {
    const { person } = showAccess({ service: await as(OPERATOR), subject: people });
    await person.type(await screen.findByRole('textbox', { name: 'Name of the new group' }), 'Web Team{Enter}');
    await waitFor(() => expect(screen.getAllByText('Lowercase letters, digits and single hyphens.').length).toBeGreaterThan(0));
    await person.clear(screen.getByRole('textbox', { name: 'Name of the new group' }));
    await person.type(screen.getByRole('textbox', { name: 'Name of the new group' }), 'web-team{Enter}');
    await person.type(await screen.findByRole('textbox', { name: 'Add to groups/web-team' }), `${BEN}{Enter}`);
    await person.click(screen.getByText('Add a user'));
    await person.type(screen.getByRole('textbox', { name: 'E-mail address of another user, or groups/name' }), 'groups/web-team');
    await person.click(screen.getByRole('checkbox', { name: /^Developer/ }));
    await press(person, 'Add user', 'Review the change…');
    await screen.findByRole('list', { name: 'What will change' });
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The change was saved.');
    expect((await backend.call('GET', '/config/wknd.json', { as: OPERATOR })).json()).toMatchObject({
      users: [
        { email: OPERATOR, roles: ['admin'] },
        { email: 'groups/web-team', roles: ['develop'] },
      ],
      groups: { 'web-team': { members: [{ email: BEN }] } },
    });
  });

  test('cannot lose their last administrator', async () => {
    const { person } = showAccess({ service: await as(OPERATOR), subject: people });
    await person.click(await screen.findByRole('button', { name: `Remove ${OPERATOR}` }));
    await screen.findByText('No administrator is left. An organization needs at least one, so this can’t be saved.');
    await person.click(screen.getByRole('button', { name: 'Review the change…' }));
    await screen.findByText('This change can’t be saved');
    await screen.findByText(/needs at least one user with the role "admin"/);
  });

  test('are hidden from users without a role', async () => {
    showAccess({ service: await as(BEN), subject: people });
    await screen.findByRole('region', { name: 'You have no role in the organization “wknd”' });
    expect(await violations()).toEqual([]);
  });
});

describe('API keys', () => {
  test('live no longer than the service allows, and an organization has its own', async () => {
    const { person } = showAccess({ service: await as(OPERATOR), subject: { kind: 'organization', organization: 'wknd' } });
    await press(person, 'Create an API key…', /Expires after/);
    const days = await screen.findAllByRole('option');
    expect(days.map((option) => option.textContent)).toEqual(['A day', '7 days', '30 days', '45 days']);
    await person.click(screen.getByRole('option', { name: '45 days' }));
    const roles = screen.getByRole('group', { name: 'Roles of the key' });
    await person.click(within(roles).getByRole('checkbox', { name: /^Author/ }));
    await press(person, 'Create the key', 'I have copied it');
    const key = await screen.findByText('No description');
    expect(key.closest('li')?.textContent).toMatch(/Author.*Created by operator@example\.com.*Expires in 4[45] days \(/);
  });

  test('are created, shown once, accepted, and refused after they are revoked', async () => {
    const { person } = showAccess({ service: await as(ADA), subject });
    await screen.findByText('There are no API keys.');
    await press(person, 'Create an API key…', 'Create the key');
    await screen.findByText('Choose at least one role.');
    await person.type(screen.getByRole('textbox', { name: 'Description' }), 'Build on main');
    await person.click(screen.getByRole('checkbox', { name: /^Configuration administrator/ }));
    await person.click(screen.getByRole('button', { name: 'Create the key' }));
    const once = await screen.findByRole('group', { name: 'The key was created. Copy it now' });
    const value = once.querySelector('code')?.textContent ?? '';
    const ask = () => backend.call('GET', SITE, { headers: { 'x-auth-token': value } });
    expect((await ask()).status).toBe(200);
    expect(await violations()).toEqual([]);
    await person.click(within(once).getByRole('button', { name: 'I have copied it' }));
    expect(document.documentElement.outerHTML).not.toContain(value);
    expect(screen.getByRole('heading', { name: 'API keys' })).toBe(document.activeElement);
    const key = await screen.findByText('Build on main');
    expect(key.closest('li')?.textContent).toMatch(
      /Valid.*Configuration administrator.*Created by ada\.admin@example\.com.*Expires in 4[45] days \(/,
    );
    await person.click(screen.getByRole('button', { name: 'Revoke “Build on main”…' }));
    expect(await violations()).toEqual([]);
    await person.click(await screen.findByRole('button', { name: 'Revoke the key' }));
    await screen.findByText('The key “Build on main” was revoked.');
    await screen.findByText('There are no API keys.');
    expect((await ask()).status).toBe(401);
  });
});

test('A user without access learns where they have a role, as a list in their language', async () => {
  renderInSurface(
    <CallerContext
      value={{
        profile: async () => ({ state: 'missing' }),
        organizations: async () => ({
          state: 'known',
          value: {
            orgs: [
              { name: 'acme', roles: ['admin', 'author'] },
              { name: 'wknd', roles: ['publish'] },
            ],
          },
        }),
      }}
    >
      <NoPermission denied={{ organization: 'other' }} onRetry={() => undefined} />
    </CallerContext>,
    { locale: 'ja-JP' },
  );
  await screen.findByText('acme（admin、author）、wknd（publish）');
  expect(await violations()).toEqual([]);
});
