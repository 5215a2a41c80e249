import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { Site } from '@repoless/contract/site.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { clientOf, OTHER_ACCOUNT as NEW } from './access-world.tsx';
import { type Person, press } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { register, stored } from './rollouts-world.tsx';
import { ACCOUNT as OLD, addPage, createSitesWorld, type SitesWorld } from './sites-world.ts';
import { AUTHOR } from './world.ts';
import { english as catalogue } from '@repoless/core/messages/english.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { showSitesHome } from './render-sites.tsx';
import { startBeforeAll } from '../support/start-before-all.ts';

const sitesGerman = await createCatalogues()('de').read('sites');
const sitesEnglish = catalogue.sites;

const THERE = 'https://author-p100-e300.example.com';

/** The real service, and two authoring systems in memory. */
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));
let here: SitesWorld;
let there: SitesWorld;
/** Sites whose pages are not delivered. */
const closed = new Set<string>();
/** Sites whose move back the service refuses. */
const refused = new Set<string>();
beforeEach(() => {
  [here, there] = [createSitesWorld(), createSitesWorld()];
  closed.clear();
  refused.clear();
});

/** Creates a site with pages in this environment, and a copy of them in the other. */
async function site(name: string, copied = `/content/${name}`): Promise<void> {
  const root = `/content/${name}`;
  const url = printDeliveryAddress({ author: AUTHOR, connector: 'franklin', org: 'wknd', site: name, ref: 'main' });
  const role = { admin: [OPERATOR], config_admin: [OLD] };
  const content = { source: { type: 'markup' as const, url, suffix: '.html' } };
  await register(backend, name, root, { content, access: { admin: { role, requireAuth: 'auto' } } });
  addPage(here, root, { ownConfiguration: `/conf/${name}` });
  here.configurations.set(`/conf/${name}`, { owner: 'wknd', repo: name, projectType: '4' });
  addPage(there, copied);
}

async function show(locale = 'en-US') {
  const client = clientOf(backend.address, await backend.token(OPERATOR));
  const service = createServicePort(client);
  const nameIn = (address: string) => /main--(.+)--wknd/.exec(address)?.[1] ?? '';
  const portsOf = (author: string): SetupPorts => {
    const { ports } = author === THERE ? there : here;
    const account = { value: author === THERE ? NEW : OLD, source: { kind: 'derived' as const } };
    return {
      ...ports,
      service: {
        ...service,
        codeCheck: ports.service.codeCheck,
        codeSync: ports.service.codeSync,
        send: async (call) => {
          const isRefused =
            call.address.includes('versionName=put%20back') && [...refused].some((name) => call.address.includes(`/${name}.json`));
          return isRefused ? { state: 'failed', failure: { kind: 'refused', status: 403 } } : service.send(call);
        },
      },
      authoring: {
        ...ports.authoring,
        settings: async (...parameters) => {
          const settings = await ports.authoring.settings(...parameters);
          if (settings.state !== 'known') return settings;
          return { state: 'known', value: { ...settings.value, author, technicalAccount: account } };
        },
      },
      hosts: {
        ...ports.hosts,
        config: async (address) => {
          const read = await service.configuration('wknd', nameIn(address));
          const value = read.state === 'known' ? read.value.config.public : undefined;
          if (value === undefined) return { address, status: 404, answer: { state: 'missing' } };
          return { address, status: 200, answer: { state: 'known', value } };
        },
        page: async (address) => ({ address, status: closed.has(nameIn(address)) ? 404 : 200 }),
      },
    };
  };
  return showSitesHome({ ports: portsOf(AUTHOR), portsOf, client, path: '/content/wknd', service: backend.address }, locale);
}

/** A site's content source, and its publishers. */
async function endOf(name: string) {
  const { content, access } = await stored(backend, name);
  return { author: new URL(content?.source.url ?? '').origin, accounts: access?.admin?.role?.config_admin };
}

const withoutTimes = ({ lastModified: _time, content, ...site }: Site) => ({ ...site, content: content?.source });

const english = { sites: sitesEnglish.organization.label, move: sitesEnglish.move, production: sitesEnglish.production };
const german: typeof english = { sites: sitesGerman.organization.label, move: sitesGerman.move, production: sitesGerman.production };

