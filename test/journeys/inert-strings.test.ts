import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Frame, Page } from 'playwright-core';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, openPanel, panelDocument, overflowsOf, visit } from './panel.ts';
import { openRail, railDocument, register } from './sync-panel.ts';
import { openTree } from './sites-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const MARKUP = '<img src=x data-planted onerror="globalThis.planted=1"><script>globalThis.planted=1</script>';
/** Reverses the direction of the text after it, unless isolated. */
const OVERRIDE = '\u202Egnirts';

/** The strings of an attacker, with 10,000 characters if the service accepts that many. */
const STRINGS: readonly (readonly [string, string])[] = [
  ['markup', MARKUP],
  ['reversed text', OVERRIDE],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['10,000 characters with spaces', 'word '.repeat(2000).trim()],
];

const world = worldBeforeAll();

describe.each(STRINGS)('%s in other people’s input', (kind, text) => {
  const name = `inert-${STRINGS.findIndex(([each]) => each === kind)}`;
  let page: Page;
  beforeAll(async () => {
    const path = await world.addSite(name, { title: text, siteName: name });
    await world.addSite(`${name}-names`, { title: text, organization: text, siteName: text });
    await register(world, name);
    await world.call('POST', `/config/wknd/sites/${name}/public.json`, {
      [text.slice(0, 100)]: text,
      link: `javascript:${text}`,
    });
    await world.call('POST', `/config/wknd/sites/${name}/apiKeys.json`, { description: text.slice(0, 200), roles: ['author'] });
    await world.call('POST', `/config/wknd/sites/${name}/versions/1.json`, { name: text.slice(0, 100) });
    ({ page } = await world.openConsole(ADA, { at: path, viewport: { width: 1280, height: 1400 } }));
  });
  afterAll(() => page.context().close());

  test('is shown as text in page properties, the history and the access of a site', async () => {
    const panel = await openPanel(page);
    await expectInert(await panelDocument(page));
    await choosePlace(panel, 'History');
    await panel.getByRole('list', { name: 'Versions' }).getByRole('button').first().click();
    await panel.getByRole('list', { name: 'What changed' }).waitFor();
    await expectInert(await panelDocument(page));
    await choosePlace(panel, 'Access');
    await panel.getByRole('textbox', { name: 'Add to Administrators' }).waitFor();
    await expectInert(await panelDocument(page));
    await closePanel(page);
  });

  test('is shown as text if it is the organization and the site name', async () => {
    await visit(page, `/content/${name}-names`);
    await openPanel(page);
    await expectInert(await panelDocument(page));
    await closePanel(page);
  });

  test('is shown as text in the tree, among all sites and in the rail', async () => {
    await visit(page, `/content/${name}`);
    const panel = await openTree(page);
    await panel.getByRole('treegrid').locator('.rp-grid-active').getByRole('rowheader').waitFor();
    await expectInert(await panelDocument(page));
    await choosePlace(panel, 'All sites');
    await panel.getByRole('row', { name: new RegExp(`^${name} `) }).waitFor();
    await expectInert(await panelDocument(page));
    await closePanel(page);
    await openRail(page);
    await expectInert(await railDocument(page));
  });
});

/** Expects that nothing ran, became an element, or is wider than the document, and that no direction leaks into our messages. */
async function expectInert(frame: Frame): Promise<void> {
  const found = await frame.evaluate(() => {
    const leaks: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text;
      if (parentElement === null || !data.includes('\u202E')) continue;
      if (getComputedStyle(parentElement).unicodeBidi === 'normal') leaks.push(`${parentElement.outerHTML.slice(0, 200)}`);
    }
    return { ran: 'planted' in globalThis, elements: document.querySelectorAll('[data-planted]').length, leaks };
  });
  expect(found).toEqual({ ran: false, elements: 0, leaks: [] });
  expect(await overflowsOf(frame)).toEqual([]);
}
