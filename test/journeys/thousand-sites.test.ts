import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { OrgChecks, type SiteState } from '@repoless/contract/site-check.ts';
import { fleetRoots } from '@repoless/sandbox/seed/fleet-roots.ts';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { IS_LONG } from '../support/long-tests.ts';
import { test } from '../support/shared-constellation.ts';
import { openPlace, panelDocument } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';
import { chooseSite } from './sites-panel.ts';

const FLEET = IS_LONG ? 1000 : 60;
const FAULTS = 40;
const WITHIN = 900_000;

const world = worldBeforeAll({ fleet: FLEET }, 300_000);

interface Root {
  readonly site: string;
  readonly path: string;
}

/** Mistakes that people make by hand, each through a public API. */
const WAYS: readonly ((root: Root) => Promise<void>)[] = [
  // The technical account is removed from the access list.
  ({ site }) => change(site, 'access', { admin: { role: { admin: [ADA], config_admin: ['carl.config@example.com'] } } }),
  // The mapping of the configuration page is lost.
  ({ site, path }) => change(site, 'public', { paths: { mappings: [`${path}/:/`], includes: [`${path}/`] } }),
  // Another environment's technical account replaces it.
  ({ site }) => change(site, 'access', { admin: { role: { admin: [ADA], config_admin: ['p100-e300@techacct.example.com'] } } }),
  // The page inherits the parent site's configuration.
  ({ path }) => world.post(`${path}/jcr:content`, { './cq:conf@Delete': '' }),
  // The page is switched back.
  ({ site }) => world.post(`/conf/${site}/${EDGE_CONFIGURATION}/jcr:content`, { './projectType': '1' }),
  // Its settings name another site.
  ({ site }) => world.post(`/conf/${site}/${EDGE_CONFIGURATION}/jcr:content`, { './repo': `${site}-old` }),
  // The configuration page is deleted.
  ({ path }) => world.post(`${path}/configuration`, { ':operation': 'delete' }),
  // The root is mapped without its slash.
  ({ site, path }) =>
    change(site, 'public', { paths: { mappings: [`${path}:/`, `${path}/configuration:/.helix/config.json`], includes: [`${path}/`] } }),
];

/** Problems of the seed that are not the site's fault, or that a person must first fix in the authoring system. */
const NOT_REPAIRED = ['wildcard-administrators', 'config-shadowed', 'delivery-answers'];
const BY_HAND = 'The configuration page is an ordinary page.';

/** Creates enough sites with problems: those of the seed that a repair fixes, and others. */
async function plantFaults(): Promise<readonly Root[]> {
  const roots = fleetRoots(FLEET).map(({ path, service, trouble }) => ({ path, site: service?.site ?? '', trouble }));
  const isOpen = ({ trouble }: (typeof roots)[number]): boolean =>
    trouble !== undefined && (NOT_REPAIRED.includes(trouble.check) || trouble.explanation === BY_HAND);
  // Only the administrator of the authoring system can open a site's delivery.
  for (const { site } of roots.filter((root) => root.trouble?.check === 'delivery-answers'))
    await world.post(`/conf/${site}/${EDGE_CONFIGURATION}/jcr:content`, { './open': 'true', './open@TypeHint': 'Boolean' });
  const seeded = roots.filter((root) => root.trouble !== undefined && !isOpen(root));
  const others = [...roots.filter(isOpen), ...roots.slice(1).filter(({ trouble }) => trouble === undefined)];
  const planted = others.slice(0, FAULTS - seeded.length);
  for (const [index, root] of planted.entries()) {
    if (root.trouble?.explanation === BY_HAND) await world.post(`${root.path}/configuration`, { ':operation': 'delete' });
    else await WAYS[index % WAYS.length]?.(root);
  }
  return [...seeded, ...planted].map(({ path, site }) => ({ path, site }));
}

