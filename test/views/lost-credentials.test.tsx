import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestBackend, siteBody, OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, showAccess } from './access-world.tsx';
import { showConfiguration } from './configuration-world.tsx';
import { press } from './in-surface.tsx';
import { LOSSES, lossyNetwork } from './lossy-network.ts';

const SITE = '/config/wknd/sites/first.json';
const SECRETS = '/config/wknd/sites/first/secrets.json';
const KEYS = '/config/wknd/sites/first/apiKeys.json';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;

const backend = startBeforeAll(() => startTestBackend());
beforeEach(async () => {
  await backend.call('DELETE', SITE, { as: OPERATOR });
  const body = siteBody('wknd', 'first', { access: { admin: { role: { admin: [ADA] } } } });
  const { status } = await backend.call('PUT', `${SITE}?confirm=true`, { as: OPERATOR, body });
  expect(status).toBe(201);
});

/** The configuration, or the access, of the site over a network that can lose requests. */
async function configuration() {
  const { service, ...network } = await lossyNetwork(backend, ADA);
  return { ...network, ...showConfiguration({ service, site: 'first' }) };
}
async function access() {
  const { service, ...network } = await lossyNetwork(backend, ADA);
  return { ...network, ...showAccess({ service, subject }) };
}

const field = (name: string | RegExp) => screen.findByRole('textbox', { name });
const stored = async (path: string) => Object.keys(Object(await (await backend.call('GET', path, { as: OPERATOR })).json()));

