import { screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA } from './access-world.tsx';
import { describedBy, section, showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';

const first = startBeforeAll(startConfiguredSite);
beforeEach(() => first.put({ headers: { '/**': [{ key: 'x-one', value: '1' }] } }));

async function showHeaders() {
  const shown = showConfiguration({ service: await first.as(ADA), site: 'first' });
  return { ...shown, headers: await section('Headers') };
}

test('headers and robots.txt are one draft: previewed by the service, saved as one version, and undone', async () => {
  const { headers, person, calls } = await showHeaders();
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
  await screen.findByText('Your changes were saved.');
  expect(calls.changed).toBe(1);
  expect(await first.stored()).toMatchObject({
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
  await waitFor(async () => expect(await first.stored()).not.toHaveProperty('robots'));
  expect(await first.stored()).toMatchObject({ headers: { '/**': [{ key: 'x-one', value: '1' }] } });
});

describe('the preview of a draft', () => {
  test('shows a problem at its field in an open section, and preserves the input', async () => {
    const { headers, person } = await showHeaders();
    const name = await headers.inside.findByRole('textbox', { name: /^Name/ });
    await person.clear(name);
    await person.type(name, 'set-cookie');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByText('Your changes can’t be saved yet');
    const field = headers.inside.getByRole('textbox', { name: /^Name/ });
    expect(describedBy(field)).toContain(
      'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.',
    );
    expect(headers.inside.getByText('1 problem')).toBeTruthy();
    expect(screen.getByText('The problems are marked at the fields of Headers.')).toBeTruthy();
    expect(field).toHaveProperty('value', 'set-cookie');
    await person.click(screen.getByRole('button', { name: 'Go to the field' }));
    expect(field).toBe(document.activeElement);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect((await section('Headers')).inside.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'x-one');
  });

  test('reports an invalid paths pattern at the pattern', async () => {
    const { headers, person } = await showHeaders();
    const paths = await headers.inside.findByRole('textbox', { name: /^Paths/ });
    await person.clear(paths);
    await person.type(paths, '/a b{Enter}');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByText('Your changes can’t be saved yet');
    expect(describedBy(headers.inside.getByRole('textbox', { name: /^Paths/ }))).toContain('Write a path such as');
  });

  test('shows and preserves someone else’s change, and applies the draft to it', async () => {
    const { headers, person } = await showHeaders();
    await person.type(await headers.inside.findByRole('textbox', { name: /^Value/ }), '2');
    await first.put({ headers: { '/**': [{ key: 'x-one', value: '1' }], '/theirs': [{ key: 'x-two', value: '2' }] } });
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByRole('heading', { name: `${OPERATOR} changed the site in the meantime` });
    expect(screen.getByRole('list', { name: 'Their changes' }).textContent).toBe('Headers of /theirs: x-two: 2 added');
    expect(screen.getByRole('list', { name: 'Your additional changes' }).textContent).toContain('x-one: 12');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({
      headers: { '/**': [{ key: 'x-one', value: '12' }], '/theirs': [{ key: 'x-two', value: '2' }] },
    });
  });

  test('is not offered to a user without write permission, who sees the reason and disabled fields', async () => {
    const users = await first.backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: { email: 'olga@example.com', roles: ['author'] },
    });
    expect(users.status).toBe(200);
    await first.put({
      headers: { '/**': [{ key: 'x-one', value: '1' }] },
      access: { admin: { role: { admin: [ADA] }, requireAuth: false } },
    });
    showConfiguration({ service: await first.as('olga@example.com'), site: 'first' });
    await screen.findByText('You have read-only access');
    const headers = await section('Headers');
    expect(await headers.inside.findByRole('textbox', { name: /^Value/ })).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: 'Preview changes' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Create a secret…' })).toBeNull();
    expect(await violations()).toEqual([]);
  });
});

describe('a section as JSON', () => {
  test('is in sync with its form; invalid JSON is reported with its line and changes nothing', async () => {
    const { headers, person } = await showHeaders();
    const json = await headers.inside.findByRole('textbox', { name: 'Headers as JSON' });
    await person.type(headers.inside.getByRole('textbox', { name: /^Value/ }), '0');
    expect(JSON.parse(textOf(json))).toEqual({ '/**': [{ key: 'x-one', value: '10' }] });
    select(json);
    await person.paste('{\n  "/**": [\n    nonsense\n}');
    expect(describedBy(json)).toContain('The JSON is invalid from line 3.');
    expect(headers.inside.getByRole('textbox', { name: /^Value/ })).toHaveProperty('disabled', true);
    expect(screen.getByText('Correct the JSON of Headers first.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Preview changes' })).toHaveProperty('disabled', true);
    select(json);
    await person.paste('{"/a": [{"key": "x-three", "value": "3"}]}');
    expect(headers.inside.getByRole('textbox', { name: /^Paths/ })).toHaveProperty('value', '/a');
    expect(textOf(json)).toBe('{"/a": [{"key": "x-three", "value": "3"}]}');
    expect(await violations()).toEqual([]);
  });

  test('preserves invalid JSON while the section is collapsed', async () => {
    const { headers, person } = await showHeaders();
    const json = () => headers.inside.findByRole('textbox', { name: 'Headers as JSON' });
    select(await json());
    await person.paste('{ nonsense');
    const folds = [
      () => person.click(headers.summary),
      () => person.click(screen.getByRole('button', { name: /^(Collapse|Expand) all$/ })),
    ];
    await person.click(screen.getByRole('button', { name: 'Expand all' }));
    for (const fold of folds) {
      await fold();
      await waitFor(() => expect(headers.inside.queryByRole('textbox', { name: 'Headers as JSON' })).toBeNull());
      await fold();
      expect(textOf(await json())).toBe('{ nonsense');
      expect(describedBy(await json())).toContain('The JSON is invalid from line 1.');
    }
    expect(await violations()).toEqual([]);
  });

  test('preserves invalid JSON after “Stay”, and discards it on request', async () => {
    const { headers, person } = await showHeaders();
    select(await headers.inside.findByRole('textbox', { name: 'Headers as JSON' }));
    await person.paste('{ nonsense');
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await person.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(textOf(headers.inside.getByRole('textbox', { name: 'Headers as JSON' }))).toBe('{ nonsense');
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByText('Correct the JSON of Headers first.')).toBeNull();
    await waitFor(() => expect(screen.getByRole('group', { name: 'Your draft' })).toBe(document.activeElement));
    const again = await section('Headers');
    expect(JSON.parse(textOf(await again.inside.findByRole('textbox', { name: 'Headers as JSON' })))).toEqual({
      '/**': [{ key: 'x-one', value: '1' }],
    });
    expect(again.inside.getByRole('textbox', { name: /^Value/ })).toHaveProperty('disabled', false);
    await person.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Configuration of “first”' })).toBeNull());
  });

  test('closes the preview if it is invalid, so that it is not ignored when the rest is saved', async () => {
    const { headers, person } = await showHeaders();
    await person.type(await headers.inside.findByRole('textbox', { name: /^Value/ }), '0');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByRole('list', { name: 'Preview of your changes' });
    select(headers.inside.getByRole('textbox', { name: 'Headers as JSON' }));
    await person.paste('{ nonsense');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    screen.getByText('Correct the JSON of Headers first.');
  });
});

