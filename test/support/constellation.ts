import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { WELCOMED } from '@repoless/extension/host/storage.ts';
import { z } from 'zod';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { startSandbox, type Sandbox, type SandboxOptions } from '@repoless/sandbox/start.ts';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { launchChromium } from './chromium.ts';

/** The complete sandbox with its own ports and data, and a Chromium. `stop` rejects if a page requested what its policy forbids. */
export interface Constellation {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  /** The console, signed in as an account, in its own browser context; `at` is the path of the first page. */
  openConsole(email: string, options?: ConsoleOptions): Promise<{ page: Page; context: BrowserContext }>;
  stop(): Promise<void>;
}

interface ConsoleOptions extends BrowserContextOptions {
  readonly at?: string;
  /** Sign in as a person does, so that the identity provider has a session; by default the console starts with a token. */
  readonly byForm?: boolean;
}

/** Milliseconds within which the expected state must appear. */
const STATE_WITHIN = 30_000;

/** Starts it; `stop()` ends every program and removes the data. */
export async function startConstellation(options: Omit<Partial<SandboxOptions>, 'ports'> = {}): Promise<Constellation> {
  const temporary = await mkdtemp(join(tmpdir(), 'repoless-constellation-'));
  const launching = launchChromium();
  try {
    const sandbox = await startSandbox({ dataDir: temporary, ...options, ports: 'free' });
    const opened = openInBrowser(sandbox, await launching);
    return {
      ...opened,
      async stop() {
        await opened.browser.close();
        await sandbox.stop();
        await rm(temporary, { recursive: true, force: true });
        opened.assertAllowed();
      },
    };
  } catch (error) {
    await (await launching.catch(() => undefined))?.close();
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Opens a sandbox in a browser. `assertAllowed` throws if a page requested what its policy forbids. */
export function openInBrowser(sandbox: Sandbox, browser: Browser): Omit<Constellation, 'stop'> & { assertAllowed(): void } {
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
      if (refused.size > 0) throw new Error(`A page requested what its policy forbids:\n${[...refused].join('\n')}`);
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

/** Gives the tab the session that the console stores after a sign-in, only once, so that signing out works. */
async function openSignedIn(page: Page, sandbox: Sandbox, email: string, at?: string): Promise<void> {
  const token = await authoringTokenOf(email, sandbox.addresses);
  const { name, exp } = z.looseObject({ name: z.string().optional(), exp: z.number() }).parse(decodeJwt(token));
  const session = { token, email, name: name ?? email, expires: exp * 1000 };
  await page.addInitScript(
    ({ origin, stored }) => {
      if (location.origin !== origin || sessionStorage.getItem('test.signed-in') !== null) return;
      sessionStorage.setItem('test.signed-in', 'yes');
      sessionStorage.setItem('console.session', stored);
    },
    { origin: sandbox.addresses.console, stored: JSON.stringify(session) },
  );
  await page.goto(consoleAddress(sandbox, at));
  await page.getByRole('treegrid', { name: 'Pages' }).waitFor();
}

function consoleAddress({ addresses }: Sandbox, at?: string): string {
  return `${addresses.console}/${at === undefined ? '' : `#${at}`}`;
}

/** Animations are rendered by the processor, frame by frame. Runs in the page, in each frame. */
function withoutMotion(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, *::before, *::after {
    animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
    transition-duration: 0s !important; transition-delay: 0s !important;
  }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Skips the welcome of a first visit. */
function onFurtherVisit(key: string): void {
  try {
    localStorage.setItem(key, 'true');
  } catch {
    // A frame without storage.
  }
}

/** Presses the extension's button in the console's header. Returns the extension's frame in the dialog. */
export async function openExtension(page: Page, button: string | RegExp): Promise<FrameLocator> {
  await page.getByRole('toolbar', { name: 'Extensions' }).getByRole('button', { name: button }).click();
  return extensionFrame(page);
}

/** The extension's frame in the open dialog. */
export function extensionFrame(page: Page): FrameLocator {
  return page.getByRole('dialog').frameLocator('iframe');
}