describe('A secret whose response was lost', () => {
  test.each(LOSSES)('is reported as possibly created, and can be deleted: %s', async (loss) => {
    const { person, lose } = await configuration();
    await press(person, 'Create a secret…');
    lose(loss, 'POST', /secrets\/cdn-live\.json$/);
    await person.type(await field('Name (optional)'), 'cdn-live{Enter}');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('The secret may have been created')).toBeTruthy();
    expect(await within(alert).findByText('New in the list: “cdn-live”.')).toBeTruthy();
    expect(screen.queryByText('The secret was not created')).toBeNull();
    await press(person, 'Delete “cdn-live”…', 'Delete');
    await screen.findByText('“cdn-live” was deleted.');
    expect(await stored(SECRETS)).toEqual([]);
    expect(await field('Name (optional)')).toHaveProperty('value', 'cdn-live');
    await press(person, 'Create the secret');
    await screen.findByRole('group', { name: 'The secret was created. Copy it now' });
    expect(await stored(SECRETS)).toEqual(['cdn-live']);
  });

  test('is found if the service chose its name', async () => {
    const { person, lose } = await configuration();
    await press(person, 'Create a secret…');
    lose('broken', 'POST', /secrets\.json$/);
    await press(person, 'Create the secret');
    await screen.findByText('The secret may have been created');
    const [name = ''] = await stored(SECRETS);
    await screen.findByText(`New in the list: “${name}”.`);
    await screen.findByRole('button', { name: `Delete “${name}”…` });
  });

  test('is searched again if its list could not be read', async () => {
    const { person, lose } = await configuration();
    await press(person, 'Create a secret…');
    lose('broken', 'POST', /secrets\/cdn-live\.json$/);
    lose('broken', 'GET', /secrets\.json$/);
    await person.type(await field('Name (optional)'), 'cdn-live{Enter}');
    await screen.findByText('The secret may have been created');
    await press(person, 'Try again');
    await screen.findByText('New in the list: “cdn-live”.');
    await screen.findByRole('button', { name: 'Delete “cdn-live”…' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

test('A refused secret is reported as not created', async () => {
  const { person } = await configuration();
  await press(person, 'Create a secret…');
  await backend.call('DELETE', SITE, { as: OPERATOR });
  await press(person, 'Create the secret');
  await screen.findByText('The secret was not created');
});

test.each(LOSSES)('A key whose response was lost is reported as possibly created, and can be revoked: %s', async (loss) => {
  const { person, lose } = await access();
  await press(person, 'Create an API key…');
  await person.type(await field('Description'), 'Build on main');
  await person.click(await screen.findByRole('checkbox', { name: /^Author/ }));
  lose(loss, 'POST', /apiKeys\.json$/);
  await press(person, 'Create the key');
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('The key may have been created')).toBeTruthy();
  const [id = ''] = await stored(KEYS);
  await within(alert).findByText(`New in the list: Build on main (${id}).`);
  await press(person, 'Revoke “Build on main”…', 'Revoke the key');
  await screen.findByText('The key “Build on main” was revoked.');
  expect(await stored(KEYS)).toEqual([]);
  expect(await field('Description')).toHaveProperty('value', 'Build on main');
});

describe('A value shown once stays visible while another entry is removed:', () => {
  test('a secret', async () => {
    await backend.call('POST', '/config/wknd/sites/first/secrets/old.json', { as: OPERATOR, body: {} });
    const { person } = await configuration();
    await press(person, 'Create a secret…');
    await person.type(await field('Name (optional)'), 'new{Enter}');
    await screen.findByRole('group', { name: 'The secret was created. Copy it now' });
    await press(person, 'Delete “old”…', 'Delete');
    await screen.findByText('“old” was deleted.');
    expect(screen.getByRole('group', { name: 'The secret was created. Copy it now' })).toBeTruthy();
  });

  test('a key', async () => {
    const body = { description: 'old', roles: ['author'] };
    await backend.call('POST', KEYS, { as: OPERATOR, body });
    const { person } = await access();
    await press(person, 'Create an API key…');
    await person.click(await screen.findByRole('checkbox', { name: /^Author/ }));
    await press(person, 'Create the key');
    await screen.findByRole('group', { name: 'The key was created. Copy it now' });
    await press(person, 'Revoke “old”…', 'Revoke the key');
    await screen.findByText('The key “old” was revoked.');
    expect(screen.getByRole('group', { name: 'The key was created. Copy it now' })).toBeTruthy();
  });
});

describe('A removal', () => {
  const AT_TOKENS = '/config/wknd/sites/first/tokens';
  beforeEach(async () => {
    const tokens = { one: { id: 'one', hash: 'abc' }, two: { id: 'two', hash: 'def' } };
    await backend.call('PUT', SITE, { as: OPERATOR, body: { tokens } });
    await backend.call('POST', '/config/wknd/sites/first/secrets/old.json', { as: OPERATOR, body: {} });
    await backend.call('POST', KEYS, { as: OPERATOR, body: { description: 'old', roles: ['author'] } });
  });

  test('of a token preserves concurrent changes', async () => {
    const { person } = await configuration();
    await press(person, 'Delete “one”…');
    await backend.call('DELETE', `${AT_TOKENS}/two.json`, { as: OPERATOR });
    await press(person, 'Delete');
    await screen.findByText('“one” was deleted.');
    await screen.findByText('There are no site tokens.');
    expect(await (await backend.call('GET', SITE, { as: OPERATOR })).json()).not.toHaveProperty('tokens');
  });

  test('of a token succeeds if someone else removed it', async () => {
    const { person } = await configuration();
    await press(person, 'Delete “one”…');
    await backend.call('DELETE', `${AT_TOKENS}/one.json`, { as: OPERATOR });
    await press(person, 'Delete');
    await screen.findByText('“one” was deleted.');
    expect(await stored(`${AT_TOKENS}.json`)).toEqual(['two']);
  });

  test.each([
    ['a token', 'DELETE', /tokens\/one\.json$/, 'one'],
    ['a secret', 'DELETE', /secrets\/old\.json$/, 'old'],
  ] as const)('of %s succeeds if its response was lost', async (_what, method, path, name) => {
    const { person, lose } = await configuration();
    await press(person, `Delete “${name}”…`);
    lose('broken', method, path);
    await press(person, 'Delete');
    await screen.findByText(`“${name}” was deleted.`);
  });

  test('of a key succeeds if its response was lost', async () => {
    const { person, lose } = await access();
    await press(person, 'Revoke “old”…');
    lose('broken', 'DELETE', /apiKeys\/[^/]+\.json$/);
    await press(person, 'Revoke the key');
    await screen.findByText('The key “old” was revoked.');
  });

  test.each([
    ['a token', 'DELETE', /tokens\/one\.json$/, 'one'],
    ['a secret', 'DELETE', /secrets\/old\.json$/, 'old'],
  ] as const)('of %s that never arrived can be cancelled or retried', async (_what, method, path, name) => {
    const { person, cut } = await configuration();
    await press(person, `Delete “${name}”…`);
    cut(method, path);
    await press(person, 'Delete');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('It may not have been deleted')).toBeTruthy();
    expect(document.activeElement).toBe(alert);
    await press(person, 'Keep it');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: `Delete “${name}”…` }));
    await press(person, `Delete “${name}”…`);
    cut(method, path);
    await press(person, 'Delete', 'Try again');
    await screen.findByText(`“${name}” was deleted.`);
  });
});
