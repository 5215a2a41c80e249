import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, test } from 'vitest';
import { goTo } from '@repoless/extension/host/address-state.ts';
import { Shell } from '@repoless/extension/features/shell/Shell.tsx';
import { WELCOMED } from '@repoless/extension/host/storage.ts';
import { CallerContext } from '@repoless/extension/ui/organization-contexts.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { renderInSurface } from './in-surface.tsx';
import { renderPage, violations } from './render-page.tsx';
import { register, showSites } from './rollouts-world.tsx';
import { siteOf } from './sites-world.ts';
import { createWorld, problem } from './world.ts';

type Answer = Known<unknown> | undefined;
const REFUSED: Answer = { state: 'failed', failure: { kind: 'refused', status: 400 } };

/** A gate that holds writes until opened with an answer. */
function createGate() {
  let open: (answer: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((resolve) => {
    open = resolve;
  });
  return { promise, open: (answer: Answer) => open(answer) };
}

const SITE = 'shell-de';
const BEN = 'ben.builder@example.com';

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  await register(backend, SITE, '/content/wknd/de');
});

const places = () => screen.findByRole('navigation', { name: 'Views' });
const place = async (name: string) => within(await places()).findByRole('link', { name });
const shown = async () => within(await places()).getByRole('link', { current: 'page' }).textContent;
const heading = (name: string) => screen.findByRole('heading', { name });

describe('a first visit', () => {
  const welcome = () => screen.findByRole('region', { name: 'What you can do here' });

  test.each([
    ['a user who may not configure sites', ['publish'] as const, /^Set up the site of this page in one press/],
    ['a configuration administrator', ['config_admin'] as const, /^“All sites” shows the state of every site/],
    ['an administrator', ['config_admin', 'admin'] as const, /^“Access” shows who may do what/],
  ])('tells %s in three lines what they can do, until it is closed for good', async (_who, roles, first) => {
    localStorage.removeItem(WELCOMED);
    const visit = () =>
      renderInSurface(
        <CallerContext
          value={{
            profile: async () => ({ state: 'missing' }),
            organizations: async () => ({ state: 'known', value: { orgs: [{ name: 'wknd', roles: [...roles] }] } }),
          }}
        >
          <Shell title="A site" places={[]} facts={null}>
            <p>What is there</p>
          </Shell>
        </CallerContext>,
      );
    visit();
    const lines = within(await welcome()).getAllByRole('listitem');
    expect(lines).toHaveLength(3);
    expect(lines[0]?.textContent).toMatch(first);
    expect(await violations()).toEqual([]);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Got it' }));
    expect(screen.queryByRole('region', { name: 'What you can do here' })).toBeNull();
    cleanup();
    visit();
    await screen.findByText('What is there');
    expect(screen.queryByRole('region', { name: 'What you can do here' })).toBeNull();
  });
});

