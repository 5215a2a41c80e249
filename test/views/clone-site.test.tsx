import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Failure } from '@repoless/core/situation/call.ts';
import { violations } from './render-page.tsx';
import { show } from './render-sites.tsx';
import { addPage, createSitesWorld, siteOf, type SitesWorld } from './sites-world.ts';

beforeAll(() => import('@repoless/extension/features/organization/CloneSite.tsx'), 120_000);

function worldWithLantern(): SitesWorld {
  const world = createSitesWorld();
  world.sites.set('lantern', { ...siteOf('lantern', '/content/lantern'), access: { live: { secretId: ['front'] } } });
  addPage(world, '/content/lantern');
  addPage(world, '/content/harbour');
  return world;
}

async function openClone(world: SitesWorld) {
  const { person } = show(world, 'organization');
  await person.click(await screen.findByRole('row', { name: /lantern/ }));
  await person.click(await screen.findByRole('button', { name: 'Clone this site…' }));
  const region = await screen.findByRole('region', { name: 'Clone the site “lantern”' });
  const field = (name: string) => within(region).getByRole('textbox', { name });
  return {
    person,
    region,
    fill: async (name: string, root: string) => {
      for (const [label, value] of [
        ['Name of the new site', name],
        ['Content root of the new site', root],
      ] as const) {
        await person.clear(field(label));
        await person.type(field(label), value);
      }
      await person.click(within(region).getByRole('button', { name: 'Review the new site' }));
    },
  };
}

describe('A site is cloned', () => {
  test('by its new name and content root: what differs is shown, the new site is made and opened', async () => {
    const world = worldWithLantern();
    const { person, region, fill } = await openClone(world);
    within(region).getByText(/^Secrets, API keys and tokens\./);
    expect(await violations()).toEqual([]);
    await fill('harbour', '/content/harbour/');
    const list = await within(region).findByRole('list', { name: 'Differences from “lantern”' });
    expect(document.activeElement?.textContent).toBe('Differences from “lantern”');
    within(list).getByText('Mapping of / changed from /content/lantern/ to /content/harbour/');
    within(region).getByText('The keys and secrets that give access to its hosts are not copied. The hosts stay protected.');
    expect(world.sites.has('harbour')).toBe(false);
    expect(await violations()).toEqual([]);
    await person.click(within(region).getByRole('button', { name: 'Create the site “harbour”' }));
    await screen.findByText('The site “harbour” was created with the configuration of “lantern”.');
    const details = await screen.findByRole('region', { name: 'Site “harbour”' });
    within(details).getByRole('button', { name: 'Open setup' });
    within(details).getByRole('button', { name: 'Check now' });
    expect(world.sites.get('harbour')).toMatchObject({
      access: { live: { requireAuth: true } },
      public: { paths: { mappings: ['/content/harbour/:/', '/content/harbour/configuration:/.helix/config.json'] } },
    });
    expect(await violations()).toEqual([]);
  });

  test('only with a name and a content root that can be used, and the field says why not', async () => {
    const world = worldWithLantern();
    const { region, fill } = await openClone(world);
    await fill('Not a name', '/content/lantern');
    await within(region).findByText('This is the content root of the site to clone. A content root can belong to only one site.');
    expect(within(region).getByRole('textbox', { name: 'Name of the new site' }).getAttribute('aria-invalid')).toBe('true');
    await fill('harbour', '/content/nowhere');
    await within(region).findByText('This page doesn’t exist in the authoring system. Create it first, or correct the path.');
    const taken: Failure = { kind: 'refused', status: 412 };
    world.refuse = (path) => (path.startsWith('/config/wknd/sites/harbour.json') ? taken : undefined);
    await fill('harbour', '/content/harbour');
    await within(region).findByText('A site with this name already exists. Choose another name.');
    expect(within(region).queryByRole('button', { name: /^Create the site/ })).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('or not at all, and says why', async () => {
    const world = worldWithLantern();
    const { person, region, fill } = await openClone(world);
    await fill('harbour', '/content/harbour');
    const create = await within(region).findByRole('button', { name: 'Create the site “harbour”' });
    world.refuse = (path) => (path.startsWith('/config/wknd/sites/harbour.json') ? { kind: 'unreachable' } : undefined);
    await person.click(create);
    const alert = await within(region).findByRole('alert');
    within(alert).getByText('The site was not created');
    expect(world.sites.has('harbour')).toBe(false);
    world.refuse = () => undefined;
    await person.click(within(region).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Clone the site “lantern”' })).toBeNull());
    await screen.findByRole('region', { name: 'Site “lantern”' });
  });
});
