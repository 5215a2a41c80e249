import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { makeAuthoringPackage, textsOf } from '../support/authoring-package.ts';
import type { Constellation } from '../support/constellation.ts';
import { readManifest } from '../support/extension-app.ts';
import { test } from '../support/shared-constellation.ts';

const ADA = 'ada.admin@example.com';
const AUTHOR = 'https://author.example.com';
const EXTENSION = 'https://extension.example.com/site-setup';
const SCRIPTS = '/apps/repoless/clientlibs/site-setup/js/';

let constellation: Constellation;
let folder: string;
let texts: Readonly<Record<string, string>>;
test.beforeAll(async ({ kept }) => {
  constellation = await kept.take();
  folder = await mkdtemp(join(tmpdir(), 'repoless-authoring-'));
  texts = await textsOf(await makeAuthoringPackage(folder, ['--extension', EXTENSION, '--org', 'wknd']));
});
afterAll(async () => {
  await constellation.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the script of the content package', () => {
  test('opens the extension from the page properties of the sandbox’s console for that page and author', async () => {
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    const { author, extension } = constellation.sandbox.addresses;
    const opened = await windowOf(context, () => page.getByRole('button', { name: 'Setup in a new window' }).press('Enter'));
    expect(opened.url()).toBe(addressIn(extension, 'page-properties', { author, path: '/content/summit' }));
    await opened.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    await context.close();
  });

  test('adds one button to the page properties of an authoring system, which opens the extension for that page', async () => {
    const context = await authoringSystem('<form id="cq-sites-properties-form"><input name="./jcr:title"></form>');
    const page = await context.newPage();
    await page.goto(`${AUTHOR}/mnt/overlay/wcm/core/content/sites/properties.html?item=%2Fcontent%2Fwknd%2Fch%2Fde`);
    const [button] = (await readManifest()).headerMenuButtons;
    // Granite UI sends this event each time it has inserted content into the page.
    await page.evaluate(() => document.dispatchEvent(new Event('foundation-contentloaded')));
    expect(await page.getByRole('button').allInnerTexts()).toEqual([button?.label]);
    const opened = await windowOf(context, () => page.getByRole('button').click());
    expect(opened.url()).toBe(addressIn(EXTENSION, 'page-properties', { author: AUTHOR, path: '/content/wknd/ch/de', org: 'wknd' }));
    expect(page.url()).toContain('properties.html');

    await page.goto(`${AUTHOR}/mnt/overlay/wcm/core/content/sites/properties.html?item=/content/a&item=/content/b`);
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });

  test('opens each view from the Sites console for the selected page', async () => {
    const { headerMenuButtons } = await readManifest();
    const context = await authoringSystem(
      `<div class="foundation-selections-item" data-foundation-collection-item-id="/content/wknd/de"></div>${actionsOf(texts)}`,
    );
    const page = await context.newPage();
    await page.goto(`${AUTHOR}/sites.html/content/wknd`);
    expect(await page.getByRole('button').allInnerTexts()).toEqual(headerMenuButtons.map(({ label }) => label));
    for (const { id, label } of headerMenuButtons) {
      const opened = await windowOf(context, () => page.getByRole('button', { name: label, exact: true }).click());
      expect(opened.url()).toBe(addressIn(EXTENSION, id, { author: AUTHOR, path: '/content/wknd/de', org: 'wknd' }));
    }
    await context.close();
  });
});

/** A page of an authoring system with the package, with as much of Granite UI as the script uses. */
async function authoringSystem(body: string): Promise<BrowserContext> {
  const context = await constellation.browser.newContext();
  await context.route(`${EXTENSION}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Extension</title>' }));
  await context.route(`${AUTHOR}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith(SCRIPTS)) return route.fulfill({ contentType: 'text/javascript', body: texts[`jcr_root${pathname}`] ?? '' });
    const scripts = ['extension.js', 'site-setup.js'].map((name) => `<script src="${SCRIPTS}${name}"></script>`).join('');
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${body}<script>${GRANITE}</script>${scripts}</body>` });
  });
  return context;
}

/** The registry of actions, and buttons that run them for what is selected. */
const GRANITE = `
  const actions = new Map();
  const registry = { register: (kind, action) => kind === 'foundation.collection.action.action' && actions.set(action.name, action) };
  window.Granite = {
    $: (target) => ({ adaptTo: (kind) => kind === 'foundation-registry' ? registry : undefined, on: (name, listener) => target.addEventListener(name, listener) }),
  };
  for (const button of document.querySelectorAll('[data-action]')) button.addEventListener('click', () => {
    const selections = [...document.querySelectorAll('.foundation-selections-item')];
    const { action, view } = button.dataset;
    actions.get(action).handler(action, button, { action, data: { view } }, document.body, selections);
  });
`;

/** The buttons that Granite UI renders from the package's nodes. */
function actionsOf(files: Readonly<Record<string, string>>): string {
  const nodes = Object.entries(files).filter(([path]) => /\/actions\/selection\/[^/]+\/\.content\.xml$/.test(path));
  const valueOf = (text: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  return nodes
    .map(
      ([, text]) =>
        `<button data-action="${valueOf(text, 'action')}" data-view="${valueOf(text, 'view')}">${valueOf(text, 'text')}</button>`,
    )
    .join('');
}

async function windowOf(context: BrowserContext, press: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([context.waitForEvent('page'), press()]);
  await opened.waitForURL(/#/);
  return opened;
}

function addressIn(extension: string, view: string, page: Readonly<Record<string, string>>): string {
  return `${extension}/index.html#/${view}?${new URLSearchParams(page).toString()}`;
}
