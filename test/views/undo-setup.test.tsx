import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Site, type SiteListEntry } from '@repoless/contract/site.ts';
import { PREVIOUS_PROPERTY } from '@repoless/core/situation/edge-configuration.ts';
import { press, pressEnabled } from './in-surface.tsx';
import { renderPage, violations } from './render-page.tsx';
import { createWorld, TRIED, type World } from './world.ts';

const entry = (name: string, root: string): SiteListEntry => ({
  name,
  path: '',
  code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
  content: { source: { type: 'markup', url: `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${name}/main` } },
  public: { paths: { mappings: [`${root}/:/`] } },
});
const LOCALES = ['at', 'be', 'ch', 'de', 'fr', 'it', 'nl'].map((locale) => entry(`summit-${locale}`, `/content/summit/${locale}`));

interface SetUp {
  /** The other sites of the organization. */
  readonly sites?: readonly SiteListEntry[];
  /** The names of the site's secrets and API keys. */
  readonly names?: readonly string[];
  readonly world?: World;
}

/** A page that is set up. */
async function setUp({ sites = [], names = [], world = createWorld() }: SetUp = {}) {
  const known = <T,>(value: T) => ({ state: 'known', value }) as const;
  Object.assign(world.ports.service, {
    allSites: async () => known([entry('summit', '/content/summit'), ...sites]),
    removal: { secrets: async () => known(names), apiKeys: async () => known(names.map((name) => `${name} key`)) },
  });
  const { person } = renderPage(world);
  await person.click(await screen.findByRole('button', { name: /^(?:Enable repoless|Finish setup)/ }));
  await screen.findByRole('heading', { name: /^This page is set up for repoless/ });
  return { world, person };
}

