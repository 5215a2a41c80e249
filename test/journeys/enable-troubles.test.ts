import { afterEach, describe, expect, beforeAll } from 'vitest';
import type { FrameLocator, Page } from 'playwright-core';
import { openExtension } from '../support/constellation.ts';
import { test } from '../support/shared-constellation.ts';
import { closePanel, hold, isSwitch, isWrite, openFields, openPanel, steps, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();
let page: Page;
beforeAll(async () => {
  ({ page } = await world.openConsole(ADA));
});
afterEach(async () => {
  await world.trouble('authoring-system', { mode: 'none' });
  await world.trouble('identity-provider', { mode: 'none' });
  await page.context().unrouteAll();
});

const SET_UP = /This page is set up for repoless/;

describe('The authoring system is in trouble', () => {
  test.each([
    ['down', 'does not respond', 'Try again in a minute. If the problem persists, contact the authoring system’s administrator.'],
    ['forbidden', 'You don’t have permission to read or change this in the authoring system.', 'Ask the authoring system’s administrator'],
    ['unauthorized', 'The authoring system no longer accepts your sign-in.', 'Sign in to the authoring system again'],
    [
      'alternatives',
      'The authoring system has too many resources there to list at once (status 300).',
      'Trying again gives the same answer.',
    ],
  ] as const)('%s: says so, says what to do, and reads again when asked to', async (mode, sentence, next) => {
    await visit(page, '/content/summit');
    await world.trouble('authoring-system', { mode });
    const panel = await openExtension(page, 'Repoless sites');
    await panel.getByRole('heading', { name: 'Couldn’t read the current settings' }).waitFor();
    await panel.getByRole('alert').getByText(sentence).waitFor();
    await panel.getByRole('alert').getByText(next).waitFor();
    await world.trouble('authoring-system', { mode: 'none' });
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('button', { name: 'Enable repoless' }).waitFor();
    await closePanel(page);
  });

  test('and refuses the last write: the site is there, nothing is switched, and it is gone on with from there', async () => {
    await visit(page, await world.addSite('refused'));
    const panel = await openPanel(page);
    const switching = await hold(page.context(), isSwitch);
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    await switching.reached;
    await world.trouble('authoring-system', { mode: 'unauthorized', path: '/conf', times: 1 });
    switching.release();
    await panel.getByText('“Switch the project type to repoless” failed').waitFor();
    await panel.getByText('The authoring system no longer accepts your sign-in.').waitFor();
    expect(await world.projectType('/conf/refused')).toBe('1');
    await panel.getByRole('button', { name: 'Try again from the failed step' }).click();
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    expect(await world.versions('refused')).toEqual([1]);
    await closePanel(page);
  });
});

test('A sign-in that ends in the middle of an apply is renewed by the host’s own, unseen', async () => {
  await visit(page, await world.addSite('renewed'));
  const panel = await openPanel(page);
  const registering = await hold(page.context(), (request) => isWrite(request) && request.method() === 'PUT');
  const asked = page.waitForRequest((request) => request.url().endsWith('/profile'));
  await panel.getByRole('button', { name: 'Enable repoless' }).click();
  const token = (await asked).headers()['x-auth-token'] ?? '';
  await registering.reached;
  await fetch(`${world.sandbox.addresses.backend}/logout`, { headers: { 'x-auth-token': token }, redirect: 'manual' });
  registering.release();
  await panel.getByRole('heading', { name: SET_UP }).waitFor();
  await closePanel(page);
});

test('The identity provider is down: the sign-in window says so, and the panel goes on when it is back', async () => {
  const { addresses } = world.sandbox;
  const context = await world.browser.newContext();
  const own = await context.newPage();
  await world.trouble('identity-provider', { mode: 'unavailable' });
  await own.goto(`${addresses.extension}/?author=${encodeURIComponent(addresses.author)}&path=/content/summit`);
  const signIn = own.getByRole('button', { name: 'Sign in', exact: true });
  const [popup] = await Promise.all([context.waitForEvent('page'), signIn.click()]);
  await popup
    .getByText(/identity provider/i)
    .first()
    .waitFor();
  await world.trouble('identity-provider', { mode: 'none' });
  await popup.close();
  await own.getByText('The window was closed before you finished signing in.').waitFor();
  await context.close();
});

describe('Somebody who does not administer the site', () => {
  test.each(['carl.config@example.com', 'nora.neighbour@example.com'])(
    '%s may not register a new site: the panel says who they are and how to ask, and shows no plan',
    async (email) => {
      const { page: theirs } = await world.openConsole(email, { at: '/content/summit' });
      const panel = await openExtension(theirs, 'Repoless sites');
      await panel.getByRole('region', { name: 'You have no role in the organization “wknd”' }).getByText(email, { exact: true }).waitFor();
      expect(await panel.getByRole('button', { name: 'Enable repoless' }).count()).toBe(0);
      expect(await panel.getByText('Changed since verified').count()).toBe(0);
    },
  );

  test('a stranger is told that he may not read the page', async () => {
    const { addresses } = world.sandbox;
    const context = await world.browser.newContext();
    const own = await context.newPage();
    await own.goto(`${addresses.extension}/?author=${encodeURIComponent(addresses.author)}&path=/content/summit`);
    const [popup] = await Promise.all([context.waitForEvent('page'), own.getByRole('button', { name: 'Sign in', exact: true }).click()]);
    await popup.getByLabel('E-mail').fill('sam.stranger@example.com');
    await popup.getByLabel('Password').fill('sandbox');
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
    await own.getByRole('alert').getByText('You don’t have permission to read or change this in the authoring system.').waitFor();
    await context.close();
  });
});

test('Two people enable the same site at once: both are told that it is set up, and there is one version', async () => {
  const path = await world.addSite('together');
  await visit(page, path);
  const { page: other, context } = await world.openConsole('otto.org@example.com', { at: path });
  const panels = [await openPanel(page), await openPanel(other)];
  await Promise.all(panels.map((panel) => panel.getByRole('button', { name: 'Enable repoless' }).click()));
  await Promise.all(panels.map((panel) => panel.getByRole('heading', { name: SET_UP }).waitFor()));
  expect(await world.versions('together')).toEqual([1]);
  await context.close();
  await closePanel(page);
});

describe('What an author wrote is wrong', () => {
  test('an organization in upper-case letters is proposed in lower case, said at its field, and can be corrected there', async () => {
    await visit(page, '/content/lantern');
    const panel = await openPanel(page);
    expect(await steps(panel)).toContain('Set organization and site name in the authoring system: Will change');
    await correct(panel, 'Organization', 'WKND');
    await saysAt(panel, 'Organization', /has uppercase letters; write "wknd"/);
    expect(await panel.getByRole('button', { name: 'Enable repoless' }).isDisabled()).toBe(true);
    await correct(panel, 'Organization', 'wknd');
    await panel.getByRole('button', { name: 'Enable repoless', disabled: false }).click();
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    await closePanel(page);
  });

  test('a site name that makes the host name too long is said at its field', async () => {
    await visit(page, '/content/wknd/at/de');
    const panel = await openPanel(page);
    await saysAt(panel, 'Site name', /63/);
    expect(await panel.getByRole('button', { name: 'Enable repoless' }).isDisabled()).toBe(true);
    await closePanel(page);
  });

  test('a content root that another site has is said with that site’s name, and nothing is stored', async () => {
    await visit(page, '/content/harbour');
    const panel = await openPanel(page);
    await correct(panel, 'Site name', 'harbour-two');
    await panel.getByText('Another site “harbour” already has this content root.').first().waitFor();
    expect(await panel.getByRole('button', { name: 'Enable repoless' }).isDisabled()).toBe(true);
    expect((await world.stored('/config/wknd/sites/harbour-two.json')).status).toBe(404);
    await closePanel(page);
  });
});

async function saysAt(panel: FrameLocator, field: string, problem: RegExp): Promise<void> {
  const box = panel.getByRole('textbox', { name: field, exact: true });
  await box.and(panel.locator('[aria-invalid="true"]')).waitFor();
  await expect.poll(() => box.evaluate(described)).toMatch(problem);
}

function described(box: Element): string {
  const ids = (box.getAttribute('aria-describedby') ?? '').split(' ');
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

async function correct(panel: FrameLocator, field: string, value: string): Promise<void> {
  const box = panel.getByRole('textbox', { name: field, exact: true });
  if (!(await box.isVisible())) await openFields(panel);
  await box.fill(value);
  await box.press('Enter');
}
