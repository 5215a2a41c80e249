import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { startSandbox } from '#sandbox/start.ts';
import type { Sandbox, SandboxOptions } from '#sandbox/start.ts';
import { launchChromium } from './chromium.ts';

/** The whole sandbox on ports and data of its own, with a Chromium to look at it. */
export interface Constellation {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  /** The console, signed in as an account, in a browser context of its own; `at` is a page's path to begin with. */
  openConsole(email: string, options?: BrowserContextOptions & { at?: string }): Promise<{ page: Page; context: BrowserContext }>;
  stop(): Promise<void>;
}

/** Milliseconds within which what a user waits for must be there. */
const STATE_WITHIN = 15_000;

/** Starts it; `stop()` ends every program and removes the data. */
export async function startConstellation(options: Omit<Partial<SandboxOptions>, 'ports'> = {}): Promise<Constellation> {
  const temporary = await mkdtemp(join(tmpdir(), 'repoless-constellation-'));
  const launching = launchChromium();
  try {
    const sandbox = await startSandbox({ dataDir: temporary, ...options, ports: 'free' });
    const browser = await launching;
    return {
      sandbox,
      browser,
      async openConsole(email, { at, ...contextOptions } = {}) {
        const context = await browser.newContext(contextOptions);
        context.setDefaultTimeout(STATE_WITHIN);
        const page = await context.newPage();
        await signInAtConsole(page, sandbox, email, at);
        return { page, context };
      },
      async stop() {
        await browser.close();
        await sandbox.stop();
        await rm(temporary, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await (await launching.catch(() => undefined))?.close();
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Signs in as a person would: the console's button, the identity provider's form, and back. */
export async function signInAtConsole(page: Page, sandbox: Sandbox, email: string, at?: string): Promise<void> {
  await page.goto(`${sandbox.addresses.console}/${at === undefined ? '' : `#${at}`}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('sandbox');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('treegrid', { name: 'Pages' }).waitFor();
}

/** Presses the extension's button in the console's header. Out: the extension's frame in the dialog. */
export async function openExtension(page: Page, button: string | RegExp): Promise<FrameLocator> {
  await page.getByRole('toolbar', { name: 'Extensions' }).getByRole('button', { name: button }).click();
  return extensionFrame(page);
}

/** The extension's frame in the dialog that is open. */
export function extensionFrame(page: Page): FrameLocator {
  return page.getByRole('dialog').frameLocator('iframe');
}
