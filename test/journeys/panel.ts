import type { BrowserContext, Frame, FrameLocator, Locator, Page, Request, Route } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { type Constellation, openExtension } from '../support/constellation.ts';

/** Selects a page in a console with a signed-in person. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#${path}`);
  await page.reload();
  await page.getByRole('article', { name: 'Page properties' }).getByText(path, { exact: true }).waitFor();
}

/** Opens the panel from the console's header. Returns the frame when the page has been read. */
export async function openPanel(page: Page): Promise<FrameLocator> {
  const panel = await openExtension(page, 'Repoless sites');
  await panel.getByRole('heading', { name: /Planned steps|Completed steps/ }).waitFor();
  return panel;
}

/** Opens a place of the organization as a person would: from the site of the selected page. */
export async function openPlace(page: Page, place: string): Promise<FrameLocator> {
  const panel = await openExtension(page, /^Repoless[ -]Sites$/i);
  await openOrganization(panel);
  await choosePlace(panel, place);
  return panel;
}

/** Goes from an open site to the places of its organization. The site's places, some of the same names, then disappear. */
export async function openOrganization(panel: FrameLocator): Promise<void> {
  await panel.getByRole('link', { name: /^(All sites|Alle Sites)/ }).click();
  await panel.locator('.rp-above').waitFor({ state: 'detached' });
}

/** Goes to another place of the open site or organization. */
export async function choosePlace(panel: FrameLocator, place: string): Promise<void> {
  const places = panel.getByRole('navigation', { name: /^(Views|Ansichten)$/ });
  await places.getByRole('link', { name: new RegExp(`^${place}( \\(|$)`) }).click();
  await places.locator('[aria-current="page"]', { hasText: place }).waitFor();
}

/** `name`: the button, in another language of the console. */
export async function closePanel(page: Page, name = /^(Dismiss|Schließen)$/): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

/** The document in the dialog's frame, e.g. for axe. */
export function panelDocument(page: Page): Promise<Frame> {
  return frameIn(page.getByRole('dialog'));
}

export async function axeOf(page: Page): Promise<string[]> {
  return axeViolations(await panelDocument(page));
}

/** Axe violations, wide elements and overlapping texts of the panel, at each width. The window stays at the last. */
export async function flaws(page: Page, ...widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  const height = page.viewportSize()?.height ?? 1000;
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    const frame = await panelDocument(page);
    found.push(...[...(await axeViolations(frame)), ...(await overflowsOf(frame))].map((text) => `${width}: ${text}`));
  }
  return found;
}

/** Opens the extension for a page in a separate window, without a sign-in. */
export async function openAlone({ browser, sandbox }: Pick<Constellation, 'browser' | 'sandbox'>, path: string) {
  const { addresses } = sandbox;
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.goto(`${addresses.extension}/?author=${encodeURIComponent(addresses.author)}&path=${path}`);
  return { page, context };
}

/** Presses a button that opens a window. Returns the window. */
export async function windowOf(button: Locator): Promise<Page> {
  const [opened] = await Promise.all([button.page().context().waitForEvent('page'), button.click()]);
  return opened;
}

/** Fills in the form of the identity provider. */
export async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('sandbox');
  await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
}

/** Switches the console, and so the extension, to German. */
export async function speakGerman(page: Page): Promise<void> {
  await page
    .locator('.top-bar')
    .getByRole('button', { name: /Language/ })
    .click();
  await page.getByRole('option', { name: /Deutsch/ }).click();
}

/** The document in the frame inside a part of the console. */
export async function frameIn(part: Locator): Promise<Frame> {
  const element = await part.locator('iframe').elementHandle();
  const frame = await element?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('No extension is framed.');
  return frame;
}

/** The steps of the plan in order, including collapsed ones: `Sign in: Already done`. */
export async function steps(panel: FrameLocator): Promise<string[]> {
  const all = await panel.locator('[aria-labelledby="rp-plan"] .rp-step').evaluateAll((items) =>
    items.map((item) => ({
      number: Number(item.querySelector('.rp-step-number')?.textContent),
      text: [...(item.querySelector('.rp-step-head')?.children ?? [])].map(({ textContent }) => textContent).join(': '),
    })),
  );
  return all.toSorted((one, other) => one.number - other.number).map(({ text }) => text);
}

