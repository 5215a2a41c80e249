import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import { expect } from 'vitest';
import type { BrowserContext, Frame, FrameLocator, Page, Request } from 'playwright-core';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { axeViolations } from '../support/axe.ts';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { fillIn, hold, isSwitch, isWrite, openAlone, openFields, openPanel, panelDocument, visit, windowOf } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

/** A panel in the host's dialog or in a separate window. */
type Panel = Pick<FrameLocator, 'locator' | 'getByRole' | 'getByText' | 'getByLabel'>;

const SET_UP = /This page is set up for repoless/;
const CARL = 'carl.config@example.com';

/** Seconds that opening and filling in a panel took. */
let tookToType = 10;

const world = worldBeforeAll();

test('A token revoked during input is renewed silently, and the input is applied', async () => {
  const { page, context } = await world.openConsole(ADA);
  await visit(page, await world.addSite('typed'));
  const token = watchToken(context);
  const start = performance.now();
  const panel = await openPanel(page);
  await type(panel, 'typed-anew');
  tookToType = (performance.now() - start) / 1000;
  await world.revoke(token());
  await pressByKeyboard(panel, 'Enable repoless');
  await panel.getByRole('heading', { name: SET_UP }).waitFor();
  expect(await again(panel).count()).toBe(0);
  expect(await world.versions('typed-anew')).toEqual([1]);
  expect(await administrators('typed-anew')).toContain(CARL);
});

test('If a silent renewal fails, signing in opens over the work, which then continues', async () => {
  const { page, context, token } = await standAlone(await world.addSite('alone'));
  await type(page, 'alone-anew');
  await world.revoke(token());

  const name = page.getByLabel('Site name', { exact: true });
  await name.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('r');
  await page.keyboard.press('Shift+Tab');
  await again(page).waitFor();
  await page.getByText('Your input is kept').waitFor();
  expect(await focused(page)).toBe('Sign in again');
  expect(await axeViolations(page)).toEqual([]);
  expect(await name.inputValue()).toBe('alone-anewr');
  await signInByKeyboard(page, context);
  await again(page).waitFor({ state: 'detached' });
  await page.getByText('You are signed in again. Work continues.').waitFor({ state: 'attached' });
  const before = page.getByLabel('Organization', { exact: true });
  expect(await before.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await name.inputValue()).toBe('alone-anewr');
  await page.getByRole('group', { name: 'Administrators', exact: true }).getByText(CARL, { exact: true }).waitFor();
  await context.close();
});

test('A user who declines to sign in during a run sees its progress, and can sign in from there', async () => {
  const { page, context } = await revokedWhileRegistering('declined');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('“Register the site” failed').waitFor();
  expect(await again(page).count()).toBe(0);
  await pressEnter(page.getByRole('alert').getByRole('button', { name: 'Sign in', exact: true }));
  await again(page).waitFor();
  await signInByKeyboard(page, context);
  await page.getByRole('heading', { name: SET_UP }).waitFor();
  expect(await world.versions('declined')).toEqual([1]);
  await context.close();
});

test('A run pauses between two steps until someone signs in, and then continues by itself', async () => {
  const { page, context } = await revokedWhileRegistering('halfway');
  expect(await world.versions('halfway')).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await signInByKeyboard(page, context);
  await page.getByRole('heading', { name: SET_UP }).waitFor();
  expect(await world.versions('halfway')).toEqual([1]);
  await context.close();
});

test('A run continues after the host’s own sign-in ends as soon as the host has a new one', async () => {
  const { page, context } = await world.openConsole(ADA);
  await visit(page, await world.addSite('outlasted'));
  const { life, ends } = await signInBriefly(page);
  const panel = await openPanel(page);
  await type(panel, 'outlasted-anew');
  const switching = await hold(context, isSwitch);
  await pressByKeyboard(panel, 'Enable repoless');
  await switching.reached;
  await expect.poll(() => Date.now() > ends, { timeout: life * 1000 * 2, interval: 100 }).toBe(true);
  switching.release();
  await again(panel).waitFor();
  await panel.getByText('Work also continues when the editor renews its own sign-in').waitFor();
  const frame = await panelDocument(page);
  expect(await axeViolations(frame)).toEqual([]);
  expect(await focused(frame)).toBe('Sign in again');

  const elsewhere = await context.newPage();
  await elsewhere.goto(world.sandbox.addresses.console);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await fillIn(elsewhere, ADA);
  await elsewhere.getByRole('treegrid', { name: 'Pages' }).waitFor();
  await page.bringToFront();
  await panel.getByRole('heading', { name: SET_UP }).waitFor();
  expect(await again(panel).count()).toBe(0);
  expect(await world.versions('outlasted-anew')).toEqual([1]);
  expect(await world.projectType('/conf/outlasted')).toBe('4');
});

