import { Site } from '@repoless/contract/site.ts';
import type { ContentPage } from '@repoless/core/situation/ports.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHistoryWorld } from './history-world.ts';
import { press } from './in-surface.tsx';
import { ADA, show as showHistory, siteWith } from './render-history.tsx';
import { renderPage, violations } from './render-page.tsx';
import { reviewLocales, show as showSites } from './render-sites.tsx';
import { addCountry, addPage, createSitesWorld, siteOf } from './sites-world.ts';
import { AUTHOR, createWorld, PAGE, type World } from './world.ts';

const TIME = '2026-03-04T05:06:07.000Z';
const WHOLE = [`${PAGE}/:/`, `${PAGE}/configuration:/.helix/config.json`];
const START = { name: 'Simulate on the pages' };

beforeAll(async () => {
  await Promise.all([
    import('@repoless/extension/features/page-properties/SiteSetup.tsx'),
    import('@repoless/extension/features/mappings/SimulateMappings.tsx'),
  ]);
}, 120_000);

/** A registered site with these mappings, and pages in the authoring system. */
function worldOf(mappings: readonly string[], paths: readonly string[]) {
  const world = createWorld();
  world.configurationPage = true;
  world.versions.push(
    Site.parse({
      version: 1,
      name: 'summit',
      created: TIME,
      lastModified: TIME,
      code: { owner: 'wknd', repo: 'wknd' },
      public: { paths: { mappings, includes: [`${PAGE}/`] } },
    }),
  );
  const reading: { gate: Promise<void>; failure?: Failure } = { gate: Promise.resolve() };
  const answer = async <T,>(make: () => T): Promise<Known<T>> => {
    await reading.gate;
    return reading.failure === undefined ? { state: 'known', value: make() } : { state: 'failed', failure: reading.failure };
  };
  const page = (path: string): ContentPage => ({
    path,
    title: path,
    kind: 'page',
    hasChildren: paths.some((one) => one.startsWith(`${path}/`)),
  });
  const authoring: World['ports']['authoring'] = {
    ...world.ports.authoring,
    content: (path) => answer(() => page(path)),
    children: (path) => answer(() => paths.filter((one) => one.slice(0, one.lastIndexOf('/')) === path).map(page)),
  };
  return { world: { ...world, ports: { ...world.ports, authoring } }, reading };
}

describe('A plan that changes the mappings of a registered site', () => {
  test('is simulated on the pages: counts, and the affected pages, the worst first', async () => {
    const { world } = worldOf([`${PAGE}/en/:/`], [`${PAGE}/en`, `${PAGE}/en/about`, `${PAGE}/about`]);
    const { person } = renderPage(world);
    const region = await screen.findByRole('region', { name: 'Effect on the pages' });
    const start = within(region).getByRole('button', START);
    await person.click(start);
    await within(region).findByText('2 pages get a different address, 2 pages get an address.');
    expect(document.activeElement).toBe(start);
    const list = within(region).getByRole('list', { name: 'Affected pages' });
    const lines = within(list).getAllByRole('button');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      `${PAGE}/en / → /en`,
      `${PAGE}/en/about /about → /en/about`,
      `${PAGE} gets the address /`,
      `${PAGE}/about gets the address /about`,
    ]);
    await person.tab();
    await person.keyboard('{ArrowDown}{Enter}');
    expect(document.activeElement).toBe(lines[1]);
    expect(region.textContent).toContain(`${PAGE}/en/about: /about → /en/about`);
    expect(await violations()).toEqual([]);
  });

  test('shows collisions in German', async () => {
    const { world } = worldOf(
      [`${PAGE}/team:/`, `${PAGE}/old:/new`, '/content/gone/:/gone/'],
      [`${PAGE}/new`, `${PAGE}/old`, `${PAGE}/team`],
    );
    const { person } = renderPage(world, 'de-DE');
    const region = await screen.findByRole('region', { name: 'Auswirkung auf die Seiten' });
    await person.click(within(region).getByRole('button', { name: 'An den Seiten simulieren' }));
    await within(region).findByText(
      '2 Seiten kollidieren, 1 Seite bekommt eine andere Adresse, 1 Seite bekommt eine Adresse, 1 Seite bleibt, wie sie ist.',
    );
    within(region).getByText((_text, element) => element?.textContent === `nicht zu sehen: /new zeigt ${PAGE}/old`, { selector: 'span' });
    expect(await violations()).toEqual([]);
  });

  test('reports only that no page is affected, if so', async () => {
    const { world } = worldOf(WHOLE.slice(0, 1), [`${PAGE}/en`]);
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', START));
    await screen.findByText('The addresses of all 2 pages stay as they are.');
    expect(screen.queryByRole('list', { name: 'Affected pages' })).toBeNull();
  });

  test('can be stopped, and explains why pages could not be read', async () => {
    const { world, reading } = worldOf(WHOLE.slice(0, 1), [`${PAGE}/en`]);
    let open = (): void => undefined;
    reading.gate = new Promise((resolve) => (open = resolve));
    const { person } = renderPage(world);
    const button = await screen.findByRole('button', START);
    await person.click(button);
    await screen.findByText('0 pages read…');
    await person.click(screen.getByRole('button', { name: 'Stop' }));
    await screen.findByText('The simulation was stopped.');
    open();
    reading.failure = { kind: 'refused', status: 403, system: 'authoring' };
    await person.click(screen.getByRole('button', START));
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Couldn’t read the pages');
    within(alert).getByText('You don’t have permission to read or change this in the authoring system.');
    expect(document.activeElement).toBe(button);
    expect(await violations()).toEqual([]);
  });
});

