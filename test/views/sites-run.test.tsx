import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, beforeAll } from 'vitest';
import { AT_ONCE } from '@repoless/core/run/retry.ts';
import { violations } from './render-page.tsx';
import { reviewCountry, reviewLocales, show } from './render-sites.tsx';
import { addCountry, createSitesWorld, siteOf, addPage, type SitesWorld } from './sites-world.ts';
import { problem } from './world.ts';
import { pressEnabled } from './in-surface.tsx';
import type { Failure } from '@repoless/core/situation/call.ts';

describe('a run over many sites', () => {
  test('ends with each site set up, an updated tree, and results as CSV', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de', 'fr']);
    const { person } = show(world, 'tree', 'stand-alone');
    await reviewLocales(person);
    await person.click(await screen.findByRole('button', { name: 'Set up 2 sites' }));
    await screen.findByText('All 2 sites are set up.');
    expect(world.pages.get('/content/wknd/ch/fr')?.ownConfiguration).toBe('/conf/wknd/ch-fr');
    expect(screen.getByRole('region', { name: 'Results as CSV' }).textContent).toContain('wknd-ch-fr,/content/wknd/ch/fr');
    expect(screen.getByRole('link', { name: 'Download CSV', hidden: true }).getAttribute('download')).toBe('sites.csv');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Back to the tree' }));
    await screen.findByRole('row', { name: 'fr fr Locale Locale site Changed since verified wknd-ch-fr /conf/wknd/ch-fr' });
    expect(screen.queryByText('Unfinished run')).toBeNull();
  });

  test('is undone on its sites with one press, except where others made changes', async () => {
    const { world, person } = await reviewCountry('de', 'fr');
    await person.click(await screen.findByRole('button', { name: 'Set up 2 sites' }));
    await screen.findByText('All 2 sites are set up.');
    await person.click(screen.getByRole('button', { name: 'Undo 2 sites…' }));
    const question = await screen.findByRole('group', { name: 'Undo the run on 2 sites?' });
    within(question).getByText(
      '2 sites that this run created are removed: their addresses stop responding. What others changed since stays.',
    );
    within(question).getByText('2 sites: The preview and live addresses stop answering.');
    expect(within(question).getByRole('button', { name: 'Undo now' })).toHaveProperty('disabled', true);
    await person.click(within(question).getByRole('checkbox', { name: 'I understand the consequences' }));
    expect(await violations()).toEqual([]);
    world.filled.add('/content/wknd/ch/de/configuration');
    world.sites.set('wknd-ch-fr', { ...siteOf('wknd-ch-fr', '/content/wknd/ch/fr'), robots: { txt: 'mine' } });
    await person.click(within(question).getByRole('button', { name: 'Undo now' }));
    await screen.findByText('Undone on 1 of 2 sites.');
    screen.getByText('wknd-ch-fr: somebody has changed the site since, so it stays.');
    screen.getByText(
      'wknd-ch-de: undone. Its configuration page /content/wknd/ch/de/configuration stays, because somebody else created it, or it was changed since.',
    );
    expect([...world.sites.keys()]).toEqual(['wknd', 'wknd-ch-fr']);
    expect(await violations()).toEqual([]);
  });

  test('is not undone on a site whose page somebody else has locked, and says who and what to do', async () => {
    const { world, person } = await reviewCountry('de', 'fr');
    await person.click(await screen.findByRole('button', { name: 'Set up 2 sites' }));
    await screen.findByText('All 2 sites are set up.');
    world.locks.set('/content/wknd/ch/de/jcr:content', { owner: 'otto.org@example.com', isDeep: true });
    await person.click(screen.getByRole('button', { name: 'Undo 2 sites…' }));
    const question = await screen.findByRole('group', { name: 'Undo the run on 2 sites?' });
    await person.click(within(question).getByRole('checkbox', { name: 'I understand the consequences' }));
    await person.click(within(question).getByRole('button', { name: 'Undo now' }));
    await screen.findByText('Undone on 1 of 2 sites.');
    screen.getByText(
      /^wknd-ch-de: \/content\/wknd\/ch\/de is locked by otto\.org@example\.com in the authoring system\. Ask otto\.org@example\.com to unlock/,
    );
    expect(resultRows()).toEqual(['wknd-ch-de/content/wknd/ch/de, Created, PreviewLive', 'wknd-ch-fr/content/wknd/ch/fr, Undone, ']);
    expect(screen.queryByText('All 2 sites are set up.')).toBeNull();
    expect([...world.sites.keys()]).toEqual(['wknd', 'wknd-ch-de']);
    world.locks.clear();
    await person.click(screen.getByRole('button', { name: 'Try 1 site again' }));
    await screen.findByText('Undone on 2 of 2 sites.');
    expect(resultRows()).toEqual(['wknd-ch-de/content/wknd/ch/de, Undone, ', 'wknd-ch-fr/content/wknd/ch/fr, Undone, ']);
  });

  test('returns focus to the button of its undo if the undo is declined', async () => {
    const { person } = await reviewCountry('de');
    await person.click(await screen.findByRole('button', { name: 'Set up 1 site' }));
    await person.click(await screen.findByRole('button', { name: 'Undo 1 site…' }));
    await person.click(await screen.findByRole('button', { name: 'Keep the sites' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo 1 site…' }));
  });

  test('on the hosted service shows what a site waits for, and how long that takes', async () => {
    const world = createSitesWorld();
    addCountry(world, 'ch', ['de']);
    const { info } = world.ports.service;
    const { config } = world.ports.hosts;
    const { wait } = world.ports;
    let follow: () => void = () => undefined;
    const followed = new Promise<void>((resolve) => (follow = resolve));
    let isServed = false;
    const hosted = async () => {
      const known = await info();
      return known.state === 'known' ? { ...known, value: { ...known.value, hosted: 'https://hosted.example.com' } } : known;
    };
    Object.assign(world.ports.service, { info: hosted });
    const late: typeof config = async (address) =>
      isServed ? await config(address) : { address, status: 404, answer: { state: 'missing' } };
    Object.assign(world.ports.hosts, { config: late });
    Object.assign(world.ports, {
      wait: async (...parameters: Parameters<typeof wait>) => (isServed ? await wait(...parameters) : await followed),
    });
    const { person } = show(world);
    await reviewLocales(person);
    await person.click(await screen.findByRole('button', { name: 'Set up 1 site' }));
    await screen.findByText(/On the hosted service, config\.json usually follows within two minutes, at most in ten\.$/);
    isServed = true;
    follow();
    await screen.findByText('The site is set up.');
  });

  test('retries only what failed', async () => {
    const { world, person } = await reviewCountry('de', 'fr');
    const set = await screen.findByRole('button', { name: 'Set up 2 sites' });
    await waitFor(() => expect(set).toHaveProperty('disabled', false));
    world.refuse = (path) => (path.includes('wknd-ch-fr') ? problem('STORAGE_FULL', 507, 'The storage is full.') : undefined);
    await person.click(set);
    const alert = await screen.findByRole('alert');
    within(alert).getByText('1 site failed; 1 are set up.');
    screen.getByText('Registering the site: The storage is full.');
    expect(screen.queryByRole('link', { name: 'Download CSV', hidden: true })).toBeNull();
    expect(await violations()).toEqual([]);
    // A retry would fail again, so only the correction is offered.
    expect(within(alert).queryByRole('button', { name: /again/ })).toBeNull();
    world.refuse = () => undefined;
    await person.click(within(alert).getByRole('button', { name: 'Review 1 site' }));
    await person.click(await screen.findByRole('button', { name: 'Set up 1 site' }));
    await screen.findByText('The site is set up.');
  });

  test('offers a retry of a temporary failure', async () => {
    const { world, person } = await reviewCountry('de');
    const set = await screen.findByRole('button', { name: 'Set up 1 site' });
    await waitFor(() => expect(set).toHaveProperty('disabled', false));
    world.refuse = (path) => (path.includes('wknd-ch-de') ? { kind: 'refused', status: 503 } : undefined);
    await person.click(set);
    const alert = await screen.findByRole('alert');
    expect(within(alert).queryByRole('button', { name: 'Review 1 site' })).toBeNull();
    world.refuse = () => undefined;
    await person.click(within(alert).getByRole('button', { name: /1 site again|Continue/ }));
    await screen.findByText('The site is set up.');
  });

  test('pauses if the sign-in ends without renewal, and continues with the others after it', async () => {
    const world = createSitesWorld();
    const names = Array.from({ length: 20 }, (_none, index) => `a${String.fromCodePoint(97 + index)}`);
    addCountry(world, 'ch', names);
    const { person } = show(world);
    await reviewLocales(person);
    const set = await screen.findByRole('button', { name: 'Set up 20 sites' });
    await waitFor(() => expect(set).toHaveProperty('disabled', false));
    const requested = new Set<string>();
    world.refuse = (path) => {
      if (path === '/sites' || world.sites.size < 5) return undefined;
      requested.add(path);
      return problem('NOT_AUTHENTICATED', 401, 'The token has expired.');
    };
    await person.click(set);
    const alert = await screen.findByRole('alert');
    within(alert).getByText(/^Your sign-in has ended\. \d+ are set up, \d+ remain\.$/);
    expect(screen.queryByText(/Ask an administrator/)).toBeNull();
    expect(screen.getAllByText('Sign in again, then continue. Completed steps are kept.').length).toBeLessThanOrEqual(AT_ONCE);
    expect(screen.getAllByText('Not started').length).toBeGreaterThan(0);
    // Only those in progress at that time.
    expect(requested.size).toBeLessThanOrEqual(2 * AT_ONCE);
    expect(within(alert).queryByRole('button', { name: /Review/ })).toBeNull();
    expect(await violations()).toEqual([]);
    world.refuse = () => undefined;
    await person.click(within(alert).getByRole('button', { name: /^Sign in and continue with \d+ remaining$/ }));
    await screen.findByText(/All 20 sites are set up\./);
    expect(world.sites.size).toBe(21);
  });

  test('reports that the sites cannot be read after it, and reads them on request into the tree', async () => {
    const { world, person } = await reviewCountry('de');
    const set = await screen.findByRole('button', { name: 'Set up 1 site' });
    await waitFor(() => expect(set).toHaveProperty('disabled', false));
    world.refuse = (path) => (path === '/sites' ? problem('STORAGE_FULL', 507, 'The sites cannot be listed.') : undefined);
    await person.click(set);
    await screen.findByText('The site is set up.');
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The sites cannot be listed.');
    await person.click(screen.getByRole('button', { name: 'Back to the tree' }));
    expect(screen.queryByRole('row', { name: /^de de .*Changed since verified wknd-ch-de/ })).toBeNull();
    screen.getByText('The sites cannot be listed.');
    expect(await violations()).toEqual([]);
    world.refuse = () => undefined;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('row', { name: /^de de .*Changed since verified wknd-ch-de/ });
    expect(screen.queryByText('The sites cannot be listed.')).toBeNull();
  });

  test('can be stopped, and continues after the tab was closed', async () => {
    const { world, ...first } = await reviewCountry('de', 'fr', 'it');
    const set = await screen.findByRole('button', { name: 'Set up 3 sites' });
    await waitFor(() => expect(set).toHaveProperty('disabled', false));
    let open = (): void => undefined;
    world.gate = new Promise((resolve) => (open = resolve));
    await first.person.click(set);
    screen.getByRole('progressbar', { name: 'Setting up the sites' });
    expect(await violations()).toEqual([]);
    await first.person.click(screen.getByRole('button', { name: 'Stop' }));
    open();
    await screen.findByText('Stopped. 0 are set up, 3 remain.');
    first.close();

    const second = show(world);
    const notice = await screen.findByRole('region', { name: 'Unfinished run' });
    within(notice).getByText(/Setup of 3 sites for the base site “wknd” started/);
    expect(await violations()).toEqual([]);
    await second.person.click(within(notice).getByRole('button', { name: 'Continue with 3 sites' }));
    await pressEnabled(second.person, 'Set up 3 sites');
    await screen.findByText(/All 3 sites are set up\./);
    expect(world.sites.size).toBe(4);
  });
});
describe('Cloning a site', () => {
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

  test('shows the differences, creates the site with the new name and content root, and opens it', async () => {
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

  test('requires a valid name and content root, and the field explains why', async () => {
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

  test('reports a failure, and can be cancelled', async () => {
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

/** The cells of each row of a run's results. */
function resultRows(): string[] {
  const rows = within(screen.getByRole('region', { name: 'Result for each site' }))
    .getAllByRole('row')
    .slice(1);
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(', '));
}