describe('an inherited value', () => {
  afterAll(async () => {
    await first.put();
    await first.backend.call('DELETE', '/config/wknd/profiles/shared.json', { as: OPERATOR });
  });

  test('is shown with the name of its profile if the site has no value, and can be overridden', async () => {
    await first.backend.call('PUT', '/config/wknd/profiles/shared.json', {
      as: OPERATOR,
      body: { headers: { '/**': [{ key: 'x-shared', value: 'yes' }] }, robots: { txt: 'Disallow: /' } },
    });
    await first.put({ extends: { profile: 'shared' }, headers: { '/**': [{ key: 'x-one', value: '1' }] } });
    const { headers, person } = await showHeaders();
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
    await press(person, 'Preview changes', 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({
      robots: { txt: 'Disallow: /drafts' },
      headers: { '/**': [{ key: 'x-one', value: '1' }] },
    });
  });
});

test('the configuration is shown in German', async () => {
  showConfiguration({ service: await first.as(ADA), site: 'first', locale: 'de-DE' });
  await screen.findByRole('heading', { level: 2, name: 'Konfiguration von „first“' });
  const headers = await section('Antwort-Header');
  expect(await headers.inside.findByRole('textbox', { name: /^Pfade/ })).toHaveProperty('value', '/**');
  expect(await violations()).toEqual([]);
});

/** Selects all of a field's text, so that pasting replaces it. */
function select(field: HTMLElement): void {
  field.focus();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(0, field.value.length);
}

function textOf(field: HTMLElement): string {
  return field instanceof HTMLTextAreaElement ? field.value : '';
}
