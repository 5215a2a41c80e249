import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FrameLocator, Page } from 'playwright-core';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { extensionFrame } from '../support/constellation.ts';
import { closePanel, frameIn, visit } from './panel.ts';
import { CASES } from './state-views.ts';
import { openRail } from './sync-panel.ts';
import { ADA, type Fault, type Stand, startWorld, type World } from './world.ts';

/**
 * `npm run gallery`: takes a picture of every view in every state that the sandbox has, in both themes and three widths, and puts them on
 * one page: `dist/gallery/index.html`. `--width 1440`, `--theme dark` and `--language ar` take a part of them. It is built to
 * test/dist/journeys, three folders below the root and one.
 */
const FOLDER = fileURLToPath(new URL('../../../dist/gallery', import.meta.url));
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 768, 375] as const;
/** The maximum height of a picture, in pixels. */
const MOST = 4000;
/** The maximum height of a dialog, relative to the window’s. */
const DIALOG = 0.85;

interface Appearance {
  readonly theme: (typeof THEMES)[number];
  readonly width: number;
  readonly language: string;
}

interface Picture extends Appearance {
  readonly scene: string;
  readonly place: string;
  readonly file: string;
}

interface SimulatedFault {
  readonly name: string;
  readonly stand: Stand;
  readonly fault: Fault;
}

const SIMULATED_FAULTS: readonly SimulatedFault[] = [
  { name: 'the authoring system is down', stand: 'authoring-system', fault: { mode: 'down' } },
  { name: 'the authoring system refuses the reader', stand: 'authoring-system', fault: { mode: 'forbidden' } },
  { name: 'the authoring system ended the session', stand: 'authoring-system', fault: { mode: 'unauthorized' } },
  { name: 'the authoring system limits requests', stand: 'authoring-system', fault: { mode: 'limited' } },
  { name: 'the code host is down', stand: 'code-host', fault: { mode: 'down' } },
  { name: 'the code host refuses the service', stand: 'code-host', fault: { mode: 'forbidden' } },
];

/** The console's buttons have names in its own language. */
const ANY = /./;

const pictures: Picture[] = [];

async function gallery(appearances: readonly Appearance[]): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const world = await startWorld();
  try {
    for (const appearance of appearances) await picturesOf(world, appearance);
  } finally {
    await world.stop();
    await writeFile(`${FOLDER}/index.html`, indexOf(pictures));
  }
  process.stdout.write(`${pictures.length} pictures: dist/gallery/index.html\n`);
}

async function picturesOf(world: World, appearance: Appearance): Promise<void> {
  const page = await openAs(world, ADA, appearance);
  for (const { word, path } of CASES) {
    await visit(page, path);
    const panel = await openPanel(page);
    await everyPlace(page, panel, word, appearance);
    await closePanel(page, ANY);
  }
  await visit(page, '/content/wknd');
  const panel = await openPanel(page);
  const messages = await createCatalogues()(appearance.language).read('first-view');
  await panel.getByRole('link', { name: allSites(messages) }).click();
  await settled(panel);
  await everyPlace(page, panel, 'Organization', appearance);
  await closePanel(page, ANY);
  await openRail(page, messages.general.register.rail);
  await settledRail(page);
  await picture(page, 'rail', { ...appearance, scene: 'Rail', place: 'Sync status' });

  for (const { name, stand, fault } of SIMULATED_FAULTS) {
    for (const path of ['/content/wknd', '/content/summit']) {
      await visit(page, path);
      await world.fault(stand, fault);
      await openPanel(page);
      await picture(page, 'panel', { ...appearance, scene: `Fault: ${name}`, place: path });
      await world.fault(stand, { mode: 'none' });
      await closePanel(page, ANY);
    }
  }
  await page.context().close();

  for (const person of ['carl.config@example.com', 'nora.neighbour@example.com']) {
    const theirs = await openAs(world, person, appearance);
    for (const path of ['/content/wknd', '/content/summit']) {
      await visit(theirs, path);
      await openPanel(theirs);
      await picture(theirs, 'panel', { ...appearance, scene: `Person: ${person}`, place: path });
      await closePanel(theirs, ANY);
    }
    await theirs.context().close();
  }
}

/** The beginning of the name of the link to all sites of an organization. */
function allSites({ general }: MessagesOf<'first-view'>): string {
  return general.shell.allSites({ organization: '' });
}

/** One picture for each link of the views, in their order. */
async function everyPlace(page: Page, panel: FrameLocator, scene: string, appearance: Appearance): Promise<void> {
  const links = panel.getByRole('navigation').last().getByRole('link');
  const count = await links.count();
  if (count === 0) return picture(page, 'panel', { ...appearance, scene, place: 'Setup' });
  for (let index = 0; index < count; index += 1) {
    const link = links.nth(index);
    const place = await link.innerText();
    if (place.startsWith(allSites(await createCatalogues()(appearance.language).read('first-view'))) && scene !== 'Organization') continue;
    await link.click();
    await settled(panel);
    await picture(page, 'panel', { ...appearance, scene, place });
    if (index === 0) await opened(page, panel, { ...appearance, scene, place });
  }
}