test('In the host’s dialog, declining to sign in with Escape preserves the dialog and the input', async () => {
  const { page } = await world.openConsole(ADA);
  await visit(page, await world.addSite('dismissed'));
  const { life, ends } = await signInBriefly(page);
  const panel = await openPanel(page);
  await type(panel, 'dismissed-anew');
  await expect.poll(() => Date.now() > ends, { timeout: life * 1000 * 2, interval: 100 }).toBe(true);
  const name = panel.getByLabel('Site name', { exact: true });
  await name.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('r');
  await page.keyboard.press('Shift+Tab');
  await again(panel).waitFor();
  await page.keyboard.press('Escape');
  await again(panel).waitFor({ state: 'detached' });
  await panel.getByText('You are not signed in. Your input is kept.').first().waitFor({ state: 'attached' });
  expect(await name.inputValue()).toBe('dismissed-anewr');
});

/** Enables a new site; the token is revoked while the site is being registered. */
async function revokedWhileRegistering(site: string) {
  const { page, context, token } = await standAlone(await world.addSite(site));
  const registering = await hold(context, isRegistration);
  await pressByKeyboard(page, 'Enable repoless');
  await registering.reached;
  await world.revoke(token());
  registering.release();
  await again(page).waitFor();
  return { page, context };
}

function again(panel: Panel) {
  return panel.getByRole('dialog', { name: 'Sign in again' });
}

function isRegistration(request: Request): boolean {
  return isWrite(request) && request.method() === 'PUT' && request.url().includes('/sites/');
}

/** Changes the name of the site, and adds an administrator. */
async function type(panel: Panel, siteName: string): Promise<void> {
  await openFields(panel);
  await panel.getByLabel('Site name', { exact: true }).fill(siteName);
  await panel.getByLabel('E-mail address of another administrator').fill(CARL);
  await pressEnter(panel.getByRole('button', { name: 'Add administrator' }));
  await panel.getByRole('group', { name: 'Administrators', exact: true }).getByText(CARL, { exact: true }).waitFor();
  // What depends on the name has been read by now.
  await expect.poll(() => panel.getByRole('button', { name: 'Enable repoless' }).isEnabled(), { timeout: 20_000 }).toBe(true);
}

async function pressByKeyboard(panel: Panel, name: string): Promise<void> {
  await pressEnter(panel.getByRole('button', { name }));
}

/** From the title of the dialog to its first button. */
async function signInByKeyboard(page: Page, context: BrowserContext): Promise<void> {
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Sign in');
  const [popup] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
  await fillIn(popup, ADA);
}

async function focused(target: Page | Frame): Promise<string> {
  return await target.evaluate(() => (document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? '').trim()));
}

/** The panel in a separate window, with a person signed in by pop-up window. */
async function standAlone(path: string) {
  const { page, context } = await openAlone(world, path);
  const token = watchToken(context);
  await fillIn(await windowOf(page.getByRole('button', { name: 'Sign in', exact: true })), ADA);
  await page.getByRole('button', { name: 'Enable repoless' }).waitFor();
  return { page, context, token };
}

/** Returns the service's token that the panel sent last. */
function watchToken(context: BrowserContext): () => string {
  let last = '';
  context.on('request', (request) => {
    last = request.headers()['x-auth-token'] ?? last;
  });
  return () => last;
}

async function administrators(site: string): Promise<string> {
  return JSON.stringify((await world.stored(`/config/wknd/sites/${site}/access.json`)).body);
}

/**
 * Lets the host's own sign-in expire after long enough to open the panel, type, and reach the last step, judging by this machine's
 * speed so far. Returns its life in seconds, and its end.
 */
async function signInBriefly(page: Page): Promise<{ life: number; ends: number }> {
  const life = Math.ceil(5 + 3 * tookToType);
  const { token, ends } = await shortLived(life);
  await page.evaluate((short) => {
    const session: unknown = JSON.parse(sessionStorage.getItem('console.session') ?? '{}');
    sessionStorage.setItem('console.session', JSON.stringify({ ...Object(session), token: short }));
  }, token);
  await page.reload();
  return { life, ends };
}

/** A token as the identity provider issues it to the console, but short-lived. */
async function shortLived(seconds: number): Promise<{ token: string; ends: number }> {
  const { addresses, dataDir } = world.sandbox;
  const like = await authoringTokenOf(ADA, addresses);
  const stored: unknown = JSON.parse(await readFile(join(dataDir, 'identity-provider', 'identity-provider-keys.json'), 'utf8'));
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const { alg = 'ES256', kid = '', typ = 'at+jwt' } = decodeProtectedHeader(like);
  const token = await new SignJWT({ ...decodeJwt(like), exp })
    .setProtectedHeader({ alg, kid, typ })
    .sign(await importJWK(firstKey(stored), alg));
  return { token, ends: exp * 1000 };
}

/** The sandbox writes this file itself: a key set. */
function firstKey(stored: unknown): JWK {
  const [key] = (stored as { jwks: { keys: JWK[] } }).jwks.keys;
  if (key === undefined) throw new Error('The identity provider has no key.');
  return key;
}
