import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { atComputer, showRepositories } from './show-sync-status.tsx';
import { createSyncWorld, delivery, externalRepository, externalSite, json, refused, site } from './sync-world.ts';
import type { SyncWorld } from './sync-world.ts';
import { AUTHOR } from './world.ts';

const CLONE_URL = 'https://builds.example.com/git/wknd/storefront.git';
const hosted = externalRepository({ name: 'storefront', vendor: 'hosted', alpha: true, cloneUrl: CLONE_URL });
const access = (accessToken: string, status = 201) =>
  json(status, { repository: hosted, cloneUrl: CLONE_URL, username: 'git', accessToken });

beforeEach(atComputer);

describe('a hosted repository', () => {
  test('is made of a name and the author’s program; its clone address and token are shown once', async () => {
    const world = createSyncWorld();
    world.answer = (_method, path) => {
      if (!path.endsWith('/hosted-repositories')) return undefined;
      world.repositories.push(hosted);
      return access('token-shown-once');
    };
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: 'Host a repository…' }));
    expect(screen.getByRole('textbox', { name: 'Program' })).toHaveProperty('value', '100');
    await person.click(screen.getByRole('button', { name: 'Create' }));
    screen.getByRole('textbox', { name: 'Name', description: /lower-case letters and digits/ });
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'storefront');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Create' }));
    const once = await screen.findByRole('group', { name: 'The access token, shown only once' });
    for (const text of [CLONE_URL, 'git', 'token-shown-once']) within(once).getByText(text);
    expect(await violations()).toEqual([]);
    await person.click(within(once).getByRole('button', { name: 'I have copied it' }));
    await screen.findByRole('heading', { level: 3, name: 'Access with git' });
    expect(document.body.textContent).not.toContain('token-shown-once');
  });

  test('has no webhook to be made or looked at, and gets a new token after saying what that revokes', async () => {
    const world = createSyncWorld();
    world.repositories.push(hosted);
    world.answer = (_method, path) => (path.endsWith('/token') ? access('another-token', 200) : undefined);
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /storefront/ }));
    await screen.findByText('Nothing has been pushed yet.');
    expect(screen.queryByText(/webhook/i)).toBeNull();
    await person.click(screen.getByRole('button', { name: 'New access token…' }));
    screen.getByText(/The current one stops working immediately/);
    await person.click(screen.getByRole('button', { name: 'Keep this one' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New access token…' }));
    await person.click(screen.getByRole('button', { name: 'New access token…' }));
    await person.click(screen.getByRole('button', { name: 'Create a new one' }));
    const once = await screen.findByRole('group', { name: 'The access token, shown only once' });
    within(once).getByText('another-token');
    expect(await violations()).toEqual([]);
  });

  test('keeps its token after a double click on the button that asks', async () => {
    const world = createSyncWorld();
    world.repositories.push(hosted);
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /storefront/ }));
    await person.dblClick(await screen.findByRole('button', { name: 'New access token…' }));
    await screen.findByRole('group', { name: 'Replace the access token?' });
    expect(await violations()).toEqual([]);
    expect(world.writes).toEqual([]);
  });
});

describe('where the answer was lost', () => {
  const broken = (): Response => {
    throw new TypeError('The connection broke.');
  };

  test('a hosted repository is in the list, and gets another token', async () => {
    const world = createSyncWorld();
    world.answer = (_method, path) => {
      if (!path.endsWith('/hosted-repositories')) return undefined;
      world.repositories.push(hosted);
      return broken();
    };
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: 'Host a repository…' }));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'storefront');
    await person.click(screen.getByRole('button', { name: 'Create' }));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The repository may have been created');
    within(alert).getByText('Check the list. If it is there, open it and create a new access token.');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('button', { name: /storefront/ });
  });

  test('a token may have been replaced, and the webhook’s credentials too', async () => {
    const world = createSyncWorld();
    world.repositories.push(hosted);
    world.answer = (_method, path) => (path.endsWith('/token') || path.endsWith('/webhook') ? broken() : undefined);
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /storefront/ }));
    await person.click(await screen.findByRole('button', { name: 'New access token…' }));
    await person.click(screen.getByRole('button', { name: 'Create a new one' }));
    await screen.findByText('A new access token may have been created');
    screen.getByText('If it was, the previous one no longer works. Create another one.');
    await person.click(screen.getByRole('button', { name: 'All repositories' }));

    world.repositories.splice(0, 1, externalRepository());
    await person.click(await screen.findByRole('button', { name: /storefront|Team site/ }));
    await person.click(await screen.findByRole('button', { name: 'Create the webhook' }));
    await screen.findByText('New credentials may have been created');
  });
});

