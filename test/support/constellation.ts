import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { WELCOMED } from '@repoless/extension/app/shell/welcomed.ts';
import { z } from 'zod';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { startSandbox } from '@repoless/sandbox/start.ts';
import type { Sandbox, SandboxOptions } from '@repoless/sandbox/start.ts';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { launchChromium } from './chromium.ts';

/** The whole sandbox on ports and data of its own, with a Chromium to look at it. `stop` rejects where a page asked for what its policy forbids. */
export interface Constellation {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  /** The console, signed in as an account, in a browser context of its own; `at` is a page's path to begin with. */
  openConsole(email: string, options?: ConsoleOptions): Promise<{ page: Page; context: BrowserContext }>;
  stop(): Promise<void>;
}

interface ConsoleOptions extends BrowserContextOptions {
  readonly at?: string;
  /** Sign in as a person does, which the identity provider remembers; else the console has its token from the start. */
  readonly byForm?: boolean;
}

/** Milliseconds within which what a user waits for must be there. */
const STATE_WITHIN = 30_000;

/** Starts it; `stop()` ends every program and removes the data. */
export async function startConstellation(options: Omit<Partial<SandboxOptions>, 'ports'> = {}): Promise<Constellation> {
  const temporary = await mkdtemp(join(tmpdir(), 'repoless-constellation-'));
  const launching = launchChromium();
  try {
    const sandbox = await startSandbox({ dataDir: temporary, ...options, ports: 'free' });
    const seen = lookAt(sandbox, await launching);
    return {
      ...seen,
      async stop() {
        await seen.browser.close();
        await sandbox.stop();
        await rm(temporary, { recursive: true, force: true });
        seen.assertAllowed();
      },
    };
  } catch (error) {
    await (await launching.catch(() => undefined))?.close();
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** A sandbox in a browser. `assertAllowed` throws where a page asked for what its policy forbids. */
export function lookAt(sandbox: Sandbox, browser: Browser): Omit<Constellation, 'stop'> & { assertAllowed(): void } {
  const refused = new Set<string>();
  return {
    sandbox,
    browser,
    async openConsole(email, { at, byForm = false, ...contextOptions } = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...contextOptions });
      await context.addInitScript(withoutMotion);
      await context.addInitScript(onFurtherVisit, WELCOMED);
      context.setDefaultTimeout(STATE_WITHIN);
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) refused.add(message.text());
      });
      const page = await context.newPage();
      if (byForm) await signInAtConsole(page, sandbox, email, at);
      else await openSignedIn(page, sandbox, email, at);
      return { page, context };
    },
    assertAllowed() {
      if (refused.size > 0) throw new Error(`A page asks for what its policy forbids:\n${[...refused].join('\n')}`);
    },
  };
}

/** Signs in as a person would: the console's button, the identity provider's form, and back. */
export async function signInAtConsole(page: Page, sandbox: Sandbox, email: string, at?: string): Promise<void> {
  await page.goto(consoleAddress(sandbox, at));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('sandbox');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('treegrid', { name: 'Pages' }).waitFor();
}

/** Gives the tab the session that the console keeps after a sign-in, once: who signs out there is signed out. */
async function openSignedIn(page: Page, sandbox: Sandbox, email: string, at?: string): Promise<void> {
  const token = await authoringTokenOf(email, sandbox.addresses);
  const { name, exp } = z.looseObject({ name: z.string().optional(), exp: z.number() }).parse(decodeJwt(token));
  const session = { token, email, name: name ?? email, expires: exp * 1000 };
  await page.addInitScript(
    ({ origin, kept }) => {
      if (location.origin !== origin || sessionStorage.getItem('test.signed-in') !== null) return;
      sessionStorage.setItem('test.signed-in', 'yes');
      sessionStorage.setItem('console.session', kept);
    },
    { origin: sandbox.addresses.console, kept: JSON.stringify(session) },
  );
  await page.goto(consoleAddress(sandbox, at));
  await page.getByRole('treegrid', { name: 'Pages' }).waitFor();
}

function consoleAddress({ addresses }: Sandbox, at?: string): string {
  return `${addresses.console}/${at === undefined ? '' : `#${at}`}`;
}

/** What moves is drawn by the processor, picture by picture; runs in the page, in each frame. */
function withoutMotion(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, *::before, *::after {
    animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
    transition-duration: 0s !important; transition-delay: 0s !important;
  }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The welcome is for a first visit. */
function onFurtherVisit(key: string): void {
  try {
    localStorage.setItem(key, 'true');
  } catch {
    // A frame that has no storage.
  }
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
