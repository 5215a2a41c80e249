import { screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { siteBody, startTestBackend, OPERATOR } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { ADA, servicePort } from './access-world.tsx';
import { showConfiguration } from './configuration-world.tsx';
import { violations } from './render-page.tsx';

const SITE = '/config/wknd/sites/first.json';
const role = { admin: { role: { admin: [ADA] } } };

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.stop());
const put = async (more: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  const body = siteBody('wknd', 'first', { access: role, ...more });
  const { status } = await backend.call('PUT', `${SITE}?confirm=true&replace=true`, { as: OPERATOR, body });
  expect([200, 201]).toContain(status);
};
beforeEach(() => put({ headers: { '/**': [{ key: 'x-one', value: '1' }] } }));

const stored = async () => (await backend.call('GET', SITE, { as: OPERATOR })).json();
const as = async (who: string) => servicePort(backend.address, await backend.token(who));
const section = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name });
  const details = heading.closest('details');
  if (!(details instanceof HTMLElement)) throw new Error('No section');
  return { details, summary: heading, inside: within(details) };
};

describe('the configuration of a site', () => {
  test('headers and robots are one draft: previewed by the service, saved as one version, and undone', async () => {
    const { person, calls } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    await waitFor(() => expect(screen.getByRole('heading', { level: 2, name: 'Configuration of “first”' })).toBe(document.activeElement));
    expect(await violations()).toEqual([]);
    await person.click(headers.inside.getByRole('button', { name: 'Add a header' }));
    await person.keyboard('x-two');
    const added = within(headers.inside.getByRole('group', { name: 'Header 2' }));
    await person.type(added.getByRole('textbox', { name: /^Value/ }), 'second');
    const robots = await section('robots.txt');
    await person.click(robots.summary);
    await person.type(await robots.inside.findByRole('textbox', { name: 'Text of robots.txt' }), 'User-agent: *');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    const preview = await screen.findByRole('list', { name: 'Preview of your changes' });
    expect([...preview.children].map(({ textContent }) => textContent)).toEqual([
      'Headers of /**: x-two: second added',
      'robots.txt set to User-agent: *',
    ]);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes are saved.');
    expect(calls.changed).toBe(1);
    expect(await stored()).toMatchObject({
      headers: {
        '/**': [
          { key: 'x-one', value: '1' },
          { key: 'x-two', value: 'second' },
        ],
      },
      robots: { txt: 'User-agent: *' },
    });
    await person.click(screen.getByRole('button', { name: 'Undo…' }));
    await screen.findByRole('list', { name: 'Preview of your changes' });
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await stored()).not.toHaveProperty('robots'));
    expect(await stored()).toMatchObject({ headers: { '/**': [{ key: 'x-one', value: '1' }] } });
  });
});

describe('what the service says of a draft', () => {
  test('a problem stands at its field, its section is open, and nothing is lost', async () => {
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    const name = await headers.inside.findByRole('textbox', { name: /^Name/ });
    await person.clear(name);
    await person.type(name, 'set-cookie');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByText('Your changes can’t be saved yet');
    const field = headers.inside.getByRole('textbox', { name: /^Name/ });
    expect(describedBy(field)).toContain('This header belongs to the connection or to the answer itself and cannot be set.');
    expect(headers.inside.getByText('1 problem')).toBeTruthy();
    expect(screen.getByText('What is wrong is marked at the fields of Headers.')).toBeTruthy();
    expect(field).toHaveProperty('value', 'set-cookie');
    await person.click(screen.getByRole('button', { name: 'Go to the field' }));
    expect(field).toBe(document.activeElement);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect((await section('Headers')).inside.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'x-one');
  });

  test('a paths pattern that cannot be is told at the pattern', async () => {
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    const paths = await headers.inside.findByRole('textbox', { name: /^Paths/ });
    await person.clear(paths);
    await person.type(paths, '/a b{Enter}');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByText('Your changes can’t be saved yet');
    expect(describedBy(headers.inside.getByRole('textbox', { name: /^Paths/ }))).toContain('Write a path such as');
  });

  test('what somebody else saved meanwhile is shown and kept, and the draft is laid over it', async () => {
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    await person.type(await headers.inside.findByRole('textbox', { name: /^Value/ }), '2');
    await put({ headers: { '/**': [{ key: 'x-one', value: '1' }], '/theirs': [{ key: 'x-two', value: '2' }] } });
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByRole('heading', { name: `${OPERATOR} changed the site in the meantime` });
    expect(screen.getByRole('list', { name: 'What they changed' }).textContent).toBe('Headers of /theirs: x-two: 2 added');
    expect(screen.getByRole('list', { name: 'What you change in addition' }).textContent).toContain('x-one: 12');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes are saved.');
    expect(await stored()).toMatchObject({
      headers: { '/**': [{ key: 'x-one', value: '12' }], '/theirs': [{ key: 'x-two', value: '2' }] },
    });
  });

  test('who may not write it sees it all, with the reason, and can enter nothing', async () => {
    const users = await backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: { email: 'olga@example.com', roles: ['author'] },
    });
    expect(users.status).toBe(200);
    await put({ headers: { '/**': [{ key: 'x-one', value: '1' }] }, access: { admin: { ...role.admin, requireAuth: false } } });
    showConfiguration({ service: await as('olga@example.com'), site: 'first' });
    await screen.findByText('You have read-only access');
    const headers = await section('Headers');
    expect(await headers.inside.findByRole('textbox', { name: /^Value/ })).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: 'Preview changes' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Create a secret…' })).toBeNull();
    expect(await violations()).toEqual([]);
  });
});

