import type { BrowserContext, FrameLocator, Page, Request } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { signInAtConsole } from '../support/constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { test } from '../support/shared-constellation.ts';
import { CALLS, hasFocus, isInView, isWrite, openPanel, panelDocument } from './panel.ts';
import { ADA, startWorld, type World } from './world.ts';
import { button, type Dialog, WITHIN } from './write-dialogs.ts';

/** Tests what each dialog shows and preserves in four situations: a concurrent change, an expired sign-in, a lost network and a lost answer. */
export function testInterruptions(dialogsOf: (world: () => World) => readonly Dialog[]): void {
  let world: World;
  let count = 0;
  test.beforeAll(async ({ kept }) => {
    world = await startWorld({ kept });
  });
  afterAll(() => world.stop());

  describe.each(dialogsOf(() => world))('In $name', (dialog) => {
    /** Goes up to the final press, with the page scrolled to its end before the dialog opens. */
    async function goToPress() {
      const site = `dialog-${++count}`;
      const at = await dialog.arrange(site);
      const { page, context } = await world.openConsole(ADA, { at, viewport: { width: 1024, height: 600 } });
      let token = '';
      context.on('request', (request) => {
        token = request.headers()['x-auth-token'] ?? token;
      });
      const panel = await (dialog.start ?? openPanel)(page);
      await dialog.reach(panel, site);
      const title = panel.getByRole('heading', { name: dialog.title });
      if (dialog.opener !== undefined) {
        await scrollToEnd(page, panel);
        await pressEnter(button(panel, typeof dialog.opener === 'function' ? dialog.opener(site) : dialog.opener));
        await title.waitFor({ timeout: WITHIN });
        await expect.poll(() => isInView(page, title)).toBe(true);
        await expect.poll(() => hasFocus(title)).toBe(true);
      }
      await dialog.enter(panel, site);
      return { site, page, context, panel, revoke: () => world.revoke(token), write: async () => pressEnter(button(panel, dialog.press)) };
    }

    /** Expects that the outcome is visible, and stored once. */
    async function ends({ page, panel, site, context }: Awaited<ReturnType<typeof goToPress>>): Promise<void> {
      const done = panel.getByText(dialog.done).last();
      await done.waitFor({ timeout: WITHIN });
      await expect.poll(() => isInView(page, done)).toBe(true);
      await dialog.stored(site);
      await context.close();
    }

    /** Expects that the reason is visible and focused, and the input preserved. */
    async function fails({ page, panel, site }: Awaited<ReturnType<typeof goToPress>>): Promise<void> {
      const alert = panel.getByRole('alert').filter({ visible: true }).last();
      await alert.waitFor({ timeout: WITHIN });
      await expect.poll(() => isInView(page, alert)).toBe(true);
      expect(await (await panelDocument(page)).evaluate(() => document.activeElement?.closest('[role="alert"]') !== null)).toBe(true);
      await dialog.preserved(panel, site);
    }

    test('another person’s change before the press is reported, and not lost', async () => {
      const at = await goToPress();
      await dialog.theirs(at.site);
      await at.write();
      if (dialog.reported !== undefined) {
        const message = at.panel.getByText(dialog.reported).first();
        await message.waitFor({ timeout: WITHIN });
        await expect.poll(() => isInView(at.page, message)).toBe(true);
        await dialog.settle?.(at.panel, at.site);
      }
      await ends(at);
    }, 300_000);

    test('an expired sign-in is requested in view, preserves the input, and is requested again at the next press', async () => {
      const at = await goToPress();
      const { page, context, panel, site } = at;
      const title = panel.getByRole('heading', { name: 'Sign in again' });
      const expectSignInRequested = async (): Promise<void> => {
        await title.waitFor({ timeout: WITHIN });
        expect(await isInView(page, title)).toBe(true);
        expect(await hasFocus(title)).toBe(true);
      };
      await context.route('**/auth/exchange', (route) => route.fulfill({ status: 401 }));
      await at.revoke();
      await at.write();
      await expectSignInRequested();
      await page.keyboard.press('Escape');
      await fails(at);
      await context.unroute('**/auth/exchange');
      const again = dialog.again(panel, site);
      await expectSignInRequested();
      const elsewhere = await context.newPage();
      await signInAtConsole(elsewhere, world.sandbox, ADA);
      await page.bringToFront();
      await again;
      await ends(at);
    }, 300_000);

    test('a network failure at the press is reported, and the next press works', async () => {
      const at = await goToPress();
      await at.context.setOffline(true);
      await at.write();
      await fails(at);
      await at.context.setOffline(false);
      await dialog.again(at.panel, at.site);
      await ends(at);
    }, 300_000);

    test('a lost response is noticed, and nothing is created twice', async () => {
      const at = await goToPress();
      await loseAnswer(at.context, dialog.isSent ?? isWrite);
      await at.write();
      if (dialog.uncertain === undefined) return ends(at);
      const message = at.panel.getByText(dialog.uncertain);
      await message.waitFor({ timeout: WITHIN });
      await expect.poll(() => isInView(at.page, message)).toBe(true);
      await dialog.preserved(at.panel, at.site);
      await dialog.stored(at.site);
      return at.context.close();
    }, 300_000);
  });
}

async function scrollToEnd(page: Page, panel: FrameLocator): Promise<void> {
  await panel.locator('h1').first().hover();
  await page.mouse.wheel(0, 100_000);
}

/** Loses the answer of the first such request, which arrives. */
async function loseAnswer(context: BrowserContext, isWanted: (request: Request) => boolean): Promise<void> {
  let isLost = false;
  await context.route(CALLS, async (route) => {
    if (isLost || !isWanted(route.request())) return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
}
