import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA } from './access-world.tsx';
import { describedBy, section, showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { press } from './in-surface.tsx';
import { violations } from './render-page.tsx';

const first = startBeforeAll(startConfiguredSite);
beforeEach(() => first.put({ headers: { '/**': [{ key: 'x-one', value: '1' }] } }));

describe('credentials of the CDN', () => {
  const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 'service-1', authToken: 'stored-credential' } };

  test('are never shown, stay unless they are replaced, and are saved without being shown', async () => {
    await first.put({ cdn });
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    const part = await section('CDN');
    await person.click(part.summary);
    const token = await part.inside.findByLabelText('Authentication token');
    expect(token).toHaveProperty('value', '');
    expect(describedBy(token)).toContain('Stored, not shown.');
    const service = part.inside.getByRole('textbox', { name: /^Service ID/ });
    await person.clear(service);
    await person.type(service, 'service-2');
    await press(person, 'Preview changes', 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ cdn: { prod: { serviceId: 'service-2', authToken: 'stored-credential' } } });
    expect(document.body.innerHTML).not.toContain('stored-credential');
    const again = await section('CDN');
    await person.click(again.summary);
    await person.type(await again.inside.findByLabelText('Authentication token'), 'stored-credential-2');
    await person.click(screen.getByRole('button', { name: 'Preview changes' }));
    const preview = await screen.findByRole('list', { name: 'Preview of your changes' });
    expect(preview.textContent).toContain('••••••••');
    expect(preview.textContent).not.toContain('stored-credential');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await first.stored()).toMatchObject({ cdn: { prod: { authToken: 'stored-credential-2' } } }));
    await press(person, 'View in the history', /^\/cdn\/prod\/authToken/);
    await screen.findByText('As a JSON patch');
    expect(document.body.innerHTML).toContain('••••••••');
    expect(document.body.innerHTML).not.toContain('stored-credential');
  });

  test('have the fields of the chosen CDN, and keep the host', async () => {
    await first.put({ cdn });
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    const part = await section('CDN');
    await person.click(part.summary);
    await person.click(await part.inside.findByRole('button', { name: /Delivery network/ }));
    await person.click(await screen.findByRole('option', { name: 'cloudflare' }));
    expect(part.inside.getByRole('textbox', { name: /^Production host/ })).toHaveProperty('value', 'www.example.com');
    await press(person, 'Preview changes', 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ cdn: { prod: { type: 'cloudflare', host: 'www.example.com', apiToken: '' } } });
  });
});

describe('the secrets view of a site', () => {
  test('creates a secret, shows it once, lists it by its name, and deletes it after confirmation', async () => {
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    await person.click(await screen.findByRole('button', { name: 'Create a secret…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name (optional)' }), 'cdn live');
    expect(screen.getByText('Use at most 100 letters, digits, “-”, “_” and “=”.')).toBeTruthy();
    await person.clear(screen.getByRole('textbox', { name: 'Name (optional)' }));
    await person.type(screen.getByRole('textbox', { name: 'Name (optional)' }), 'cdn-live');
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    await person.type(screen.getByLabelText('Last day (optional)'), day(-5));
    expect(screen.getByText('Choose today or a later day.')).toBeTruthy();
    expect(await violations()).toEqual([]);
    await person.clear(screen.getByLabelText('Last day (optional)'));
    await person.type(screen.getByLabelText('Last day (optional)'), day(10));
    await person.click(screen.getByRole('button', { name: 'Create the secret' }));
    const once = within(await screen.findByRole('group', { name: 'The secret was created. Copy it now' }));
    const value = once.getAllByText(/.+/, { selector: 'code' })[0]?.textContent ?? '';
    expect(value.length).toBeGreaterThan(20);
    expect(await violations()).toEqual([]);
    await person.click(once.getByRole('button', { name: 'I have copied it' }));
    expect(document.body.innerHTML).not.toContain(value);
    expect((await screen.findByText('Expires soon')).closest('li')?.textContent).toMatch(/cdn-live.*Expires in (?:10|11) days/);
    await person.click(await screen.findByRole('button', { name: 'Delete “cdn-live”…' }));
    expect(screen.getByRole('heading', { name: 'Delete “cdn-live”?' })).toBe(document.activeElement);
    await press(person, 'Keep it', 'Delete “cdn-live”…', 'Delete');
    await screen.findByText('“cdn-live” was deleted.');
    await screen.findByText('There are no secrets.');
    expect(await (await first.backend.call('GET', '/config/wknd/sites/first/secrets.json', { as: OPERATOR })).json()).toEqual({});
  });

  test('lists and deletes tokens created elsewhere', async () => {
    await first.put({ tokens: { one: { id: 'one', hash: 'abc', created: '2026-01-02T03:04:05Z' }, two: { id: 'two' } } });
    const { person } = showConfiguration({ service: await first.as(ADA), site: 'first' });
    const list = await screen.findByRole('list', { name: 'Site tokens' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    for (const name of ['one', 'two']) {
      await press(person, `Delete “${name}”…`, 'Delete');
      await screen.findByText(`“${name}” was deleted.`);
    }
    await screen.findByText('There are no site tokens.');
    expect(await first.stored()).not.toHaveProperty('tokens');
  });
});