/** Selects the sites that a search finds, and plans their move to the second environment. */
async function plan(person: Person, search: string, chosen: string, { sites, move, production } = english) {
  const grid = await screen.findByRole('grid', { name: sites });
  await person.type(screen.getByRole('searchbox'), search);
  await waitFor(() =>
    expect(
      within(grid)
        .getAllByRole('row')
        .slice(1)
        .every((row) => row.textContent?.includes(search)),
    ).toBe(true),
  );
  grid.focus();
  await person.keyboard('{Control>}a{/Control}');
  await screen.findByText(chosen);
  await person.click(screen.getByRole('button', { name: move.open({ count: Number(/\d+/.exec(chosen)) }) }));
  await screen.findByRole('heading', { name: move.place.title });
  // The author of other sites is offered, and preselected if it is the only one.
  const isKnown = screen.queryByRole<HTMLInputElement>('combobox', { name: production.author })?.value === THERE;
  if (!isKnown) await person.type(screen.getByRole('textbox', { name: production.author }), THERE);
  const page = screen.getByRole('textbox', { name: move.place.page });
  expect(screen.queryByRole('textbox', { name: production.suffix })).toBeNull();
  await person.clear(page);
  await person.type(page, '/content/wknd');
  await person.click(screen.getByRole('button', { name: move.place.read }));
}

test('Selected sites move to another environment, are verified, and move back', async () => {
  await site('harbour');
  const before = await stored(backend, 'harbour');
  const { person } = await show();
  await plan(person, 'harbour', '1 site selected');
  await screen.findByText(`From ${AUTHOR} to ${THERE}. In the access lists, the technical account ${NEW} replaces ${OLD}.`);
  const row = screen.getByRole('row', { name: /^harbour\s*Moves/ });
  within(row).getByText(`${AUTHOR}/content/harbour →`);
  within(row).getByText(`${THERE}/content/harbour`);
  within(row).getByText('/access/admin/role/config_admin/0');
  expect(await violations()).toEqual([]);
  expect(await endOf('harbour')).toEqual({ author: AUTHOR, accounts: [OLD] });

  await person.click(screen.getByRole('button', { name: 'Move 1 site' }));
  await screen.findByText('The site is in the new environment.');
  expect(await violations()).toEqual([]);
  expect(await endOf('harbour')).toEqual({ author: THERE, accounts: [NEW] });
  expect(there.pages.get('/content/harbour')?.ownConfiguration).toBe('/conf/harbour');
  expect(there.configurations.get('/conf/harbour')).toMatchObject({ owner: 'wknd', repo: 'harbour', projectType: '4' });

  await person.click(screen.getByRole('button', { name: 'Move 1 site back…' }));
  await screen.findByText(`From ${THERE} to ${AUTHOR}. In the access lists, the technical account ${OLD} replaces ${NEW}.`);
  await person.click(screen.getByRole('button', { name: 'Move 1 site' }));
  await screen.findByText('The site is in the new environment.');
  expect(withoutTimes(await stored(backend, 'harbour'))).toEqual(withoutTimes(before));
  await person.click(screen.getByRole('button', { name: 'Back to all sites' }));
  await screen.findByRole('grid', { name: 'Sites of the organization' });
  expect(screen.queryByText('Unfinished move')).toBeNull();
});

test('A site can be excluded; the focus moves to the next, and to the heading after the last', async () => {
  await site('quay-one');
  await site('quay-two');
  const { person } = await show();
  await plan(person, 'quay', '2 sites selected');
  await person.click(await screen.findByRole('button', { name: 'Exclude quay-one' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Exclude quay-two' }));
  screen.getByText('quay-one excluded.', { selector: '[role=status]' });
  expect(await violations()).toEqual([]);
  await person.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Move 0 sites/ }));
});