/** Pictures of the expanded details in Setup and in the list of all sites, found by selectors that don't depend on the language. */
async function opened(page: Page, panel: FrameLocator, shown: Omit<Picture, 'file'>): Promise<void> {
  const as = (state: string) => picture(page, 'panel', { ...shown, place: `${shown.place}, ${state}` });
  if (shown.scene !== 'Organization') {
    await panel.locator('.rp-groups details, .rp-choices details').evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute('open', '');
    });
    await panel.getByRole('switch').click();
    await as('unfolded, with technical details');
    return;
  }
  const tile = panel.locator('.rp-tile').nth(1);
  await tile.click();
  await as('one state');
  await tile.click();
  await panel.locator('.rp-list .rp-grid-all').click();
  await as('all selected');
  await panel.locator('.rp-list .rp-grid-all').click();
  await panel.locator('.rp-tools button[aria-haspopup]').first().click();
  await panel.getByRole('menuitemradio').nth(1).click();
  await as('in groups');
}

async function openAs(world: World, email: string, { theme, width, language }: Appearance): Promise<Page> {
  const { page, context } = await world.openConsole(email, { colorScheme: theme, viewport: { width, height: 900 } });
  await context.addInitScript(
    (preferred) => {
      const stored: unknown = JSON.parse(localStorage.getItem('console.preferences') ?? '{}');
      const preferences = { sharesSignIn: true, environment: 'p100-e200', ...(typeof stored === 'object' ? stored : {}), ...preferred };
      localStorage.setItem('console.preferences', JSON.stringify(preferences));
    },
    { theme, locale: language },
  );
  await page.reload();
  return page;
}

/** The button is the first that names the extension, whatever the language. */
async function openPanel(page: Page): Promise<FrameLocator> {
  await page
    .getByRole('toolbar')
    .getByRole('button')
    .filter({ hasText: /epoless/ })
    .first()
    .click();
  const panel = extensionFrame(page);
  await settled(panel);
  return panel;
}

async function settled(panel: FrameLocator): Promise<void> {
  await panel.locator('h1, h2').first().waitFor();
  await panel.locator('[aria-busy="true"], [role="progressbar"]').first().waitFor({ state: 'detached', timeout: 60_000 });
}

async function settledRail(page: Page): Promise<void> {
  await settled(page.getByRole('complementary').frameLocator('iframe'));
}

/** The complete document of the frame, not only the visible part. */
async function picture(page: Page, part: 'panel' | 'rail', picture: Omit<Picture, 'file'>): Promise<void> {
  const frame = await frameIn(part === 'panel' ? page.getByRole('dialog') : page.getByRole('complementary'));
  const file = `${String(pictures.length).padStart(4, '0')}.png`;
  await page.mouse.move(0, 0);
  const height = Math.min(MOST, await frame.evaluate(() => Math.max(document.documentElement.scrollHeight, document.body.scrollHeight)));
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: size.width, height: Math.ceil(height / DIALOG) + 300 });
  await frame.locator('html').screenshot({ path: `${FOLDER}/${file}`, animations: 'disabled' });
  await page.setViewportSize(size);
  pictures.push({ ...picture, file });
}

/** Shows each view in all themes and widths side by side. */
function indexOf(all: readonly Picture[]): string {
  const title = ({ scene, place }: Picture): string => `${scene}: ${place}`;
  const sections = [...new Set(all.map(title))].map((one) => {
    const figures = all
      .filter((each) => title(each) === one)
      .map(
        ({ file, theme, width, language }) =>
          `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${width} px, ${theme}, ${language}</figcaption></figure>`,
      );
    return `<section><h2>${escaped(one)}</h2><div>${figures.join('')}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every view in every state</title><style>
body { font: 14px system-ui; margin: 24px; color-scheme: light dark }
section > div { display: flex; gap: 16px; overflow-x: auto; align-items: start }
figure { margin: 0 } img { max-height: 420px; border: 1px solid gray }
</style><h1>Every view in every state</h1>${sections.join('')}</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const { values } = parseArgs({
  options: { width: { type: 'string' }, theme: { type: 'string' }, language: { type: 'string', default: 'en' } },
});
const widths = WIDTHS.filter((width) => values.width === undefined || String(width) === values.width);
const themes = THEMES.filter((theme) => values.theme === undefined || theme === values.theme);
await gallery(widths.flatMap((width) => themes.map((theme) => ({ width, theme, language: values.language }))));
