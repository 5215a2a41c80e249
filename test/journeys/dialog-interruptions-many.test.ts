import { testInterruptions } from './interrupted-dialogs.ts';
import { expect } from 'vitest';
import { openPlace } from './panel.ts';
import { chooseSite, treeRow } from './sites-panel.ts';
import { ADA, type World } from './world.ts';
import { arranging, button, type Dialog, nothing, place, press, runAgain, siteAt, understand, WITHIN } from './write-dialogs.ts';

testInterruptions(manyDialogs);

/** The dialogs about several sites, and about what sites share. */
function manyDialogs(world: () => World): readonly Dialog[] {
  const { call, storedAt, documentOf, registered, theirHeader } = arranging(world);
  return [
    {
      name: 'the undo of a run over many sites',
      arrange: (site) => world().addSite(site),
      start: (page) => openPlace(page, 'Content tree'),
      async reach(panel, site) {
        await treeRow(panel, new RegExp(`Site ${site} `)).click();
        await press(panel, /^Review 1 site$/);
        await press(panel, /^Set up 1 site$/);
        await panel.getByText(/^The site is set up\./).waitFor({ timeout: WITHIN });
      },
      opener: /^Undo 1 site…$/,
      title: /^Undo the run on 1 site\?$/,
      enter: understand,
      press: /^Undo now$/,
      theirs: (site) => call('DELETE', `${siteAt(site)}.json`),
      preserved: nothing,
      again: async (panel) => press(panel, /^Try 1 site again$/),
      done: /^Undone on 1 of 1 sites\.$/,
      async stored(site) {
        expect((await world().stored(`${siteAt(site)}.json`)).status).toBe(404);
        expect(await world().projectType(`/conf/${site}`)).toBe('1');
      },
    },
    {
      name: 'a repair',
      // A site root is repaired in its page properties.
      async arrange(site) {
        await world().addSite(site, { siteName: `${site}-base` });
        const path = await world().addSite(`${site}/de`, { title: `Site ${site} de`, siteName: site });
        await call('PUT', `${siteAt(site)}.json`, documentOf(site, path));
        return path;
      },
      start: (page) => openPlace(page, 'All sites'),
      reach: chooseSite,
      opener: /^Repair 1…$/,
      title: /^Repair 1 site$/,
      enter: async (panel) => panel.getByText('Every site can be repaired.').waitFor({ timeout: WITHIN }),
      press: /^Repair 1 site$/,
      theirs: (site) => call('POST', `${siteAt(site)}/access.json`, { admin: { role: { admin: [ADA] } } }),
      reported: / has changed the site since it was reviewed \(access\)/,
      async settle(panel) {
        await press(panel, /^Review 1 site$/);
        await panel.getByText('Every site can be repaired.').waitFor({ timeout: WITHIN });
        await press(panel, /^Repair 1 site$/);
      },
      preserved: nothing,
      again: runAgain,
      done: /^The site is repaired and verified\./,
      stored: async (site) => expect(await world().projectType(`/conf/${site}/de`)).toBe('4'),
    },
    {
      name: 'the deletion of a secret',
      async arrange(site) {
        const path = await registered(site);
        await call('POST', `${siteAt(site)}/secrets/cdn-live.json`, {});
        return path;
      },
      reach: place('Configuration'),
      opener: /^Delete “cdn-live”…$/,
      title: /^Delete “cdn-live”\?$/,
      enter: nothing,
      press: /^Delete$/,
      theirs: (site) => call('DELETE', `${siteAt(site)}/secrets/cdn-live.json`),
      preserved: nothing,
      again: async (panel) => press(panel, /^Try again$/),
      done: /^“cdn-live” was deleted\.$/,
      stored: async (site) => expect(Object.keys(Object(await storedAt(`${siteAt(site)}/secrets.json`)))).toEqual([]),
    },
    {
      name: 'the rollout of a profile',
      async arrange(site) {
        const path = await world().addSite(site);
        await call('PUT', `/config/wknd/profiles/of-${site}.json`, { robots: { txt: 'zero' } });
        await call('PUT', `${siteAt(site)}.json`, { ...documentOf(site), extends: { profile: `of-${site}` } });
        return path;
      },
      start: (page) => openPlace(page, 'All sites'),
      reach: nothing,
      opener: (site) => `Roll out the profile “of-${site}”`,
      title: /^Roll out the profile “.*”$/,
      async enter(panel, site) {
        await panel.getByRole('textbox', { name: /^Configuration/ }).fill('{ "robots": { "txt": "mine" } }');
        await panel.getByRole('textbox', { name: /^Title/ }).fill(`Roll ${site}`);
        await press(panel, /^Preview on every site$/);
        await panel.getByRole('heading', { name: 'What would change' }).waitFor();
      },
      press: /^Start on 1 site$/,
      theirs: theirHeader,
      preserved: async (panel, site) => expect(await panel.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe(`Roll ${site}`),
      async again(panel) {
        await press(panel, /^Preview on every site$/);
        await press(panel, /^Start on 1 site$/);
      },
      done: /^Done$/,
      async stored(site) {
        expect(await storedAt(`/config/wknd/profiles/of-${site}.json`)).toMatchObject({ robots: { txt: 'mine' } });
        const { rollouts } = (await storedAt('/config/wknd/rollouts.json')) as { rollouts: { title: string }[] };
        expect(rollouts.filter(({ title }) => title === `Roll ${site}`)).toHaveLength(1);
      },
    },
    {
      name: 'a move',
      async arrange(site) {
        const path = await registered(site);
        await world().addSite(site, { environment: 'p100-e300' });
        return path;
      },
      start: (page) => openPlace(page, 'All sites'),
      reach: async (panel, site) => {
        await chooseSite(panel, site);
        await press(panel, /^Move 1 to another environment…$/);
        await panel.getByRole('combobox', { name: 'Address of the other author' }).fill(world().sandbox.addresses.secondAuthor);
      },
      opener: /^Plan the move$/,
      title: /^Move 1 site$/,
      enter: async (panel) => button(panel, /^Move 1 site$/).waitFor({ timeout: WITHIN }),
      press: /^Move 1 site$/,
      theirs: theirHeader,
      preserved: nothing,
      again: runAgain,
      done: /^The site is in the new environment\.$/,
      stored: async (site) =>
        expect(JSON.stringify(await storedAt(`${siteAt(site)}/content.json`))).toContain(world().sandbox.addresses.secondAuthor),
    },
  ];
}
