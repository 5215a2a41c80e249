import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { type Constellation, extensionFrame, openExtension, startConstellation } from '../support/constellation.ts';
import { choosePlace } from './panel.ts';
import { filmTour } from './tour-film.ts';
import { ADA, callAsAda } from './world.ts';

/**
 * `npm run tour`: records the README's film and pictures from the sandbox, as a new user sees it.
 * It is built to test/dist/journeys, three folders below the root and one.
 */
const FOLDER = fileURLToPath(new URL('../../../docs/images', import.meta.url));
const BROWSER = { viewport: { width: 1280, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' } as const;
/** Long enough to see a step in progress. */
const SLOW = 1500;

async function tour(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await withSandbox(async (constellation) => {
    await filmTour(constellation, `${FOLDER}/tour.webm`, (isSlow) => setFault(constellation, isSlow ? 'slow' : 'none'));
    process.stdout.write('docs/images/tour.webm\n');
  });
  await withSandbox(async (constellation) => {
    await enableSummit(constellation);
    await checkFerry(constellation);
    await wipedAccess(constellation);
    await profile(constellation);
  });
}

/** Starts a new sandbox each time, because the tour's site can only be set up once. */
async function withSandbox(work: (constellation: Constellation) => Promise<void>): Promise<void> {
  const constellation = await startConstellation();
  try {
    await work(constellation);
  } finally {
    await constellation.stop();
  }
}

async function enableSummit(constellation: Constellation): Promise<void> {
  const { page, context } = await constellation.openConsole(ADA, { ...BROWSER, at: '/content/summit' });
  await page.getByRole('heading', { level: 2, name: 'Tarnfell Summit School' }).waitFor();
  await page.getByRole('button', { name: 'Repoless sites' }).waitFor();
  await picture(page, 'page-properties');

  const extension = await openExtension(page, 'Repoless sites');
  const enable = extension.getByRole('button', { name: 'Enable repoless' });
  await enable.waitFor();
  await settled(extension);
  await picture(page, 'plan');

  await setFault(constellation, 'slow');
  await enable.click();
  await extension.getByText('Switch the project type to repoless…').first().waitFor({ timeout: 90_000 });
  await picture(page, 'running');

  await setFault(constellation, 'none');
  await extension.getByText(/^This page is set up for repoless as site/).waitFor();
  await settled(extension);
  await picture(page, 'done');
  await context.close();
}

/** A site without its technical account: publishing fails without an explanation. */
async function checkFerry(constellation: Constellation): Promise<void> {
  const { page, context } = await constellation.openConsole(ADA, { ...BROWSER, at: '/content/ferry' });
  await openExtension(page, 'Repoless sites');
  const extension = extensionFrame(page);
  await settled(extension);
  await choosePlace(extension, 'Health');
  await extension.getByRole('radio', { name: 'Publishing does not work' }).click();
  await picture(page, 'check');
  await context.close();
}

/** An access list wiped by mistake, found in the history. */
async function wipedAccess(constellation: Constellation): Promise<void> {
  const site = '/config/wknd/sites/wknd-ch-de';
  await callAsAda(constellation, 'POST', `${site}/metadata.json`, { source: ['/metadata.json'] });
  await callAsAda(constellation, 'POST', `${site}/headers.json`, { '/**': [{ key: 'X-Frame-Options', value: 'DENY' }] });
  await callAsAda(constellation, 'POST', `${site}/access.json`, { admin: { role: { admin: [ADA] } } });
  await callAsAda(constellation, 'POST', `${site}/folders.json`, { '/products/': '/products/default' });
  const { page, context } = await constellation.openConsole(ADA, { ...BROWSER, at: '/content/wknd/ch/de' });
  const extension = await openExtension(page, 'Repoless sites');
  await settled(extension);
  await extension.getByRole('link', { name: 'History' }).click();
  await extension.getByRole('button', { name: 'Access' }).click();
  await extension.getByRole('button', { name: 'Undo this change…' }).click();
  await extension.getByRole('button', { name: 'Undo the change of version 4 now' }).waitFor();
  await picture(page, 'history');
  await context.close();
}

async function profile(constellation: Constellation): Promise<void> {
  const context = await constellation.browser.newContext({ ...BROWSER, viewport: { width: 1280, height: 520 } });
  const page = await context.newPage();
  await page.goto(`${constellation.sandbox.addresses.backend}/login`);
  await page.getByRole('button', { name: /Ada Admin/ }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Admin' }).waitFor();
  await picture(page, 'profile');
  await context.close();
}

/** Waits until nothing is being read. */
async function settled(extension: FrameLocator): Promise<void> {
  await extension.getByRole('heading', { name: /Planned steps|Completed steps/ }).waitFor();
  await extension.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  process.stdout.write(`docs/images/${name}.png\n`);
}

async function setFault({ sandbox }: Constellation, mode: 'slow' | 'none'): Promise<void> {
  const { port } = new URL(sandbox.addresses.author);
  const body = JSON.stringify({ mode, delay: SLOW });
  await fetch(`http://localhost:${port}/sandbox/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

await tour();