describe('the shell of an organization', () => {
  test('has several places, each with an address for Back and Forward', async () => {
    const { person } = await showSites(backend);
    await screen.findByRole('grid', { name: 'Sites of the organization' });
    expect(await shown()).toBe('All sites');
    for (const [name, title] of [
      ['Content tree', 'Content tree'],
      ['Repositories', 'Repositories'],
      ['Access', 'Access to the organization “wknd”'],
      ['History', 'History of the organization “wknd”'],
    ] as const) {
      await person.click(await place(name));
      await heading(title);
      expect(await shown()).toBe(name);
      expect(screen.getAllByRole('heading', { level: 1 }).map((one) => one.textContent)).toEqual(['wknd']);
      expect(await violations()).toEqual([]);
    }
    history.back();
    await heading('Access to the organization “wknd”');
    history.back();
    await heading('Repositories');
    history.forward();
    await heading('Access to the organization “wknd”');
    expect(await shown()).toBe('Access');
  });

  test('opens a site and returns to the unchanged list', async () => {
    const { person } = await showSites(backend);
    await person.type(await screen.findByRole('searchbox'), 'shell');
    await person.click(await screen.findByRole('row', { name: new RegExp(`^${SITE} `) }));
    await person.click(await screen.findByRole('button', { name: `Access to “${SITE}”` }));
    await heading(`Access to “${SITE}”`);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(SITE);
    expect(location.hash).toContain(`place=access`);
    expect(location.hash).toContain(`site=${SITE}`);
    expect(await violations()).toEqual([]);
    await person.click(await place('History'));
    await heading(`History of the site “${SITE}”`);
    await person.click(screen.getByRole('link', { name: 'All sites of “wknd”' }));
    expect(await screen.findByRole('searchbox')).toHaveProperty('value', 'shell');
    await heading(`Site “${SITE}”`);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBe(document.activeElement));
  });

  test('opens the place of its address, and the list for an unknown place', async () => {
    const first = await showSites(backend, { hash: `#/organization?place=history&site=${SITE}` });
    await heading(`History of the site “${SITE}”`);
    expect(await shown()).toBe('History');
    first.close();
    await showSites(backend, { hash: '#/organization?place=nowhere' });
    await screen.findByRole('grid', { name: 'Sites of the organization' });
  });

  test('reports a missing site or rollout, and links to the history of the site', async () => {
    const first = await showSites(backend, { hash: '#/organization?place=configuration&site=nowhere' });
    await screen.findByText('The organization “wknd” has no site “nowhere”.');
    expect(await violations()).toEqual([]);
    await first.person.click(screen.getByRole('link', { name: 'History of “nowhere”' }));
    await screen.findByText(/There is no history yet/);
    first.close();
    await showSites(backend, { hash: '#/organization?rollout=NOT%20ONE' });
    await screen.findByText('There is no such rollout.');
  });

  test('has an address for the open version of a history', async () => {
    const first = await showSites(backend, { hash: `#/organization?place=history&site=${SITE}` });
    await first.person.click(await screen.findByRole('button', { name: /Version 1 / }));
    await heading('Version 1');
    const address = location.hash;
    expect(address).toContain('version=1');
    await first.person.click(await place('Access'));
    await heading(`Access to “${SITE}”`);
    expect(location.hash).not.toContain('version');
    first.close();
    await showSites(backend, { hash: address });
    await heading('Version 1');
  });

  test('asks about an unsaved change before a link or Back leaves it', async () => {
    const { person } = await showSites(backend, { hash: `#/organization?place=history&site=${SITE}` });
    await heading(`History of the site “${SITE}”`);
    await person.click(await place('Access'));
    await person.type(await screen.findByRole('textbox', { name: 'Add to Administrators' }), `${BEN}{Enter}`);
    const entry = () => screen.queryByRole('button', { name: `Remove ${BEN} from Administrators` });
    expect(entry()).not.toBeNull();

    history.back();
    await screen.findByText('Your change is not saved yet');
    expect(await shown()).toBe('Access');
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Stay' }));
    await waitFor(() => expect(screen.queryByText('Your change is not saved yet')).toBeNull());
    expect(entry()).not.toBeNull();
    expect(location.hash).toContain('place=access');

    await person.click(screen.getByRole('link', { name: 'All sites of “wknd”' }));
    await screen.findByText('Your change is not saved yet');
    expect(entry()).not.toBeNull();
    await person.click(screen.getByRole('button', { name: 'Leave without saving' }));
    await screen.findByRole('grid', { name: 'Sites of the organization' });
    expect(screen.queryByText('Your change is not saved yet')).toBeNull();
  });
});