describe('the webhook', () => {
  test('is not said to be wrong where there is none; its one URL works as it is', async () => {
    const world = createSyncWorld();
    world.repositories.push(externalRepository());
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await screen.findByText('No events can be received yet, because the repository has no webhook.');
    await person.click(screen.getByRole('button', { name: 'Create the webhook' }));
    const once = await screen.findByRole('group', { name: 'The webhook’s credentials, shown only once' });
    const urls = [...document.querySelectorAll('code')].map(({ textContent }) => textContent).filter((text) => text.includes('/webhooks/'));
    expect(urls).toEqual([expect.stringMatching(/\?api_key=/)]);
    within(once).getByText('Webhook URL');
  });

  test('that is there shows no URL without its key', async () => {
    const world = createSyncWorld();
    const webhook = { address: 'https://builds.example.com/webhooks/1', created: '2026-03-04T05:06:07.000Z', createdBy: 'ada' };
    world.repositories.push(externalRepository({ webhook }));
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await screen.findByText(/No events have been received since the webhook was created/);
    await screen.findByText('Its URL and secret were shown when they were created. If they are lost, create new ones.');
    expect(document.body.textContent).not.toContain('/webhooks/');
    await person.click(screen.getByRole('button', { name: 'New credentials…' }));
    await person.click(screen.getByRole('button', { name: 'Keep these' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New credentials…' }));
    await person.dblClick(screen.getByRole('button', { name: 'New credentials…' }));
    const asked = await screen.findByRole('group', { name: 'Create new credentials?' });
    expect(world.writes).toEqual([]);
    await person.click(within(asked).getByRole('button', { name: 'Create new ones' }));
    await screen.findByRole('group', { name: 'The webhook’s credentials, shown only once' });
  });
});

describe('a site in one click', () => {
  const open = async (world: SyncWorld) => {
    world.repositories.push(externalRepository());
    const person = await showRepositories(world);
    await person.click(await screen.findByRole('button', { name: /Team site/ }));
    await person.click(await screen.findByText('Create a site'));
    return person;
  };

  test('is registered with the content of the author at hand; who administers it is said', async () => {
    const world = createSyncWorld();
    const outcome = { site: 'autumn', holdsSecret: true, administeredBy: ['ada.admin@example.com'], delivery: delivery() };
    const asked: unknown[] = [];
    world.answer = (method, path, body) => {
      if (method !== 'POST' || path !== '/organizations/wknd/repositories/7/sites') return undefined;
      asked.push(body);
      return json(201, outcome);
    };
    const person = await open(world);
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    screen.getByRole('textbox', { name: 'Site name', description: 'The site name is empty.' });
    await person.type(screen.getByRole('textbox', { name: 'Site name' }), 'autumn');
    await person.clear(screen.getByRole('textbox', { name: 'Technical account' }));
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    await screen.findByText('The site “autumn” is registered. Its code is being synced.');
    screen.getByText('It is administered by ada.admin@example.com. Ask them for the role “admin” if you need it.');
    expect(asked).toEqual([{ site: 'autumn', contentUrl: `${AUTHOR}/bin/franklin.delivery/wknd/autumn/main` }]);
  });

  test('is found where the answer was lost, and not made a second time', async () => {
    const world = createSyncWorld();
    const asked: unknown[] = [];
    world.answer = (method, path, body) => {
      if (method !== 'POST' || !path.endsWith('/sites')) return undefined;
      asked.push(body);
      world.sites.push(externalSite('autumn'));
      throw new TypeError('The connection broke.');
    };
    const person = await open(world);
    await person.type(screen.getByRole('textbox', { name: 'Site name' }), 'autumn');
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    await screen.findByText('The site “autumn” is registered.');
    screen.getByText('No response arrived. Check its sync in the list of repositories.');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asked).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test.each<readonly [string, (world: SyncWorld) => void]>([
    ['is not there', () => undefined],
    ['was there before', () => undefined],
    ['has other code', (world) => void world.sites.push(site('autumn'))],
  ])('may have been created where the answer was lost and it %s', async (what, take) => {
    const world = createSyncWorld(what === 'was there before' ? [externalSite('autumn')] : []);
    world.answer = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/sites')) return undefined;
      take(world);
      throw new TypeError('The connection broke.');
    };
    const person = await open(world);
    await person.type(screen.getByRole('textbox', { name: 'Site name' }), 'autumn');
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    await screen.findByText('The site may have been created');
    screen.getByText('Refresh, and look for it before you create another one.');
    expect(screen.queryByText(/is registered/)).toBeNull();
  });

  test('that the service refuses is told in its words, with what to do', async () => {
    const world = createSyncWorld();
    world.answer = (method, path) =>
      method === 'POST' && path.endsWith('/sites')
        ? refused('SITE_EXISTS', 409, 'The organization wknd already has a site "autumn".')
        : undefined;
    const person = await open(world);
    await person.type(screen.getByRole('textbox', { name: 'Site name' }), 'autumn');
    await person.click(screen.getByRole('button', { name: 'Create the site' }));
    await screen.findByText('The organization wknd already has a site "autumn".');
    await waitFor(() => screen.getByText('Choose another name for the site.'));
  });
});