test('A site that cannot move shows the reason, and accepts a different path', async () => {
  await site('ferry', '/content/prod/ferry');
  const { person } = await show();
  await plan(person, 'ferry', '1 site selected');
  const staying = within(await screen.findByRole('group', { name: 'No site is left to move.' }));
  staying.getByText(/^ferry: The page \/content\/ferry doesn’t exist on https:\/\/author-p100-e300\.example\.com/);
  expect(screen.queryByRole('row', { name: /^ferry/ })).toBeNull();
  expect(screen.getByRole('button', { name: /^Verify/ })).toHaveProperty('disabled', true);
  await person.click(screen.getByText('Paths and accounts'));
  await person.type(screen.getByRole('textbox', { name: 'Content path in the old environment' }), '/content/ferry');
  await person.click(screen.getByRole('button', { name: 'Plan again' }));
  expect((await screen.findAllByText('Enter a path that starts with /content/, in both fields.')).length).toBeGreaterThan(0);
  expect(await violations()).toEqual([]);
  await person.type(screen.getByRole('textbox', { name: 'The same content in the new environment' }), '/content/prod/ferry');
  await person.click(screen.getByRole('checkbox', { name: 'Keep the old technical account as well' }));
  await person.click(screen.getByRole('button', { name: 'Plan again' }));
  await screen.findByRole('row', { name: /^ferry\s*Moves/ });
  await person.click(screen.getByRole('button', { name: 'Move 1 site' }));
  await screen.findByText('The site is in the new environment.');
  expect((await stored(backend, 'ferry')).public?.paths?.includes).toEqual(['/content/prod/ferry/']);
  expect(await endOf('ferry')).toEqual({ author: THERE, accounts: [OLD, NEW] });
});

test('Many sites that cannot move show a shared reason once, and a slow read shows its progress and can be cancelled', async () => {
  for (let number = 1; number <= 12; number++) await site(`orchard-${number}`, number === 1 ? undefined : `/content/elsewhere/${number}`);
  const { person } = await show();
  let release = (): void => undefined;
  there.gate = new Promise((resolve) => {
    release = resolve;
  });
  await plan(person, 'orchard', '12 sites selected');
  await screen.findByRole('progressbar', { name: 'Reading the sites in both environments: 0 of 12…' });
  expect(await violations()).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('grid', { name: 'Sites of the organization' });
  release();
  there.gate = Promise.resolve();
  await person.clear(screen.getByRole('searchbox'));
  await plan(person, 'orchard', '12 sites selected');
  const staying = within(await screen.findByRole('group', { name: '11 sites can’t move. The others can.' }));
  staying.getByText(`11 pages don’t exist on ${THERE}, or you can’t access them. Copy them there first, or enter the path there.`);
  staying.getByText('11 sites');
  expect(staying.getAllByText(/^orchard-\d+: The page/)).toHaveLength(11);
  screen.getByRole('row', { name: /^orchard-1\s*Moves/ });
  expect(screen.getAllByRole('row')).toHaveLength(2);
  expect(await violations()).toEqual([]);
});

test('A run that fails at one site leaves it unchanged; when reopened, the rest is planned and moved', async () => {
  await site('meadow-one');
  await site('meadow-two');
  closed.add('meadow-two');
  const before = await stored(backend, 'meadow-two');
  const { person, close } = await show();
  await plan(person, 'meadow', '2 sites selected');
  await person.click(await screen.findByRole('button', { name: 'Move 2 sites' }));
  const alert = await screen.findByRole('alert');
  within(alert).getByText('1 site failed and stayed where it was; 1 moved.');
  within(screen.getByRole('row', { name: /^meadow-two/ })).getByText(/^Checking its pages on the preview host: /);
  expect(await violations()).toEqual([]);
  expect(withoutTimes(await stored(backend, 'meadow-two'))).toEqual(withoutTimes(before));
  expect(there.pages.get('/content/meadow-two')?.ownConfiguration).toBeUndefined();
  expect(await endOf('meadow-one')).toEqual({ author: THERE, accounts: [NEW] });
  close();

  closed.clear();
  const again = await show();
  await screen.findByText('Unfinished move');
  screen.getByText(/^The move of 1 site to https:\/\/author-p100-e300\.example\.com was started on /);
  expect(await violations()).toEqual([]);
  await again.person.click(screen.getByRole('button', { name: 'Plan the rest' }));
  await screen.findByRole('row', { name: /^meadow-two\s*Moves/ });
  await again.person.click(screen.getByRole('button', { name: 'Move 1 site' }));
  await screen.findByText('The site is in the new environment.');
  expect(await endOf('meadow-two')).toEqual({ author: THERE, accounts: [NEW] });
  await again.person.click(screen.getByRole('button', { name: 'Back to all sites' }));
  await screen.findByRole('grid', { name: 'Sites of the organization' });
  expect(screen.queryByText('Unfinished move')).toBeNull();
});

