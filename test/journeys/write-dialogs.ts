import type { FrameLocator, Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { pressEnter } from '../support/press-enter.ts';
import { choosePlace, enable, openFields, openPlace } from './panel.ts';
import { chooseSite, treeRow } from './sites-panel.ts';
import { ADA, type World } from './world.ts';

const BEN = 'ben.builder@example.com';
const CARL = 'carl.config@example.com';
/** A run waits about a minute for an answer. */
export const WITHIN = 90_000;

/** A dialog that writes: opened, filled in, reviewed, and confirmed with one press. */
export interface Dialog {
  readonly name: string;
  /** Prepares its subject. Returns the page at which the console opens. */
  arrange(site: string): Promise<string>;
  /** Opens the panel close to the dialog. */
  start?(page: Page): Promise<FrameLocator>;
  /** Goes to the button that opens it, if the place is not itself the dialog. */
  reach(panel: FrameLocator, site: string): Promise<void>;
  readonly opener?: RegExp | ((site: string) => string);
  /** Its title, or the name of its focused element. */
  readonly title: RegExp;
  /** Fills everything in, up to the review. */
  enter(panel: FrameLocator, site: string): Promise<void>;
  readonly press: RegExp;
  readonly isSent?: (request: Request) => boolean;
  /** Changes the same as another person. */
  theirs(site: string): Promise<void>;
  /** The message about that; absent if both changes fit. */
  readonly reported?: RegExp;
  /** Goes from that message to the end. */
  settle?(panel: FrameLocator, site: string): Promise<void>;
  /** Expects that the input is preserved. */
  preserved(panel: FrameLocator, site: string): Promise<void>;
  /** Goes from a failure to the final press. */
  again(panel: FrameLocator, site: string): Promise<void>;
  readonly done: RegExp;
  /** The message if the answer is lost; absent if the dialog finds out that the write succeeded. */
  readonly uncertain?: RegExp;
  /** Expects what is stored at the end, once. */
  stored(site: string): Promise<void>;
}

export const button = (panel: FrameLocator, name: string | RegExp): Locator => panel.getByRole('button', { name }).first();
export const press = async (panel: FrameLocator, name: string | RegExp): Promise<void> => button(panel, name).click({ timeout: WITHIN });
export const siteAt = (site: string): string => `/config/wknd/sites/${site}`;
export const nothing = async (): Promise<void> => undefined;

export const understand = (panel: FrameLocator): Promise<void> =>
  panel.getByRole('checkbox', { name: 'I understand the consequences' }).check();
export const runAgain = async (panel: FrameLocator): Promise<void> => press(panel, /1 site again$|remaining$/);
export const place = (name: string) => async (panel: FrameLocator) => choosePlace(panel, name);

/** Reviews the consequences of the removal again, and confirms. */
async function removeAgain(panel: FrameLocator, site: string): Promise<void> {
  await press(panel, /^Plan 1 site again$/);
  await panel.getByRole('textbox', { name: 'To confirm, enter the name of the site' }).fill(site);
  await press(panel, /^Remove 1 site$/);
}

async function restoreAgain(panel: FrameLocator): Promise<void> {
  await press(panel, /^Review again$/);
  await press(panel, /^Restore version 1 now$/);
}

/** The preparations and reads that the dialogs share. */
export function arranging(world: () => World) {
  const call = async (method: string, path: string, body?: unknown): Promise<void> => void (await world().call(method, path, body));

  const storedAt = async (path: string): Promise<unknown> => (await world().stored(path)).body;

  function documentOf(site: string, root = `/content/${site}`): object {
    const url = `${world().sandbox.addresses.author}/bin/franklin.delivery/wknd/${site}/main`;
    return {
      version: 1,
      code: { owner: 'wknd', repo: 'wknd' },
      content: { source: { url, type: 'markup', suffix: '.html' } },
      access: { admin: { role: { admin: [ADA], config_admin: ['p100-e200@techacct.example.com'] } } },
      public: { paths: { mappings: [`${root}/:/`], includes: [`${root}/`] } },
    };
  }

  /** Creates a page with a registered site. */
  async function registered(site: string): Promise<string> {
    const path = await world().addSite(site);
    await call('PUT', `${siteAt(site)}.json`, documentOf(site));
    return path;
  }

  const theirHeader = (site: string): Promise<void> =>
    call('POST', `${siteAt(site)}/headers.json`, { '/**': [{ key: 'x-theirs', value: '1' }] });

  return { call, storedAt, documentOf, registered, theirHeader };
}

/** The dialogs that write, in the world of the running test. */
export function writeDialogs(world: () => World): readonly Dialog[] {
  const { call, storedAt, documentOf, registered, theirHeader } = arranging(world);
  return [
    {
      name: 'the review of a setup',
      arrange: (site) => world().addSite(site),
      reach: nothing,
      title: /^Planned steps$/,
      async enter(panel) {
        await openFields(panel);
        await panel.getByLabel('E-mail address of another administrator').fill(CARL);
        await pressEnter(panel.getByRole('button', { name: 'Add administrator' }));
        await expect.poll(() => button(panel, 'Enable repoless').isEnabled(), { timeout: WITHIN }).toBe(true);
      },
      press: /^Enable repoless$/,
      isSent: (request) => request.method() === 'PUT' && request.url().includes('/sites/'),
      theirs: (site) => call('PUT', `${siteAt(site)}.json`, documentOf(site, `/content/${site}/other`)),
      reported: /^The plan has changed$/,
      // The site is registered by then: the button says so as soon as the panel has read it.
      settle: async (panel) => press(panel, /^(Enable repoless|Finish setup: \d+ steps)$/),
      preserved: async (panel) =>
        panel.getByRole('group', { name: 'Administrators', exact: true }).getByText(CARL, { exact: true }).waitFor({ state: 'attached' }),
      again: async (panel) => press(panel, /^Try again( from the failed step)?$/),
      done: /^This page is set up for repoless/,
      async stored(site) {
        expect(JSON.stringify(await storedAt(`${siteAt(site)}/access.json`))).toContain(CARL);
        expect(await world().projectType(`/conf/${site}`)).toBe('4');
      },
    },
    {
      name: 'the undo of a setup',
      arrange: (site) => world().addSite(site),
      reach: async (panel) => enable(panel),
      opener: /^Undo setup…$/,
      title: /^Undo setup$/,
      async enter(panel) {
        await panel.getByText(/^The site “.*” will be removed/).waitFor();
        await understand(panel);
      },
      press: /^Undo setup now$/,
      theirs: theirHeader,
      reported: /^This later change will be lost:$/,
      async settle(panel) {
        await panel.getByRole('checkbox', { name: 'Discard this change' }).check();
        await understand(panel);
        await press(panel, /^Undo setup now$/);
      },
      preserved: nothing,
      again: async (panel) => press(panel, /^Try again( from the failed step)?$/),
      done: / is removed, and the authoring system has its previous values/,
      async stored(site) {
        expect((await world().stored(`${siteAt(site)}.json`)).status).toBe(404);
        expect(await world().projectType(`/conf/${site}`)).toBe('1');
      },
    },
    {
      name: 'access',
      arrange: registered,
      reach: async (panel) => {
        await choosePlace(panel, 'Access');
        const entry = panel.getByRole('textbox', { name: 'Add to Administrators', exact: true });
        await entry.fill(CARL);
        await entry.press('Enter');
      },
      opener: /^Review the change…$/,
      title: /^What will change$/,
      enter: nothing,
      press: /^Save$/,
      theirs: (site) =>
        call('POST', `${siteAt(site)}/access.json`, {
          admin: { role: { admin: [ADA, BEN], config_admin: ['p100-e200@techacct.example.com'] } },
        }),
      reported: /changed it in the meantime$/,
      settle: async (panel) => press(panel, /^Save$/),
      preserved: async (panel) =>
        panel.getByRole('list', { name: 'Administrators', exact: true }).getByText(CARL, { exact: true }).waitFor(),
      async again(panel) {
        await press(panel, /^Review the change…$/);
        await press(panel, /^Save$/);
      },
      done: /^The change was saved\.$/,
      async stored(site) {
        expect(await storedAt(`${siteAt(site)}/access.json`)).toMatchObject({
          admin: { role: { admin: expect.arrayContaining([ADA, CARL]) } },
        });
      },
    },
    {
      name: 'the configuration',
      arrange: registered,
      reach: async (panel) => {
        await choosePlace(panel, 'Configuration');
        await panel.locator('summary', { hasText: 'robots.txt' }).click();
        await panel.getByRole('textbox', { name: 'Text of robots.txt' }).fill('mine');
      },
      opener: /^Preview changes$/,
      title: /^Preview of your changes$/,
      enter: nothing,
      press: /^Save$/,
      theirs: theirHeader,
      reported: /changed the site in the meantime$/,
      settle: async (panel) => press(panel, /^Save$/),
      preserved: async (panel) => expect(await panel.getByRole('textbox', { name: 'Text of robots.txt' }).inputValue()).toBe('mine'),
      async again(panel) {
        await press(panel, /^Preview changes$/);
        await press(panel, /^Save$/);
      },
      done: /^Your changes were saved\.$/,
      stored: async (site) => expect(await storedAt(`${siteAt(site)}.json`)).toMatchObject({ robots: { txt: 'mine' } }),
    },
    {
      name: 'a new secret',
      arrange: registered,
      reach: place('Configuration'),
      opener: /^Create a secret…$/,
      title: /^Create a secret$/,
      enter: async (panel) => panel.getByRole('textbox', { name: 'Name (optional)' }).fill('cdn-live'),
      press: /^Create the secret$/,
      theirs: (site) => call('POST', `${siteAt(site)}/secrets/cdn-live.json`, {}),
      reported: /^A secret with this name already exists\./,
      async settle(panel) {
        await panel.getByRole('textbox', { name: 'Name (optional)' }).fill('cdn-two');
        await press(panel, /^Create the secret$/);
      },
      preserved: async (panel) => expect(await panel.getByRole('textbox', { name: 'Name (optional)' }).inputValue()).toBe('cdn-live'),
      again: async (panel) => press(panel, /^Create the secret$/),
      done: /^The secret was created\. Copy it now$/,
      uncertain: /^The secret may have been created$/,
      stored: async (site) => expect(Object.keys(Object(await storedAt(`${siteAt(site)}/secrets.json`)))).not.toEqual([]),
    },
    {
      name: 'a new API key',
      arrange: registered,
      reach: place('Access'),
      opener: /^Create an API key…$/,
      title: /^Create an API key$/,
      async enter(panel) {
        await panel.getByRole('textbox', { name: 'Description' }).fill('Build');
        await panel.getByRole('checkbox', { name: /^Author/ }).check();
      },
      press: /^Create the key$/,
      theirs: (site) => call('POST', `${siteAt(site)}/apiKeys.json`, { description: 'Theirs', roles: ['author'] }),
      preserved: async (panel) => expect(await panel.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Build'),
      again: async (panel) => press(panel, /^Create the key$/),
      done: /^The key was created\. Copy it now$/,
      uncertain: /^The key may have been created$/,
      stored: async (site) => expect(JSON.stringify(await storedAt(`${siteAt(site)}/apiKeys.json`))).toContain('Build'),
    },
    {
      name: 'the users of the organization',
      arrange: registered,
      start: (page) => openPlace(page, 'Access'),
      reach: async (panel, site) => {
        await panel.locator('summary', { hasText: 'Add a user' }).click();
        await panel.getByRole('textbox', { name: 'E-mail address of another user, or groups/name' }).fill(`${site}@example.com`);
        await panel.getByRole('checkbox', { name: /^Developer/ }).check();
        await press(panel, /^Add user$/);
      },
      opener: /^Review the change…$/,
      title: /^What will change$/,
      enter: nothing,
      press: /^Save$/,
      theirs: (site) => call('POST', '/config/wknd/users.json', { email: `their-${site}@example.com`, roles: ['develop'] }),
      reported: /changed it in the meantime$/,
      settle: async (panel) => press(panel, /^Save$/),
      preserved: async (panel, site) =>
        panel.getByRole('list', { name: 'Users' }).getByText(`${site}@example.com`, { exact: true }).first().waitFor(),
      async again(panel) {
        await press(panel, /^Review the change…$/);
        await press(panel, /^Save$/);
      },
      done: /^The change was saved\.$/,
      stored: async (site) =>
        expect(
          ((await storedAt('/config/wknd/users.json')) as { email: string }[]).filter(({ email }) => email === `${site}@example.com`),
        ).toHaveLength(1),
    },
    {
      name: 'a recipient of notifications',
      arrange: registered,
      start: (page) => openPlace(page, 'Notifications'),
      reach: nothing,
      opener: /^Add a recipient$/,
      title: /^Add a recipient$/,
      async enter(panel, site) {
        await panel.getByRole('radio', { name: 'Webhook' }).click();
        await panel.getByRole('textbox', { name: 'Address of the webhook' }).fill(`https://hooks.example.com/${site}`);
      },
      press: /^Add$/,
      theirs: (site) =>
        call('POST', '/config/wknd/subscriptions.json', { channel: { type: 'webhook', url: `https://hooks.example.com/their-${site}` } }),
      preserved: async (panel, site) =>
        expect(await panel.getByRole('textbox', { name: 'Address of the webhook' }).inputValue()).toBe(`https://hooks.example.com/${site}`),
      again: async (panel) => press(panel, /^Add$/),
      done: /^Copy the secret now$/,
      uncertain: /^The recipient may have been added$/,
      stored: async (site) => expect(JSON.stringify(await storedAt('/config/wknd/subscriptions.json'))).toContain(`/${site}"`),
    },
    {
      name: 'the start of a rollout',
      arrange: registered,
      start: (page) => openPlace(page, 'All sites'),
      reach: chooseSite,
      opener: /^Edit 1 together…$/,
      title: /^Edit 1 selected site$/,
      async enter(panel, site) {
        await panel.getByRole('textbox', { name: 'Name of the header' }).fill('x-mine');
        await panel.getByRole('textbox', { name: 'Value' }).fill('1');
        await panel.getByRole('textbox', { name: /^Title/ }).fill(`Roll ${site}`);
        await press(panel, /^Preview on every site$/);
        await panel.getByRole('heading', { name: 'What would change' }).waitFor();
      },
      press: /^Start on 1 site$/,
      theirs: (site) => call('POST', `${siteAt(site)}/robots.json`, { txt: 'theirs' }),
      preserved: async (panel, site) => expect(await panel.getByRole('textbox', { name: /^Title/ }).inputValue()).toBe(`Roll ${site}`),
      async again(panel) {
        await press(panel, /^Preview on every site$/);
        await press(panel, /^Start on 1 site$/);
      },
      done: /^Done$/,
      async stored(site) {
        expect(await storedAt(`${siteAt(site)}.json`)).toMatchObject({ headers: { '/**': [{ key: 'x-mine', value: '1' }] } });
        const { rollouts } = (await storedAt('/config/wknd/rollouts.json')) as { rollouts: { title: string }[] };
        expect(rollouts.filter(({ title }) => title === `Roll ${site}`)).toHaveLength(1);
      },
    },
    {
      name: 'the undo of a rollout',
      async arrange(site) {
        const path = await registered(site);
        const edits = [{ op: 'set', path: '/robots', value: { txt: 'rolled' } }];
        await call('POST', '/config/wknd/rollouts.json', { title: `Roll ${site}`, sites: [site], edits });
        await expect.poll(() => storedAt(`${siteAt(site)}.json`), { timeout: WITHIN }).toMatchObject({ robots: { txt: 'rolled' } });
        return path;
      },
      start: (page) => openPlace(page, 'Rollouts'),
      reach: async (panel, site) => {
        await press(panel, `Roll ${site}`);
        await panel.getByText('Done', { exact: true }).first().waitFor({ timeout: WITHIN });
      },
      opener: /^Undo on all sites…$/,
      title: /^Undo “Roll .*”\?$/,
      enter: nothing,
      press: /^Undo on 1 site$/,
      async theirs(site) {
        const { rollouts } = (await storedAt('/config/wknd/rollouts.json')) as { rollouts: { title: string; id: string }[] };
        const id = rollouts.find(({ title }) => title === `Roll ${site}`)?.id ?? '';
        await call('POST', `/config/wknd/rollouts/${id}/undo.json`);
        await expect.poll(() => storedAt(`${siteAt(site)}.json`), { timeout: WITHIN }).not.toHaveProperty('robots');
      },
      preserved: nothing,
      async again(panel) {
        await press(panel, /^Undo on all sites…$/);
        await press(panel, /^Undo on 1 site$/);
      },
      done: /^Undone$/,
      stored: async (site) => expect(await storedAt(`${siteAt(site)}.json`)).not.toHaveProperty('robots'),
    },
    {
      name: 'the restore of a version',
      async arrange(site) {
        const path = await registered(site);
        await call('POST', `${siteAt(site)}/folders.json`, { '/products/': '/products/default' });
        return path;
      },
      reach: async (panel) => {
        await choosePlace(panel, 'History');
        await panel
          .getByRole('list', { name: 'Versions' })
          .getByRole('button', { name: /Version 1 / })
          .click();
        await panel.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
      },
      opener: /^Restore version 1…$/,
      title: /^Restoring version 1 would make these changes:$/,
      enter: nothing,
      press: /^Restore version 1 now$/,
      theirs: theirHeader,
      reported: /^It was changed in the meantime\./,
      settle: restoreAgain,
      preserved: nothing,
      again: restoreAgain,
      done: /^Version 1 was restored\.$/,
      stored: async (site) => expect(await storedAt(`${siteAt(site)}.json`)).not.toHaveProperty('folders'),
    },
    {
      name: 'the removal of a site',
      arrange: registered,
      start: (page) => openPlace(page, 'All sites'),
      reach: async (panel, site) => {
        await panel.getByRole('searchbox').fill(site);
        await panel.getByRole('row', { name: new RegExp(`^${site} `) }).click();
        await panel.getByRole('heading', { name: `Site “${site}”` }).waitFor();
      },
      opener: /^Remove this site…$/,
      title: /^Remove the site “.*”$/,
      enter: async (panel, site) => panel.getByRole('textbox', { name: 'To confirm, enter the name of the site' }).fill(site),
      press: /^Remove 1 site$/,
      theirs: theirHeader,
      reported: /^0 sites are removed\. 1 site is still there\.$/,
      settle: removeAgain,
      preserved: nothing,
      again: removeAgain,
      done: /^1 site is removed\.$/,
      stored: async (site) => expect((await world().stored(`${siteAt(site)}.json`)).status).toBe(404),
    },
    {
      name: 'the review of many sites',
      arrange: (site) => world().addSite(site),
      start: (page) => openPlace(page, 'Content tree'),
      reach: async (panel, site) => {
        await treeRow(panel, new RegExp(`Site ${site} `)).click();
        await panel.getByText('1 page selected').waitFor();
      },
      opener: /^Review 1 site$/,
      title: /^Set up 1 site$/,
      enter: async (panel) => panel.getByText('Every site can be set up.').waitFor({ timeout: WITHIN }),
      press: /^Set up 1 site$/,
      theirs: (site) => call('PUT', `${siteAt(site)}.json`, documentOf(site)),
      preserved: nothing,
      again: runAgain,
      done: /^The site is set up\./,
      stored: async (site) => expect((await world().stored(`${siteAt(site)}.json`)).status).toBe(200),
    },
  ];
}
