import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { extensionFrame, openExtension } from '../support/constellation.ts';
import { UNSUPPORTED_IN_VIEWS, offered } from '../support/on-both.ts';
import { test } from '../support/shared-constellation.ts';
import { axeOf, closePanel, enable, openPanel, steps, undoSetup, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const PAGE = '/content/willow';

const world = worldBeforeAll();

const selected = async () => JSON.stringify(await world.content(`${PAGE}/jcr:content`)).includes('"cq:conf"');

test('A page without a cloud configuration gets one, goes live with it, and loses it with the undo', async () => {
  expect(await selected()).toBe(false);
  const { page } = await world.openConsole(ADA, { at: PAGE });
  if (!offered('own-organizations')) await enterOrganization(page);
  const panel = offered('own-organizations') ? await openPanel(page) : extensionFrame(page);
  expect(await panel.getByRole('combobox', { name: 'Organization' }).inputValue()).toBe('wknd');
  expect(await panel.getByRole('textbox', { name: 'Site name' }).inputValue()).toBe('willow');
  expect((await steps(panel)).slice(3, 6)).toEqual([
    'Create the cloud configuration: Will create',
    'Save the current values: Will create',
    'Select the cloud configuration on the page: Will change',
  ]);
  expect(await axeOf(page)).toEqual([]);

  await enable(panel);
  expect(await world.projectType('/conf/willow')).toBe('4');
  expect(await selected()).toBe(true);
  expect(await axeOf(page)).toEqual([]);
  await closePanel(page);

  await visit(page, PAGE);
  const again = await openPanel(page);
  await again.getByRole('heading', { name: /^This page is set up for repoless/ }).waitFor();
  await undoSetup(again);
  expect(await selected()).toBe(false);
  expect(JSON.stringify(await world.content('/conf/willow'))).not.toContain(EDGE_CONFIGURATION.split('/').at(-1));
  expect((await world.stored('/config/wknd/sites/willow.json')).status).toBe(404);
});

/** The hosted service does not list the user’s organizations. */
async function enterOrganization(page: Page): Promise<void> {
  const panel = await openExtension(page, 'Repoless sites');
  await panel.getByText(UNSUPPORTED_IN_VIEWS['own-organizations']).waitFor();
  const organization = panel.getByRole('combobox', { name: 'Organization' });
  await organization.fill('wknd');
  await organization.press('Enter');
  await panel.getByRole('heading', { name: 'Planned steps' }).waitFor();
}