describe('The undo of a setup', () => {
  test('lists what is deleted with the site', async () => {
    const { person } = await setUp({ names: ['cm-byog', 'cdn'] });
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText('These secrets will be deleted with the site, and can’t be restored: cm-byog, cdn');
    screen.getByText('These API keys will be deleted with the site, and can’t be restored: cm-byog key, cdn key');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
    expect(await violations()).toEqual([]);
  });

  test('shows consequences for people, and requires a separate confirmation of grave ones', async () => {
    const { world, person } = await setUp();
    const consequences = [{ what: { kind: 'account-removed', account: 'p100-e200@techacct.example.com' }, grave: true, sites: [] }];
    Object.assign(world.ports.service, { dryRun: async () => ({ state: 'known', value: { ...TRIED, consequences } }) });
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText(/^Without the technical account p100-e200@techacct\.example\.com, publishing from its authoring system stops/);
    const now = screen.getByRole('button', { name: 'Undo setup now' });
    expect(now).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
    expect(now).toHaveProperty('disabled', false);
    await person.click(now);
    await screen.findByText(/^The site “summit” is removed/);
  });

  test('preserves a configuration page that others have changed, and says so before and after', async () => {
    const { world, person } = await setUp();
    world.isPageFilled = true;
    const stays =
      /^The configuration page \/content\/summit\/configuration stays, because somebody else created it, or it was changed since\.$/;
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText(stays);
    await pressEnabled(person, 'Undo setup now');
    await screen.findByText(/^The site “summit” is removed/);
    screen.getByText(stays);
    expect(world.configurationPage).toBe(true);
    expect(await violations()).toEqual([]);
  });

  test('reports that what is deleted could not be read, even if its code failed to load, and retries when reopened', async () => {
    const { world, person } = await setUp({ names: ['cdn'] });
    const { removal } = world.ports.service;
    Object.assign(world.ports.service, { removal: { ...removal, secrets: () => Promise.reject(new TypeError('Failed to fetch')) } });
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText('The configuration service does not respond.');
    expect(screen.queryByText('Checking whether the setup can be undone…')).toBeNull();
    expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    Object.assign(world.ports.service, { removal });
    await press(person, 'Keep the setup', 'Undo setup…');
    await screen.findByText('These secrets will be deleted with the site, and can’t be restored: cdn');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
  });

  test('is not reported as done if its record was removed after it was shown, and explains why', async () => {
    const { world, person } = await setUp();
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
    const versions = world.versions.length;
    world.properties.delete(PREVIOUS_PROPERTY);
    await person.click(screen.getByRole('button', { name: 'Undo setup now' }));
    await screen.findByText('The plan has changed');
    await screen.findByText(/^The previous values are no longer saved/);
    expect(screen.queryByText(/is removed/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again from the failed step' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Undo setup now' })).toBeNull();
    expect(world.versions).toHaveLength(versions);
    expect(world.properties.get('projectType')).toBe('4');
    expect(await violations()).toEqual([]);
  });

  test('is shown again if its record has changed before anything is written, and then executed', async () => {
    const { world, person } = await setUp();
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
    const record = JSON.parse(world.properties.get(PREVIOUS_PROPERTY) ?? '') as object;
    world.properties.set(PREVIOUS_PROPERTY, JSON.stringify({ ...record, projectType: '2' }));
    await person.click(screen.getByRole('button', { name: 'Undo setup now' }));
    await screen.findByText('The plan has changed');
    expect(world.properties.get('projectType')).toBe('4');
    await pressEnabled(person, 'Undo setup now');
    await screen.findByText(/^The site “summit” is removed/);
    expect(world.properties.get('projectType')).toBe('2');
  });

  test('is not offered while other sites depend on the site, and names them', async () => {
    const { person } = await setUp({ sites: LOCALES });
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText('Other sites depend on “summit”: summit-at, summit-be, summit-ch, summit-de, summit-fr and 2 more.');
    expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
  });

  test('states first that the site is removed, names later changes of others, and discards them only after confirmation', async () => {
    const { world, person } = await setUp();
    changedByOtto(world, (site) => ({ ...site, headers: { '/**': [{ key: 'x', value: 'y' }] } }));
    await readAgain(person);
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText(/^The site “summit” will be removed: it did not exist before\./);
    screen.getByText('This later change will be lost:');
    screen.getByText(/^Version 2, .*, otto@example\.com$/);
    screen.getByRole('heading', { name: 'Remove the site' });
    expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', true);
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('checkbox', { name: 'Discard this change' }));
    await readAgain(person);
    expect(screen.getByRole('checkbox', { name: 'Discard this change' })).toHaveProperty('checked', true);
    await pressEnabled(person, 'Undo setup now');
    const result = await screen.findByText('The site “summit” is removed, and the authoring system has its previous values.');
    expect(result.compareDocumentPosition(screen.getByRole('heading', { name: 'Planned steps' }))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(world.versions.at(-1)).toBeUndefined();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Set up again' })).toHaveProperty('disabled', false));
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Set up again' }));
    await screen.findByRole('heading', { name: /^This page is set up for repoless/ });
  });

  test('preserves later changes of others, and says so', async () => {
    const world = createWorld();
    world.versions.push(SITE);
    world.others.set(1, 'otto@example.com');
    const { person } = await setUp({ world });
    changedByOtto(world, (site) => ({ ...site, headers: { '/**': [{ key: 'x', value: 'y' }] } }));
    await readAgain(person);
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await screen.findByText(/^What the setup changed in the site “summit” goes back to version 1 of /);
    screen.getByText('This later change stays:');
    await pressEnabled(person, 'Undo setup now');
    await screen.findByText(/^What the setup changed in the site “summit” is back at version 1; later changes stayed\./);
    expect(world.versions.at(-1)).toMatchObject({ headers: { '/**': [{ key: 'x' }] }, public: SITE.public });
  });

  test('says after a retry what became of the site and its page, as it was shown', async () => {
    const { world, person } = await setUp();
    await undoWhileLocked(world, person);
    await person.click(screen.getByRole('button', { name: 'Try again from the failed step' }));
    await screen.findByText('The site “summit” is removed, and the authoring system has its previous values.');
    expect(screen.queryByText(/^The configuration page .* stays/)).toBeNull();
    expect(world.configurationPage).toBe(false);
  });

  test('does not discard, in a retry, a change that was stored after the undo was shown', async () => {
    const { world, person } = await setUp();
    await undoWhileLocked(world, person);
    changedByOtto(world, (site) => ({ ...site, robots: { txt: 'mine' } }));
    await readAgain(person);
    await person.click(screen.getByRole('button', { name: 'Try again from the failed step' }));
    await screen.findByText('The plan has changed');
    await screen.findByText(/^Version 2, .*, otto@example\.com$/);
    expect(world.versions).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', true);
  });

  test('is shown again if someone changed the site after the undo was shown', async () => {
    const { world, person } = await setUp();
    await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo setup now' })).toHaveProperty('disabled', false));
    changedByOtto(world, (site) => ({ ...site, robots: { txt: 'mine' } }));
    await person.click(screen.getByRole('button', { name: 'Undo setup now' }));
    await screen.findByText('The plan has changed');
    await screen.findByText(/^Version 2, .*, otto@example\.com$/);
    expect(world.versions).toHaveLength(2);
    expect(world.properties.get('projectType')).toBe('4');
  });
});

/** The site before its setup, with another mapping. */
const SITE = Site.parse({
  version: 1,
  name: 'summit',
  created: '2026-01-01T00:00:00.000Z',
  lastModified: '2026-01-01T00:00:00.000Z',
  code: entry('summit', '').code,
  content: {
    source: { type: 'markup', url: 'https://author-p100-e200.example.com/bin/franklin.delivery/wknd/summit/main', suffix: '.html' },
  },
  access: { admin: { role: { admin: ['ada.admin@example.com'], config_admin: ['old@example.com'] } } },
  public: { paths: { mappings: ['/content/summit/old/:/'] } },
});

function changedByOtto(world: World, change: (site: Site) => Site): void {
  const current = world.versions.at(-1);
  if (current === undefined) throw new Error('There is no site to change.');
  world.versions.push(change(current));
  world.others.set(world.versions.length, 'otto@example.com');
}

/** An undo that fails before its first write. */
async function undoWhileLocked(world: World, person: ReturnType<typeof renderPage>['person']): Promise<void> {
  world.lockedBy = 'otto@example.com';
  await person.click(await screen.findByRole('button', { name: 'Undo setup…' }));
  await pressEnabled(person, 'Undo setup now');
  await screen.findByText(/ is locked by otto@example\.com in the authoring system\.$/);
  world.lockedBy = undefined;
}

async function readAgain(person: ReturnType<typeof renderPage>['person']): Promise<void> {
  await person.click(screen.getByRole('link', { name: 'Health' }));
  await person.click(await screen.findByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Check now' })).toHaveProperty('disabled', false));
  await person.click(screen.getByRole('link', { name: 'Setup' }));
}