test('Forty faults in a thousand sites are counted at once, repaired in one run that shows its changes, and undone in one', async () => {
  const faulty = await plantFaults();
  expect(faulty).toHaveLength(FAULTS);
  const names = faulty.map(({ site }) => site).toSorted();
  const first = await openList();
  await first.panel.getByRole('button', { name: 'Check', exact: true }).click();
  await first.panel.getByText(/^[\d,]+ sites checked\./).waitFor({ timeout: WITHIN });
  await first.context.close();
  const found = await states();
  const wrong = [...found].filter(([, state]) => state !== 'in-order').map(([name]) => name);
  expect(wrong.toSorted()).toEqual(names);

  // The list shows the current numbers from its first rendering, and counts each problem under its state.
  const { page, panel } = await openList();
  const drawn = await tilesDrawn(page);
  const stored = await checks();
  expect(drawn[0]).toEqual(drawn.at(-1));
  expect(drawn[0]?.['All']).toBe(stored.length);
  const { All: all, ...byState } = drawn[0] ?? {};
  expect(Object.values(byState).reduce((sum, count) => sum + count, 0)).toBe(all);
  await panel.getByRole('searchbox').fill('fleet');
  for (const [title, state] of TILES) {
    expect(byState[title]).toBe(stored.filter((one) => one.state === state).length);
    await panel
      .getByRole('group', { name: 'Sites by state' })
      .getByRole('button', { name: new RegExp(`${title}$`) })
      .click();
    const count = [...found.values()].filter((one) => one === state).length;
    await panel.getByText(new RegExp(`^${count} of [\\d,]+ sites$`)).waitFor();
    await panel.getByRole('grid', { name: 'Sites of the organization' }).press('Control+a');
  }
  await panel.getByText(new RegExp(`^${FAULTS} sites selected`)).waitFor();

  const before = await snapshot(faulty);
  await panel.getByRole('button', { name: `Repair ${FAULTS}…` }).click();
  await panel.getByText('Every site can be repaired.').waitFor({ timeout: WITHIN });
  const shown = (await panel.getByRole('region', { name: 'What changes' }).textContent()) ?? '';
  expect(names.filter((name) => !shown.includes(name))).toEqual([]);
  await confirm(panel);
  await panel.getByRole('button', { name: `Repair ${FAULTS} sites` }).click();
  await ended(panel, /^All [\d,]+ sites are| failed; | remain\.$/, `All ${FAULTS} sites are repaired`);
  expect(await snapshot(faulty)).not.toEqual(before);

  await panel.getByRole('button', { name: `Undo ${FAULTS} sites…` }).click();
  await panel.getByRole('button', { name: 'Undo now' }).waitFor({ timeout: WITHIN });
  await confirm(panel);
  await panel.getByRole('button', { name: 'Undo now' }).click();
  await ended(panel, /^Undone on /, `Undone on ${FAULTS} of ${FAULTS} sites.`);
  expect(await snapshot(faulty)).toEqual(before);

  await panel.getByRole('button', { name: 'Back to all sites' }).click();
  await panel.getByRole('button', { name: 'Show all sites' }).click();
  for (const name of names) {
    await chooseSite(panel, name);
  }
  await panel.getByRole('button', { name: `Check ${FAULTS}` }).click();
  await panel.getByText(`${FAULTS} sites checked.`).waitFor({ timeout: WITHIN });
  expect(await states()).toEqual(found);
}, 2_400_000);

/** Waits for the message of a complete run; otherwise fails with what the view says. */
async function ended(panel: FrameLocator, ends: RegExp, sentence: string): Promise<void> {
  const end = panel.getByText(ends);
  await end.first().waitFor({ timeout: WITHIN });
  if ((await end.first().innerText()).startsWith(sentence)) return;
  throw new Error(await panel.locator('main').innerText());
}

/** Checks the confirmation box of grave consequences, if there are any. */
async function confirm(panel: FrameLocator): Promise<void> {
  const box = panel.getByRole('checkbox', { name: 'I understand the consequences' });
  if ((await box.count()) > 0) await box.check();
}

/** The tiles of sites that need attention. */
const TILES: readonly (readonly [string, SiteState])[] = [
  ['Has errors', 'faulty'],
  ['Differs', 'differs'],
  ['Not set up', 'not-set-up'],
];

async function openList() {
  const { page, context } = await world.openConsole(ADA, { at: '/content/fleet', viewport: { width: 1440, height: 1100 } });
  await context.addInitScript(recordTiles);
  const panel = await openPlace(page, 'All sites');
  await panel.getByRole('grid', { name: 'Sites of the organization' }).waitFor();
  return { page, context, panel };
}

type Tiles = Readonly<Record<string, number>>;

/** Records the numbers of the tiles at each rendering; runs in each frame. */
function recordTiles(): void {
  const drawn: string[] = [];
  Object.assign(window, { drawnTiles: drawn });
  new MutationObserver(() => {
    const tiles = [...document.querySelectorAll('.rp-tiles button')].map(({ children }) =>
      [...children].map(({ textContent }) => textContent),
    );
    const text = JSON.stringify(Object.fromEntries(tiles.map(([count = '', label = '']) => [label, Number(count.replaceAll(/\D/g, ''))])));
    if (tiles.length > 0 && text !== drawn.at(-1)) drawn.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

async function tilesDrawn(page: Page): Promise<Tiles[]> {
  const drawn = await (await panelDocument(page)).evaluate(() => ('drawnTiles' in window ? window.drawnTiles : []));
  return (drawn as string[]).map((text) => JSON.parse(text) as Tiles);
}

async function checks(): Promise<OrgChecks['sites']> {
  const all: OrgChecks['sites'] = [];
  for (let after = ''; ;) {
    const { body } = await world.stored(`/config/wknd/checks.json?limit=1000${after === '' ? '' : `&after=${after}`}`);
    const { sites } = OrgChecks.parse(body);
    all.push(...sites);
    after = sites.length < 1000 ? '' : (sites.at(-1)?.name ?? '');
    if (after === '') return all;
  }
}

/** The fleet's states, as stored by the service. */
async function states(): Promise<ReadonlyMap<string, SiteState>> {
  return new Map((await checks()).filter(({ name }) => name.startsWith('fleet')).map(({ name, state }) => [name, state]));
}

/** What is stored of sites in the service and in the authoring system, without times and counters. */
async function snapshot(roots: readonly Root[]): Promise<unknown> {
  const all = roots.map(async ({ site, path }) => ({
    site: (await world.stored(`/config/wknd/sites/${site}.json`)).body,
    page: await world.content(path),
    configuration: await world.content(`/conf/${site}`).catch(() => undefined),
  }));
  return withoutTimes(await Promise.all(all));
}

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const others = Object.entries(value).filter(([name]) => !/lastModified|created|uuid/i.test(name));
  return Object.fromEntries(others.map(([name, inside]) => [name, withoutTimes(inside)]));
}

async function change(site: string, part: string, body: unknown): Promise<void> {
  await world.call('POST', `/config/wknd/sites/${site}/${part}.json`, body);
}
