import { describe, expect } from 'vitest';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { flaws, hasFocus, openPlace, panelDocument, speakGerman, overflowsOf } from './panel.ts';
import { openRail, railDocument } from './sync-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll({ withWindows: true });

const COULD_NOT = 'Couldn’t copy. The text is selected: press Ctrl+C, or ⌘C on a Mac.';
const NO_WINDOW = 'The editor does not let this panel open a window. Copy the address and open it in a new tab.';

describe('In the host’s frame', () => {
  test('Copy works by keyboard although the clipboard is blocked', async () => {
    const { page, context } = await openConsole();
    const details = await openSite(page, 'wknd');
    const frame = await panelDocument(page);
    expect(await frame.evaluate(async () => navigator.clipboard.writeText('x').catch((error: Error) => error.name))).toBe(
      'NotAllowedError',
    );
    await pressEnter(details.getByRole('button', { name: 'Copy preview address' }));
    await details.getByText('Copied').waitFor();
    expect(await clipboardOf(context)).toBe(previewOf('wknd'));
    expect(await hasFocus(details.getByRole('button', { name: 'Copy preview address' }))).toBe(true);
    expect(await axeViolations(frame)).toEqual([]);
  });

  test.each([
    ['en-US', 'light'],
    ['de-DE', 'dark'],
  ] as const)('a text that cannot be copied is shown selected, and can be copied by keyboard (%s)', async (locale, colorScheme) => {
    const { page, context } = await openConsole({ locale, colorScheme });
    const isEnglish = locale === 'en-US';
    const details = await openSite(page, 'wknd', isEnglish ? 'All sites' : 'Alle Sites');
    await (await panelDocument(page)).evaluate(() => (document.execCommand = () => false));
    await pressEnter(details.getByRole('button', { name: isEnglish ? 'Copy live address' : 'Live-Adresse kopieren' }));
    await details.getByText(isEnglish ? COULD_NOT : /^Kopieren ist hier nicht möglich\./).waitFor();
    const field = details.getByRole('textbox', { name: isEnglish ? 'Text to copy' : 'Text zum Kopieren' });
    const live = previewOf('wknd').replace(world.sandbox.addresses.previewDomain, world.sandbox.addresses.liveDomain);
    expect(await field.inputValue()).toBe(live);
    expect(await hasFocus(field)).toBe(true);
    await page.keyboard.press('Control+c');
    expect(await clipboardOf(context)).toBe(live);
    expect(await flaws(page, 375, 1280)).toEqual([]);
  });

  test.each([
    ['en-US', NO_WINDOW],
    ['de-DE', /^Der Editor lässt diese Ansicht kein Fenster öffnen\./],
  ])('a link reports that no window opened, and its address can be copied next to it (%s)', async (locale, sentence) => {
    const { page, context } = await openConsole({ locale });
    const details = await openSite(page, 'wknd', locale === 'en-US' ? 'All sites' : 'Alle Sites');
    const link = details.getByRole('link', { name: previewOf('wknd') });
    await link.press('Enter');
    await details.getByText(sentence).waitFor();
    expect(context.pages()).toHaveLength(1);
    expect(await details.getByText(sentence).count()).toBe(1);
    expect(await hasFocus(link)).toBe(true);
    expect(await flaws(page, 375, 1280)).toEqual([]);
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })]);
    await opened.waitForURL(`${previewOf('wknd')}/`);
  });

  test('a link opens a window if the host allows it, and the window has no access to the panel', async () => {
    const { page, context } = await openConsole();
    await context.addInitScript(allowWindows);
    await page.reload();
    const details = await openSite(page, 'wknd');
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      details.getByRole('link', { name: previewOf('wknd') }).press('Enter'),
    ]);
    await opened.waitForURL(`${previewOf('wknd')}/`);
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    expect(await details.getByText(NO_WINDOW).count()).toBe(0);
  });

  test('a link in a list reports below it that no window opened, with the address to copy', async () => {
    const { page, context } = await openConsole();
    const rail = await openRail(page);
    const sites = rail.getByRole('region', { name: 'Sites', exact: true });
    // Only the start of the list is visible.
    await sites.getByRole('heading').evaluate((heading) => heading.scrollIntoView({ block: 'end' }));
    await sites.getByRole('link').first().press('Enter');
    await sites.getByText(NO_WINDOW).waitFor();
    expect(context.pages()).toHaveLength(1);
    const copy = sites.getByRole('button', { name: /^Copy address: http/ });
    expect(await copy.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await copy.press('Enter');
    await sites.getByText('Copied').waitFor();
    expect(await copy.getAttribute('aria-label')).toBe(`Copy address: ${await clipboardOf(context)}`);
    const frame = await railDocument(page);
    expect(await axeViolations(frame)).toEqual([]);
    expect(await overflowsOf(frame)).toEqual([]);
  });
});

async function openConsole({ locale = 'en-US', ...options }: { readonly locale?: string; readonly colorScheme?: 'light' | 'dark' } = {}) {
  const { page, context } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1280, height: 1000 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  if (locale === 'de-DE') await speakGerman(page);
  return { page, context };
}

/** Lets the console's frames open windows; runs in the page. */
function allowWindows(): void {
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function setOrAllow(name, value) {
    set.call(this, name, name === 'sandbox' ? `${value} allow-popups allow-popups-to-escape-sandbox` : value);
  };
}

/** Opens a site from the list of all. Returns its view. */
async function openSite(page: Page, site: string, button = 'All sites'): Promise<Locator> {
  const panel: FrameLocator = await openPlace(page, button);
  await panel.getByRole('row', { name: new RegExp(`^${site} `) }).click();
  const details = panel.getByRole('region', { name: new RegExp(`[“„]${site}[”“]`) });
  await details.getByRole('link').first().waitFor();
  return details;
}

function previewOf(site: string): string {
  return `http://main--${site}--wknd.${world.sandbox.addresses.previewDomain}`;
}

/** The clipboard's text, as another program would paste it. */
async function clipboardOf(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto(world.sandbox.addresses.console);
  await page.bringToFront();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();
  return text;
}