describe('a section as JSON', () => {
  test('is in sync with its form; what is no JSON is told with its line and changes nothing', async () => {
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    const json = await headers.inside.findByRole('textbox', { name: 'Headers as JSON' });
    await person.type(headers.inside.getByRole('textbox', { name: /^Value/ }), '0');
    expect(JSON.parse(textOf(json))).toEqual({ '/**': [{ key: 'x-one', value: '10' }] });
    select(json);
    await person.paste('{\n  "/**": [\n    nonsense\n}');
    expect(describedBy(json)).toContain('This isn’t valid JSON from line 3 on.');
    expect(headers.inside.getByRole('textbox', { name: /^Value/ })).toHaveProperty('disabled', true);
    expect(screen.getByText('Correct the JSON of Headers first.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Preview changes' })).toHaveProperty('disabled', true);
    select(json);
    await person.paste('{"/a": [{"key": "x-three", "value": "3"}]}');
    expect(headers.inside.getByRole('textbox', { name: /^Paths/ })).toHaveProperty('value', '/a');
    expect(textOf(json)).toBe('{"/a": [{"key": "x-three", "value": "3"}]}');
    expect(await violations()).toEqual([]);
  });
});

describe('what comes from a profile', () => {
  afterAll(async () => {
    await put();
    await backend.call('DELETE', '/config/wknd/profiles/shared.json', { as: OPERATOR });
  });

  test('stands where the site has no value, with the name of the profile, and is overridden for this site', async () => {
    await backend.call('PUT', '/config/wknd/profiles/shared.json', {
      as: OPERATOR,
      body: { headers: { '/**': [{ key: 'x-shared', value: 'yes' }] }, robots: { txt: 'Disallow: /' } },
    });
    await put({ extends: { profile: 'shared' }, headers: { '/**': [{ key: 'x-one', value: '1' }] } });
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const headers = await section('Headers');
    const shared = within(await headers.inside.findByRole('group', { name: 'Inherited' }));
    expect(shared.getByText('x-shared: yes')).toBeTruthy();
    expect(shared.getByText('From the profile “shared”')).toBeTruthy();
    const robots = await section('robots.txt');
    await person.click(robots.summary);
    await person.click(await robots.inside.findByRole('button', { name: 'Override for this site: Text of robots.txt' }));
    const text = robots.inside.getByRole('textbox', { name: 'Text of robots.txt' });
    expect(text).toHaveProperty('value', 'Disallow: /');
    expect(describedBy(text)).toContain('Overrides the profile “shared”.');
    expect(await violations()).toEqual([]);
    await person.type(text, 'drafts');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await person.click(await screen.findByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes are saved.');
    expect(await stored()).toMatchObject({ robots: { txt: 'Disallow: /drafts' }, headers: { '/**': [{ key: 'x-one', value: '1' }] } });
  });
});

describe('credentials of the CDN', () => {
  const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 'service-1', authToken: 'stored-credential' } };

  test('are never shown, kept unless they are replaced, and written without being shown', async () => {
    await put({ cdn });
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const part = await section('CDN');
    await person.click(part.summary);
    const token = await part.inside.findByLabelText('Authentication token');
    expect(token).toHaveProperty('value', '');
    expect(describedBy(token)).toContain('Stored, not shown.');
    const service = part.inside.getByRole('textbox', { name: /^Service ID/ });
    await person.clear(service);
    await person.type(service, 'service-2');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await person.click(await screen.findByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes are saved.');
    expect(await stored()).toMatchObject({ cdn: { prod: { serviceId: 'service-2', authToken: 'stored-credential' } } });
    expect(document.body.innerHTML).not.toContain('stored-credential');
    const again = await section('CDN');
    await person.click(again.summary);
    await person.type(await again.inside.findByLabelText('Authentication token'), 'stored-credential-2');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    const preview = await screen.findByRole('list', { name: 'Preview of your changes' });
    expect(preview.textContent).toContain('••••••••');
    expect(preview.textContent).not.toContain('stored-credential');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await stored()).toMatchObject({ cdn: { prod: { authToken: 'stored-credential-2' } } }));
    await person.click(await screen.findByRole('button', { name: 'View in the history' }));
    await person.click(await screen.findByRole('button', { name: /^\/cdn\/prod\/authToken/ }));
    await screen.findByText('As a JSON patch');
    expect(document.body.innerHTML).toContain('••••••••');
    expect(document.body.innerHTML).not.toContain('stored-credential');
  });

  test('another kind of CDN asks for its own fields and keeps the host', async () => {
    await put({ cdn });
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const part = await section('CDN');
    await person.click(part.summary);
    await person.click(await part.inside.findByRole('button', { name: /Delivery network/ }));
    await person.click(await screen.findByRole('option', { name: 'cloudflare' }));
    expect(part.inside.getByRole('textbox', { name: /^Production host/ })).toHaveProperty('value', 'www.example.com');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await person.click(await screen.findByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes are saved.');
    expect(await stored()).toMatchObject({ cdn: { prod: { type: 'cloudflare', host: 'www.example.com', apiToken: '' } } });
  });
});

