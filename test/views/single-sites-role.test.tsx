import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { isRow } from './is-row.ts';
import { violations } from './render-page.tsx';
import { createSitesWorld } from './sites-world.ts';
import { json, refused } from './sync-world.ts';
import { INFO, SERVICE } from './world.ts';
import { showSitesHome } from './render-sites.tsx';

const STRANGER = 'The organization "wknd" is not claimed, or you have no role in it.';

/** Renders the organization's places for a person with roles only on single sites: the service answers as if the organization did not exist. */
function show(answer: () => Response) {
  const client = createClient({
    service: SERVICE,
    token: async () => 'token',
    fetch: async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input.toString());
      if (!isRow(init?.method ?? 'GET', pathname)) console.error(`No program has the call ${pathname}.`);
      return pathname === '/service.json' ? json(200, { ...INFO, buildManagement: 'https://builds.example.com' }) : answer();
    },
  });
  const ports = { ...createSitesWorld().ports, service: createServicePort(client) };
  return showSitesHome({ ports, client, clientAt: () => client }).person;
}

describe('a user with roles on single sites only', () => {
  test('learns that they may not list the sites, not that there are none', async () => {
    show(() => refused('ORG_NOT_FOUND', 404, STRANGER));
    await screen.findByRole('region', { name: 'You have no role in the organization “wknd”' });
    expect(screen.queryByText(/status 404|POST \/config/)).toBeNull();
    expect(screen.queryByRole('searchbox')).toBeNull();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(await violations()).toEqual([]);
  });
});

test('a service without this request is reported as one', async () => {
  const person = show(() => refused('ROUTE_NOT_FOUND', 404, 'No such address'));
  await screen.findByText('Couldn’t read the sites of the service, so the state of the pages is unknown');
  await person.click(screen.getByRole('link', { name: 'Rollouts' }));
  await screen.findByText(/doesn’t support rollouts/);
  await person.click(screen.getByRole('link', { name: 'Notifications' }));
  await screen.findByText('This service does not record events.');
});
