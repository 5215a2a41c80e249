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
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Configuration of “first”' })).toBe(document.activeElement));
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