/** Expands the fields of the new settings, which are summarized until then. */
export async function openFields(panel: Pick<FrameLocator, 'locator'>): Promise<void> {
  await panel.locator('summary', { hasText: 'Change settings' }).click();
}

/** Presses the button and waits until the site is set up. */
export async function enable(panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: 'Enable repoless' }).click();
  await panel.getByRole('heading', { name: /This page is set up for repoless/ }).waitFor();
}

export async function undoSetup(panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: 'Undo setup…' }).click();
  await panel.getByRole('checkbox', { name: 'I understand the consequences' }).check();
  await panel.getByRole('button', { name: 'Undo setup now' }).click();
  await panel.getByRole('button', { name: 'Set up again' }).waitFor();
}

/** Calls of the service, of the authoring system through it, and of the hosts. */
export const CALLS = /\/(config|authoring|auth)\/|\/config\.json$|\/service\.json$/;

export interface Held {
  /** Resolves when the request is held. */
  readonly reached: Promise<void>;
  /** Lets it continue, or makes the network fail. */
  release(how?: 'continue' | 'abort'): void;
}

/** Holds the first matching request, so that a test can act before it continues. */
export async function hold(context: BrowserContext, isWanted: (request: Request) => boolean): Promise<Held> {
  const reached = deferred();
  const released = deferred<'continue' | 'abort'>();
  let isHeld = false;
  const stop = async (route: Route): Promise<void> => {
    if (isHeld || !isWanted(route.request())) return route.fallback();
    isHeld = true;
    reached.resolve(undefined);
    if ((await released.promise) === 'abort') await route.abort();
    else await route.fallback();
    await context.unroute(CALLS, stop);
  };
  await context.route(CALLS, stop);
  return { reached: reached.promise, release: (how = 'continue') => released.resolve(how) };
}

function deferred<T = undefined>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A write that changes something: no dry run, no sign-in. */
export function isWrite(request: Request): boolean {
  const url = new URL(request.url());
  const method = request.method();
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  return /^\/(config|authoring)\//.test(url.pathname) && !url.search.includes('dryRun=true');
}

export function isSwitch(request: Request): boolean {
  return isWrite(request) && new URLSearchParams(request.postData() ?? '').get('./projectType') === '4';
}

/** Whether all of an element's box is inside the window and not covered, through the frames that hold it. */
export async function isInView(on: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const window = on.viewportSize();
  const dialog = await on.getByRole('dialog').boundingBox();
  if (box === null || window === null || dialog === null) return false;
  const top = Math.max(0, dialog.y);
  const bottom = Math.min(window.height, dialog.y + dialog.height);
  return box.y >= top && box.y + box.height <= bottom;
}

export async function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement);
}

/** Elements wider than the document, outside scrollable areas, and texts that overlap. */
export async function overflowsOf(frame: Frame): Promise<string[]> {
  const wide = await frame.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getClientRects().length > 0 && !scrolls(element.parentElement))
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`);
  });
  return [...wide, ...(await overlaps(frame))];
}

/** Texts that overlap, by their visible areas, without what scrolls below a sticky row. */
function overlaps(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const boxes: { left: number; right: number; top: number; bottom: number; stays: boolean; text: Text }[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!(text instanceof Text) || text.data.trim() === '' || parent === null) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const seen = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      let stays = false;
      for (let around: Element | null = parent; around !== null && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around);
        stays ||= style.position === 'sticky' || style.position === 'fixed';
        if (style.overflowX === 'visible' && style.overflowY === 'visible' && style.clipPath === 'none') continue;
        const box = around.getBoundingClientRect();
        seen.left = Math.max(seen.left, box.left);
        seen.right = Math.min(seen.right, box.right);
        seen.top = Math.max(seen.top, box.top);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        const [left, right] = [Math.max(line.left, seen.left), Math.min(line.right, seen.right)];
        const [top, bottom] = [Math.max(line.top, seen.top), Math.min(line.bottom, seen.bottom)];
        if (right - left > 1 && bottom - top > 1) boxes.push({ left, right, top, bottom, stays, text });
      }
    }
    const found = new Set<string>();
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        if (one.text === other.text || one.stays !== other.stays) continue;
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        // Adjacent lines share a few pixels of height.
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (width > 2 && height > 5) found.add(`${one.text.data.trim().slice(0, 40)} / ${other.text.data.trim().slice(0, 40)}`);
      }
    }
    return [...found];
  });
}
