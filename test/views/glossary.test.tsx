import { SyncPanel } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { showAccess } from './access-world.tsx';
import { renderInSurface } from './in-surface.tsx';
import { show as showHistory, wiped } from './render-history.tsx';
import { renderPage, violations } from './render-page.tsx';
import { show as showSites } from './render-sites.tsx';
import { createSitesWorld } from './sites-world.ts';
import { createSyncWorld } from './sync-world.ts';
import { createWorld, PAGE } from './world.ts';

const SUBJECT = { kind: 'site', organization: 'wknd', name: 'summit' } as const;

const SCREENS: readonly (readonly [string, () => void])[] = [
  ['page properties', () => void renderPage(createWorld())],
  ['sites', () => void showSites(createSitesWorld())],
  ['access', () => void showAccess({ service: createWorld().ports.service, subject: SUBJECT })],
  ['sync status', showSync],
  ['history', () => void showHistory(wiped())],
];

describe.each(SCREENS)('The header of %s', (_, show) => {
  test('opens a glossary, explains a term in two sentences, and closes it again', async () => {
    show();
    const person = userEvent.setup();
    const button = await screen.findByRole('button', { name: 'Glossary' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await person.click(button);
    const glossary = await screen.findByRole('region', { name: 'Glossary' });
    expect(within(glossary).getByText('Technical account').nextSibling?.textContent).toMatch(/publishes pages\. The Authentication tab/);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(await violations()).toEqual([]);
    await person.click(button);
    expect(screen.queryByRole('region', { name: 'Glossary' })).toBeNull();
  });
});

test('A term is explained in a pop-over beside it', async () => {
  const { person } = renderPage(createWorld());
  const help = await screen.findByRole('button', { name: 'Glossary: Technical account' });
  expect(help.closest('dt')?.textContent).toBe('Technical account');
  await person.click(help);
  within(await screen.findByRole('dialog')).getByText(/^The account with which an authoring environment publishes pages\./);
  expect(await violations()).toEqual([]);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(help));
});

test('Content below a header with the glossary does not offer it again', async () => {
  const { person } = showSites(createSitesWorld(), 'organization');
  await person.click(await screen.findByRole('link', { name: 'Access' }));
  await screen.findByRole('heading', { name: /^Access to the organization/ });
  expect(screen.getAllByRole('button', { name: 'Glossary' })).toHaveLength(1);
});

test('The glossary is German if the host is', async () => {
  const { person } = renderPage(createWorld(), 'de-DE');
  await person.click(await screen.findByRole('button', { name: 'Glossar' }));
  within(await screen.findByRole('region', { name: 'Glossar' })).getByText('Technisches Konto');
});

function showSync(): void {
  renderInSurface(<SyncPanel {...createSyncWorld().ports} path={PAGE} onSignedOut={() => undefined} />);
}