describe('a plan in progress in a site opened from the list', () => {
  /** Starts a plan that waits for the gate; the previous address was the organization's history. */
  async function start(gate: Promise<Answer>) {
    const world = await showSites(backend, { hash: '#/organization?place=history', gate });
    await heading('History of the organization “wknd”');
    goTo(`#/organization?place=setup&site=${SITE}`);
    await world.person.click(await screen.findByRole('button', { name: 'Enable repoless' }));
    await screen.findByRole('button', { name: 'Stop' });
    return world;
  }

  test('disables links except those to the other places of the site', async () => {
    const gate = createGate();
    const { person } = await start(gate.promise);
    expect(screen.queryByRole('link', { name: 'All sites of “wknd”' })).toBeNull();
    expect(screen.getByText('All sites of “wknd”')).not.toBeNull();
    await person.click(await place('Health'));
    await heading('Check this site');
    expect(screen.queryByText('Changes are still being made')).toBeNull();
    gate.open(REFUSED);
    await screen.findByRole('link', { name: 'All sites of “wknd”' });
  });

  test('asks before Back leaves the site, and continues on Escape', async () => {
    const gate = createGate();
    const { person } = await start(gate.promise);
    history.back();
    await screen.findByText('Changes are still being made');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('Changes are still being made')).toBeNull());
    expect(location.hash).toContain(`site=${SITE}`);
    screen.getByRole('button', { name: 'Stop' });
    gate.open(REFUSED);
    await screen.findByRole('link', { name: 'All sites of “wknd”' });
  });

  test('can be left after confirmation', async () => {
    const gate = createGate();
    const { person } = await start(gate.promise);
    history.back();
    await screen.findByText('Changes are still being made');
    await person.click(screen.getByRole('button', { name: 'Stop and leave' }));
    await heading('History of the organization “wknd”');
    gate.open(REFUSED);
  });
});

describe('the shell of a page', () => {
  test('executes no further step of a plan after it is closed', async () => {
    const [world, gate] = [createWorld(), createGate()];
    const writes: string[] = [];
    world.gate = gate.promise.then(() => undefined);
    world.refuseWrite = ({ address }) => {
      writes.push(address);
      return undefined;
    };
    const { person } = renderPage(world);
    await person.click(await screen.findByRole('button', { name: 'Enable repoless' }));
    await screen.findByRole('button', { name: 'Stop' });
    cleanup();
    gate.open(undefined);
    await waitFor(() => expect(writes).not.toEqual([]));
    expect(writes).toHaveLength(1);
  });

  test('shows one place of its site, and preserves the input of the setup', async () => {
    const { person } = renderPage(createWorld());
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    await person.clear(name);
    await person.type(name, 'another');
    await person.click(await place('Health'));
    await heading('Check this site');
    expect(screen.queryByRole('textbox', { name: 'Site name' })).toBeNull();
    expect(await violations()).toEqual([]);
    history.back();
    expect(await screen.findByRole('textbox', { name: 'Site name' })).toHaveProperty('value', 'another');
  });

  test('keeps all places of its site while the site cannot be reloaded', async () => {
    const world = createWorld();
    const config = siteOf('summit', '/content/summit');
    let answer: Awaited<ReturnType<SetupPorts['service']['site']>> = {
      state: 'known',
      value: { config, own: config, etag: '"1"', version: 1 },
    };
    const service = { ...world.ports.service, site: async () => answer };
    const { person } = renderPage({ ...world, ports: { ...world.ports, service } }, 'en-US', 'light', '#/page-properties?place=health');
    await place('Access');
    answer = { state: 'failed', failure: problem('STORAGE_FULL', 503, 'The site cannot be read.') };
    await person.click(await screen.findByRole('button', { name: 'Check now' }));
    await screen.findAllByText(/The site cannot be read\./);
    await place('Access');
    await place('Configuration');
    answer = { state: 'missing' };
    await person.click(screen.getByRole('button', { name: 'Check now' }));
    await waitFor(async () => expect(within(await places()).queryByRole('link', { name: 'Access' })).toBeNull());
  });

  test('offers no configuration and access of an unregistered site, and opens the setup instead', async () => {
    renderPage(createWorld(), 'en-US', 'light', '#/page-properties?place=access');
    await heading('Planned steps');
    expect(await shown()).toBe('Setup');
    const offered = within(await places()).getAllByRole('link');
    expect(offered.map((link) => link.textContent)).toEqual(['Setup', 'Health', 'History']);
  });
});
