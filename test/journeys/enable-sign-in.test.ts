import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { type Constellation, openExtension, startConstellation } from '../support/constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { fillIn, hold, isWrite, openAlone, openFields, steps, windowOf } from './panel.ts';
import { ADA } from './world.ts';

const SET_UP = /This page is set up for repoless/;
/** The repository of all the sites; without a site in the organization, nothing proposes it. */
const CODE = 'wknd';

describe('If the service does not trust the issuer of the host’s sign-in', () => {
  let dataDir: string;
  let constellation: Constellation;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'repoless-sign-in-'));
    // Nothing is prepared: preparing exchanges a token of that issuer.
    await writeFile(join(dataDir, 'seeded'), '');
    constellation = await startConstellation({ dataDir, backend: { TRUSTED_ISSUERS: '[]' } });
  });
  afterAll(async () => {
    await constellation.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('a code signs in, again when the sign-in ends during the work, and no input is lost', async () => {
    const { sandbox, browser } = constellation;
    const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
    const phone = await (await browser.newContext()).newPage();
    const panel = await openExtension(page, 'Repoless sites');
    await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
    await panel.getByText('Couldn’t open the window. Use the code below instead.').waitFor();
    await panel.getByRole('link').press('Enter');
    await panel.getByText(/does not let this panel open a window\. Copy the address/).waitFor();
    expect(context.pages()).toHaveLength(1);
    await pressEnter(panel.getByRole('button', { name: 'Copy address' }));
    await panel.getByText('Copied').waitFor();
    await allow(panel, phone, ADA);
    await panel.getByRole('button', { name: 'Enable repoless' }).waitFor();
    expect(await steps(panel)).toContain('Claim the organization: Will create');
    await openFields(panel);
    await panel.getByRole('textbox', { name: 'Code repository', exact: true }).fill(CODE);
    await panel.getByLabel('E-mail address of another administrator').fill('otto.org@example.com');
    await panel.getByRole('button', { name: 'Add administrator' }).click();

    const registering = await hold(context, (request) => isWrite(request) && request.url().includes('/sites/summit.json'));
    const signedInWith = page.waitForRequest((request) => request.url().endsWith('/profile') && request.method() === 'GET');
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    const token = (await signedInWith).headers()['x-auth-token'] ?? '';
    await registering.reached;
    await fetch(`${sandbox.addresses.backend}/logout`, { headers: { 'x-auth-token': token }, redirect: 'manual' });
    registering.release();
    await panel.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await panel.getByText('otto.org@example.com', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Sign in with a code' }).click();
    await allow(panel, phone);
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    await context.close();
    await phone.context().close();
  });

  test('a stand-alone page signs in by window, which also passes on the sign-in of the authoring system', async () => {
    const { page, context } = await openAlone(constellation, '/content/harbour');
    await page.getByRole('heading', { name: 'Sign in to the configuration service' }).waitFor();
    await fillIn(await windowOf(page.getByRole('button', { name: 'Sign in', exact: true })), ADA);
    await page.getByRole('heading', { name: 'Tarnfell Harbour House' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Tarnfell Harbour House' }).waitFor();
    await page.getByText(`Signed in as ${ADA}`, { exact: true }).waitFor();
    await openFields(page);
    await page.getByRole('textbox', { name: 'Code repository', exact: true }).fill(CODE);
    await page.getByRole('button', { name: 'Enable repoless' }).click();
    await page.getByRole('heading', { name: SET_UP }).waitFor();
    const opened = await windowOf(page.getByRole('link', { name: /^http:\/\/main--harbour--/ }).first());
    await opened.waitForLoadState();
    expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
    await context.close();
  });
});

/** Enters the code of the panel on another device, and allows the sign-in. */
async function allow(panel: FrameLocator, phone: Page, email?: string): Promise<void> {
  const code = await panel.getByText(/^[A-Z]{4}-[A-Z]{4}$/).innerText();
  const address = await panel.getByRole('link', { name: /^http/ }).getAttribute('href');
  await phone.goto(address ?? '');
  if (email !== undefined) await fillIn(phone, email);
  await phone.getByText(code).waitFor();
  await phone.getByRole('button', { name: 'Allow' }).click();
  await phone.getByRole('heading', { name: 'Allowed' }).waitFor();
}
