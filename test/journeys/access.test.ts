import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, beforeAll } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { axeOf, choosePlace, hasFocus, openPanel, panelDocument } from './panel.ts';
import { openTree } from './sites-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const SITE = '/config/wknd/sites/wknd-ch-de';
const NORA = 'nora.neighbour@example.com';
const BEN = 'ben.builder@example.com';
const ACCOUNT = 'p100-e200@techacct.example.com';

const world = worldBeforeAll();
beforeAll(async () => {
  const role = { admin: [NORA], config_admin: [ACCOUNT] };
  await world.call('POST', `${SITE}/access.json`, { admin: { role } });
});

async function openAccess(page: Page): Promise<FrameLocator> {
  const panel = await openPanel(page);
  await choosePlace(panel, 'Access');
  await panel.getByRole('list', { name: 'Administrators', exact: true }).waitFor();
  return panel;
}

describe('In the access view', () => {
  test('an administrator is warned about public access and about removing herself, and adds a colleague', async () => {
    const { page } = await world.openConsole(NORA, { at: '/content/wknd/ch/de' });
    const panel = await openAccess(page);
    const entry = panel.getByRole('textbox', { name: 'Add to Administrators', exact: true });
    await entry.fill('*');
    await entry.press('Enter');
    await panel.getByText(/^“\*” gives the role “Administrator” to everybody who can sign in/).waitFor();
    await panel.getByRole('button', { name: 'Remove * from Administrators', exact: true }).click();
    await entry.fill(BEN);
    await entry.press('Enter');
    await panel.getByRole('button', { name: `Remove ${NORA} from Administrators`, exact: true }).click();
    await panel.getByRole('button', { name: 'Review the change…' }).click();
    await panel.getByText('Confirm the consequences first.').waitFor();
    expect(await panel.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Keep editing' }).click();
    await entry.fill(NORA);
    await entry.press('Enter');
    await panel.getByRole('button', { name: 'Review the change…' }).click();
    await panel.getByRole('list', { name: 'What will change' }).getByText(`Administrators: ${BEN} added`).waitFor();
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText('The change was saved.').waitFor();
    expect((await world.stored(`${SITE}/access.json`)).body).toEqual({ admin: { role: { admin: [BEN, NORA], config_admin: [ACCOUNT] } } });
    expect(await axeOf(page)).toEqual([]);
    await page.evaluate(() => history.back());
    await panel.getByRole('heading', { name: /Planned steps|Completed steps/ }).waitFor();
    const title = panel.getByRole('heading', { level: 1 });
    await expect.poll(() => hasFocus(title)).toBe(true);
  });

  test('an API key is created, shown once, used, revoked, and then refused', async () => {
    const { page } = await world.openConsole(NORA, { at: '/content/wknd/ch/de', colorScheme: 'dark' });
    const panel = await openAccess(page);
    await panel.getByRole('button', { name: 'Create an API key…' }).click();
    await panel.getByRole('textbox', { name: 'Description' }).fill('Build on main');
    await panel.getByRole('checkbox', { name: /^Configuration administrator/ }).check();
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Create the key' }).click();
    const once = panel.getByRole('group', { name: 'The key was created. Copy it now' });
    const value = (await once.locator('code').textContent()) ?? '';
    expect(await axeOf(page)).toEqual([]);
    const statusWithKey = async (): Promise<number> =>
      (await fetch(`${world.sandbox.addresses.backend}${SITE}.json`, { headers: { 'x-auth-token': value } })).status;
    expect(await statusWithKey()).toBe(200);
    await once.getByRole('button', { name: 'I have copied it' }).click();
    await once.waitFor({ state: 'detached' });
    expect(await (await panelDocument(page)).content()).not.toContain(value);
    await panel.getByRole('button', { name: 'Revoke “Build on main”…' }).click();
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Revoke the key' }).click();
    await panel.getByText('There are no API keys.').waitFor();
    expect(await statusWithKey()).toBe(401);
  });

  test('a user of the organization gets a role, by keyboard only', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de' });
    const panel = await openTree(page);
    await choosePlace(panel, 'All sites');
    await pressEnter(panel.getByRole('link', { name: 'Access', exact: true }));
    await panel.getByRole('list', { name: 'Users' }).waitFor();
    const title = panel.getByRole('heading', { name: 'Access to the organization “wknd”' });
    expect(await hasFocus(title)).toBe(true);
    await panel.locator('summary', { hasText: 'Add a user' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(BEN);
    await page.keyboard.press('Tab');
    await panel.getByRole('checkbox', { name: /^Developer/ }).focus();
    await page.keyboard.press('Space');
    await pressEnter(panel.getByRole('button', { name: 'Add user' }));
    expect(await axeOf(page)).toEqual([]);
    await pressEnter(panel.getByRole('button', { name: 'Review the change…' }));
    await panel.getByText(`Users of the organization: ${BEN} added`).waitFor();
    await pressEnter(panel.getByRole('button', { name: 'Save', exact: true }));
    await panel.getByText('The change was saved.').waitFor();
    expect((await world.stored('/config/wknd/users.json')).body).toContainEqual(
      expect.objectContaining({ email: BEN, roles: ['develop'] }),
    );
    expect(await axeOf(page)).toEqual([]);
  });
});
