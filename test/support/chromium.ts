import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/**
 * Launches a real Chromium: the machine's, or the one that CHROMIUM names. Without `withWindows` it is the headless shell if installed:
 * the same pages for a sixth less work, but there Ctrl+click on a link sometimes opens no tab.
 */
export function launchChromium({ withWindows = false }: { readonly withWindows?: boolean } = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(withWindows), args: [...ARGUMENTS] });
}

function chromiumPath(withWindows: boolean): string {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return named;
  const folders = (process.env['PATH'] ?? '').split(':');
  const names = withWindows ? NAMES : [SHELL, ...NAMES];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(exists);
  if (found === undefined) throw new Error('There is no Chromium on this machine. Install it, or name it in CHROMIUM.');
  return found;
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

const SHELL = 'chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Each window loads internal pages for its address bar, which cost more than a second of processor time each. */
const OF_WINDOW = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** Chromium uses only the last such list, so it must repeat what the driver switches off. */
const OF_DRIVER = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OF_WINDOW, ...OF_DRIVER].join(',')}`,
] as const;