test('An undo that restores other mappings is simulated as well', async () => {
  const { world } = worldOf([`${PAGE}/en/:/`], [`${PAGE}/en`]);
  const { person } = renderPage(world);
  await press(person, /^(Enable repoless|Continue)$/, 'Undo setup…');
  const undo = await screen.findByRole('region', { name: 'Effect on the pages' });
  await person.click(within(undo).getByRole('button', START));
  await within(undo).findByText('1 page loses its address, 1 page gets a different address.');
  expect(await violations()).toEqual([]);
});

test('A plan that leaves the mappings as they are has nothing to simulate', async () => {
  const { world } = worldOf(WHOLE, [`${PAGE}/en`]);
  renderPage(world);
  await screen.findByRole('list', { name: 'Planned steps' });
  await waitFor(() => expect(screen.queryByRole('button', START)).toBeNull());
});

describe('A version that restores other mappings', () => {
  const HERE = '/content/wknd/de';

  /** A site whose second version mapped only one folder, with pages on its author. */
  function versions() {
    const world = createHistoryWorld();
    world.store(siteWith([ADA], [`${HERE}/:/`]));
    world.store(siteWith([ADA], [`${HERE}/shop:/shop`, `${HERE}/:/`]));
    world.store({ ...siteWith([ADA], [`${HERE}/shop:/shop`, `${HERE}/:/`]), title: 'Tarnfell' });
    const pages = createSitesWorld();
    addCountry(pages, 'de', ['shop', 'about']);
    const authors: string[] = [];
    const portsOf = (author: string) => {
      authors.push(author);
      return pages.ports;
    };
    return { world, portsOf, authors };
  }

  test('is simulated on the pages of the author of its content, and can still be dismissed', async () => {
    const { world, portsOf, authors } = versions();
    const { person } = showHistory(world, 'en-US', portsOf);
    await press(person, /^Stored for the first time/, 'Restore version 1…');
    const region = await screen.findByRole('region', { name: 'Effect on the pages' });
    within(region).getByText(/^This changes the path mapping of this site\./);
    await person.click(within(region).getByRole('button', START));
    await within(region).findByText(/pages? stays? as/);
    expect(new Set(authors)).toEqual(new Set([AUTHOR]));
    expect(await violations()).toEqual([]);
    expect(world.versions).toHaveLength(3);
    await person.click(screen.getByRole('button', { name: 'Restore version 1 now' }));
    await screen.findByText('Version 1 was restored.');
  });

  test('is not simulated if the mappings stay the same', async () => {
    const { world, portsOf } = versions();
    const { person } = showHistory(world, 'de-DE', portsOf);
    await press(person, /Version 2/, /Version 2 wiederherstellen/);
    await screen.findByRole('heading', { name: /Version 2 .*ändern/ });
    expect(screen.queryByRole('region', { name: 'Auswirkung auf die Seiten' })).toBeNull();
  });

  test('is not simulated if no pages can be read', async () => {
    const { world } = versions();
    const { person } = showHistory(world);
    await press(person, /^Stored for the first time/, 'Restore version 1…');
    await screen.findByRole('button', { name: 'Restore version 1 now' });
    expect(screen.queryByRole('region', { name: 'Effect on the pages' })).toBeNull();
  });
});

test('One of many sites with new mappings is marked, and is simulated in its details', async () => {
  const world = createSitesWorld();
  addCountry(world, 'ch', ['de', 'fr']);
  const root = '/content/wknd/ch/de';
  addPage(world, `${root}/about`);
  // The start page only.
  world.sites.set('wknd-ch-de', { ...siteOf('wknd-ch-de', root), public: { paths: { mappings: [`${root}:/`], includes: [`${root}/`] } } });
  const { person } = showSites(world);
  await reviewLocales(person);
  await screen.findByText('Path mapping changes');
  await person.click(screen.getByRole('button', { name: 'Details of /content/wknd/ch/fr' }));
  expect(screen.queryByRole('region', { name: 'Effect on the pages' })).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Details of /content/wknd/ch/de' }));
  const region = await screen.findByRole('region', { name: 'Effect on the pages' });
  within(region).getByText(/^Setting this site up changes its path mapping\./);
  await person.click(within(region).getByRole('button', START));
  await within(region).findByText('1 page gets an address, 1 page stays as it is.');
  expect(await violations()).toEqual([]);
});