describe('secrets and tokens of a site', () => {
  test('a secret is made, shown once, listed by its name, and deleted after a confirmation', async () => {
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    await person.click(await screen.findByRole('button', { name: 'Create a secret…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name (optional)' }), 'cdn live');
    expect(screen.getByText('A name has at most 100 letters, digits, “-”, “_” and “=”.')).toBeTruthy();
    await person.clear(screen.getByRole('textbox', { name: 'Name (optional)' }));
    await person.type(screen.getByRole('textbox', { name: 'Name (optional)' }), 'cdn-live');
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    await person.type(screen.getByLabelText('Last day (optional)'), day(-5));
    expect(screen.getByText('Choose today or a later day.')).toBeTruthy();
    expect(await violations()).toEqual([]);
    await person.clear(screen.getByLabelText('Last day (optional)'));
    await person.type(screen.getByLabelText('Last day (optional)'), day(10));
    await person.click(screen.getByRole('button', { name: 'Create the secret' }));
    const once = within(await screen.findByRole('group', { name: 'The secret is created. Copy it now' }));
    const value = once.getAllByText(/.+/, { selector: 'code' })[0]?.textContent ?? '';
    expect(value.length).toBeGreaterThan(20);
    expect(await violations()).toEqual([]);
    await person.click(once.getByRole('button', { name: 'I have copied it' }));
    expect(document.body.innerHTML).not.toContain(value);
    expect((await screen.findByText('Expires soon')).closest('li')?.textContent).toMatch(/cdn-live.*Expires in (?:10|11) days/);
    await person.click(await screen.findByRole('button', { name: 'Delete “cdn-live”…' }));
    expect(screen.getByRole('heading', { name: 'Delete “cdn-live”?' })).toBe(document.activeElement);
    await person.click(screen.getByRole('button', { name: 'Keep it' }));
    await person.click(screen.getByRole('button', { name: 'Delete “cdn-live”…' }));
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByText('“cdn-live” is deleted.');
    await screen.findByText('There are no secrets.');
    expect(await (await backend.call('GET', '/config/wknd/sites/first/secrets.json', { as: OPERATOR })).json()).toEqual({});
  });

  test('tokens that came from elsewhere are listed and removed', async () => {
    await put({ tokens: { one: { id: 'one', hash: 'abc', created: '2026-01-02T03:04:05Z' }, two: { id: 'two' } } });
    const { person } = showConfiguration({ service: await as(ADA), site: 'first' });
    const list = await screen.findByRole('list', { name: 'Site tokens' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    for (const name of ['one', 'two']) {
      await person.click(await screen.findByRole('button', { name: `Delete “${name}”…` }));
      await person.click(screen.getByRole('button', { name: 'Delete' }));
      await screen.findByText(`“${name}” is deleted.`);
    }
    await screen.findByText('There are no site tokens.');
    expect(await stored()).not.toHaveProperty('tokens');
  });
});

test('it all is said in German', async () => {
  showConfiguration({ service: await as(ADA), site: 'first', locale: 'de-DE' });
  await screen.findByRole('heading', { level: 2, name: 'Konfiguration von „first“' });
  const headers = await section('Antwort-Header');
  expect(await headers.inside.findByRole('textbox', { name: /^Pfade/ })).toHaveProperty('value', '/**');
  expect(await violations()).toEqual([]);
});

function describedBy(field: HTMLElement): string {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '');
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

/** All of a text, so that what is pasted takes its place. */
function select(field: HTMLElement): void {
  field.focus();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(0, field.value.length);
}

function textOf(field: HTMLElement): string {
  return field instanceof HTMLTextAreaElement ? field.value : '';
}
