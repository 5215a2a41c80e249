import { describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { pressEnter } from '../support/press-enter.ts';
import { chooseLocales, openTree, review, treeRow } from './sites-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';
import { axeOf, choosePlace } from './panel.ts';

const world = worldBeforeAll();

const publicOf = (root: string) => ({
  public: { paths: { mappings: [`${root}/:/`, `${root}/configuration:/.helix/config.json`], includes: [`${root}/`] } },
});

describe('A site manager', () => {
  test('creates sites for a country and its locales, by keyboard only, and the tree shows them', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch' });
    const panel = await openTree(page);
    const tree = panel.getByRole('treegrid', { name: 'Pages' });
    await treeRow(panel, /Switzerland ch .*Not set up/).waitFor();
    expect(await axeOf(page)).toEqual([]);

    await tree.focus();
    await page.keyboard.type('swi');
    await page.keyboard.press('ArrowRight');
    await treeRow(panel, /Tarnfell fr .*Not set up/).waitFor();
    await page.keyboard.press('Space');
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowUp');
    await panel.getByText('3 pages selected').waitFor();
    expect(await treeRow(panel, /Tarnfell de /).getAttribute('aria-selected')).toBeNull();

    await pressEnter(panel.getByRole('button', { name: /^Review \d+ sites?$/ }));
    await panel.getByText('Every site can be set up.').waitFor();
    await panel.getByText('http', { exact: false }).first().waitFor();
    expect(await axeOf(page)).toEqual([]);

    const name = panel.getByRole('textbox', { name: 'Site name of /content/wknd/ch/fr' });
    expect(await name.inputValue()).toBe('wknd-ch-fr');
    await name.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('wknd');
    await pressEnter(panel.getByRole('button', { name: 'Test run' }));
    await panel.getByText('The site “wknd” already exists', { exact: false }).waitFor();
    expect(await axeOf(page)).toEqual([]);
    await name.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('wknd-romandie');
    await pressEnter(panel.getByRole('button', { name: 'Set up 3 sites' }));
    await panel.getByText('All 3 sites are set up.').waitFor();
    expect(await axeOf(page)).toEqual([]);

    const created = { 'wknd-ch': '/content/wknd/ch', 'wknd-romandie': '/content/wknd/ch/fr', 'wknd-ch-it': '/content/wknd/ch/it' };
    for (const [site, root] of Object.entries(created)) {
      for (const domain of [world.sandbox.addresses.previewDomain, world.sandbox.addresses.liveDomain]) {
        expect(await world.served(`http://main--${site}--wknd.${domain}/config.json`)).toEqual(publicOf(root));
      }
    }
    expect(await world.content('/content/wknd/ch/it')).toMatchObject({ 'jcr:content': { 'cq:conf': '/conf/wknd/ch-it' } });

    await pressEnter(panel.getByRole('button', { name: 'Back to the tree' }));
    await treeRow(panel, /Tarnfell fr Locale Locale site In order wknd-romandie \/conf\/wknd\/ch-fr$/).waitFor();
    await treeRow(panel, /Tarnfell it Locale Locale site In order wknd-ch-it \/conf\/wknd\/ch-it$/).waitFor();
  });

  test('creates a production site in another environment, with that environment’s technical account', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/summit', colorScheme: 'dark' });
    const panel = await openTree(page);
    await panel.getByRole('button', { name: 'Stage or production environment…' }).click();
    await panel.getByRole('combobox', { name: 'Address of the other author' }).fill(world.sandbox.addresses.secondAuthor);
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Open its tree' }).click();
    await panel.getByText('Its technical account is p100-e300@techacct.example.com.').waitFor();
    await treeRow(panel, /Tarnfell Summit School/).click();
    await review(panel);
    expect(await panel.getByRole('textbox', { name: 'Site name of /content/summit' }).inputValue()).toBe('summit-prod');
    const account = panel.getByRole('textbox', { name: 'Technical account of /content/summit' });
    await account.fill('p100-e200@techacct.example.com');
    await panel.getByText(/p100-e200@techacct.example.com .*p100-e200\./).waitFor();
    expect(await panel.getByRole('button', { name: 'Set up 1 site' }).isDisabled()).toBe(true);
    expect(await axeOf(page)).toEqual([]);
    await account.fill('p100-e300@techacct.example.com');
    await panel.getByRole('button', { name: 'Set up 1 site' }).click();
    await panel.getByText('The site is set up.').waitFor();
    expect((await world.stored('/config/wknd/sites/summit-prod.json')).body).toMatchObject({
      code: { owner: 'wknd', repo: 'wknd' },
      access: { admin: { role: { config_admin: ['p100-e300@techacct.example.com'] } } },
    });
  });

  test('removes a locale site after typing its name, and restores it', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/ch/de' });
    const panel = await openTree(page);
    await choosePlace(panel, 'All sites');
    const list = panel.getByRole('grid', { name: 'Sites of the organization' });
    await panel.getByRole('searchbox', { name: 'Search name, repository or path' }).fill('ch-de');
    await list.getByRole('row', { name: /^wknd-ch-de / }).click();
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Remove this site…' }).click();
    await panel.getByText('/content/wknd/ch/de inherits its cloud configuration again.').waitFor();
    const remove = panel.getByRole('button', { name: 'Remove 1 site' });
    expect(await remove.isDisabled()).toBe(true);
    expect(await axeOf(page)).toEqual([]);
    await panel.getByRole('textbox', { name: 'To confirm, enter the name of the site' }).fill('wknd-ch-de');
    await remove.click();
    await panel.getByText('1 site is removed.').waitFor();
    expect((await world.stored('/config/wknd/sites/wknd-ch-de.json')).status).toBe(404);
    await choosePlace(panel, 'Content tree');
    await treeRow(panel, /Tarnfell de Locale (Not set up|Part of a site)/).waitFor();

    await choosePlace(panel, 'All sites');
    await panel.getByRole('button', { name: 'Restore 1 site' }).click();
    await panel.getByText('1 site is restored.').waitFor();
    await choosePlace(panel, 'Content tree');
    await treeRow(panel, /Tarnfell de Locale Locale site (?:In order|Changed since verified) wknd-ch-de \/conf\/wknd\/ch-de$/).waitFor();
  });

  test('selects locales that were not expanded, and is notified of a page deleted in the meantime', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/wknd/de' });
    const panel = await openTree(page);
    await treeRow(panel, /Germany de /).click();
    await chooseLocales(panel);
    const locales = panel.getByRole('button', { name: 'Locales' });
    expect(await locales.evaluate((button) => button === document.activeElement)).toBe(true);
    await treeRow(panel, /Germany de /).click();
    await panel.getByText('2 pages selected').waitFor();
    await review(panel);
    const root = panel.getByRole('textbox', { name: 'Content root of /content/wknd/de/en' });
    await root.fill('/content/wknd/de/nowhere');
    await panel.getByRole('button', { name: 'Set up 2 sites' }).click();
    await panel.getByText('One site has errors. Correct it, or remove it from the list.').waitFor();
    await panel.getByText('The page /content/wknd/de/nowhere doesn’t exist.', { exact: false }).first().waitFor();
    expect(await axeOf(page)).toEqual([]);
    await root.fill('/content/wknd/de/en');
    await panel.getByRole('button', { name: 'Set up 2 sites' }).click();
    await panel.getByText('All 2 sites are set up.').waitFor();
    const live = panel.getByRole('link', { name: /^Live: http/ }).last();
    const [, address = ''] = /^Live: (.+)/.exec((await live.getAttribute('aria-label')) ?? '') ?? [];
    await live.press('Enter');
    await panel.getByText('The editor does not let this panel open a window. Copy the address', { exact: false }).waitFor();
    await pressEnter(panel.getByRole('button', { name: `Copy address: ${address}` }));
    await panel.getByText('Copied', { exact: true }).waitFor();
    expect(await axeOf(page)).toEqual([]);
  });
});