test.each([
  [
    'en-US',
    english,
    '1 site selected',
    'Move 1 site',
    '1 site failed and was not moved back; 0 moved.',
    `The site was not moved back and gets its content from ${THERE}.`,
    'Move 1 site back…',
  ],
  [
    'de-DE',
    german,
    '1 Site gewählt',
    '1 Site umziehen',
    '1 Site ist fehlgeschlagen und wurde nicht zurückgeholt; 0 umgezogen.',
    `Die Site wurde nicht zurückgeholt und bezieht ihren Inhalt von ${THERE}.`,
    '1 Site zurückholen\u00a0…',
  ],
])(
  'A site that could not be moved back shows the source of its content, also after a retry (%s)',
  { timeout: 90_000 },
  async (locale, messages, chosen, move, title, sentence, back) => {
    const name = `island-${locale.slice(0, 2)}`;
    await site(name);
    closed.add(name);
    refused.add(name);
    const { person } = await show(locale);
    await plan(person, name, chosen, messages);
    await person.click(await screen.findByRole('button', { name: move }));
    for (const again of [false, true]) {
      if (again)
        await person.click(screen.getByRole('button', { name: messages === german ? '1 Site noch einmal versuchen' : 'Try 1 site again' }));
      within(await screen.findByRole('alert')).getByText(title);
      within(screen.getByRole('row', { name: new RegExp(`^${name}`) })).getByText(sentence, { exact: false });
      expect((await endOf(name)).author).toBe(THERE);
    }
    expect(await violations()).toEqual([]);
    screen.getByRole('button', { name: back });
  },
);

test('An environment used by other sites is offered as a choice', async () => {
  await site('pier');
  const url = printDeliveryAddress({ author: THERE, connector: 'franklin', org: 'wknd', site: 'bridge', ref: 'main' });
  await register(backend, 'bridge', '/content/bridge', { content: { source: { type: 'markup', url, suffix: '.html' } } });
  const { person } = await show();
  await plan(person, 'pier', '1 site selected');
  await screen.findByText(`From ${AUTHOR} to ${THERE}.`, { exact: false });
  await press(person, 'Back to all sites', /^Move 1 to another environment/);
  const author = await screen.findByRole('combobox', { name: english.production.author });
  expect(author).toHaveProperty('value', THERE);
  expect(await violations()).toEqual([]);
  await person.clear(author);
  await person.keyboard('{ArrowDown}');
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([THERE]);
  await person.keyboard('{Escape}');
  const page = screen.getByRole('textbox', { name: english.move.place.page });
  await person.clear(page);
  await person.type(page, '/content/wknd');
  // Enter starts the plan, whatever was typed before.
  await person.clear(author);
  await person.type(author, `${THERE}{Enter}`);
  await screen.findByText(`From ${AUTHOR} to ${THERE}.`, { exact: false });
});

test('A stopped run leaves its sites unchanged, also in German', async () => {
  await site('plaza');
  const before = await stored(backend, 'plaza');
  let release = (): void => undefined;
  there.gate = new Promise((resolve) => {
    release = resolve;
  });
  const { person } = await show('de-DE');
  await plan(person, 'plaza', '1 Site gewählt', german);
  await press(person, '1 Site umziehen', 'Anhalten');
  release();
  await screen.findByText('Angehalten. 0 umgezogen, 1 sind noch, wo sie waren.');
  expect(await violations()).toEqual([]);
  expect(withoutTimes(await stored(backend, 'plaza'))).toEqual(withoutTimes(before));
  await person.click(screen.getByRole('button', { name: 'Mit 1 übrigen fortfahren' }));
  await screen.findByText('Die Site ist in der neuen Umgebung.');
  expect(await endOf('plaza')).toEqual({ author: THERE, accounts: [NEW] });
});
