import type { PlantedResource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { describe, expect, it, afterEach } from 'vitest';
import { type Fields, startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { Sheet } from '@repoless/contract/authoring.ts';
import { growTree } from '@repoless/sandbox/seed/fleet-roots.ts';

const ADA = 'ada.admin@example.com';
const CARL = 'carl.config@example.com';
const ROOT = '/content/harbour';
const TEMPLATE = '/libs/core/franklin/templates/configuration';

const entry = (path: string, type: 'rep:DenyACE' | 'rep:GrantACE', privilege: string): PlantedResource => ({
  environment: 'p100-e200',
  path: `${path}/rep:policy/entry`,
  properties: { 'jcr:primaryType': type, 'rep:principalName': CARL, 'rep:privileges': [privilege] },
});

describe('access control of the authoring system', () => {
  const author = startBeforeAll(() =>
    startAuthor([
      ...seedContent('live.localhost:4000'),
      entry(ROOT, 'rep:DenyACE', 'rep:write'),
      entry('/conf/harbour/settings', 'rep:GrantACE', 'rep:write'),
      entry('/content/lantern', 'rep:DenyACE', 'jcr:read'),
    ]),
  );

  const write = async (as: string, path: string, fields: Fields) => author.post(path, fields, { as, csrf: await author.csrf(as) });
  const mayWrite = (path: string, as: string) => author.json(`${path}/.permissions.json?privileges=rep:write`, { as });

  it('refuses what an entry denies, stores nothing of it, and reports permissions beforehand', async () => {
    expect(await mayWrite(`${ROOT}/jcr:content`, CARL)).toEqual({ hasPermission: false });
    const refused = await write(CARL, `${ROOT}/_jcr_content`, { './cq:conf': '/conf/else' });
    expect([refused.status, refused.text.includes('invalid payload')]).toEqual([422, true]);
    const page = { cmd: 'createPage', parentPath: ROOT, title: 'X', label: 'x', template: TEMPLATE };
    expect((await write(CARL, '/bin/wcmcommand', page)).status).toBe(403);
    expect((await author.get(`${ROOT}/x.json`, { as: ADA })).status).toBe(404);
    expect(await mayWrite(ROOT, ADA)).toEqual({ hasPermission: true });
    expect(await mayWrite('/conf/harbour/settings', CARL)).toEqual({ hasPermission: true });
  });

  it('hides what a person may not read, and entries from everyone', async () => {
    expect((await author.get('/content/lantern/_jcr_content.json', { as: CARL })).status).toBe(404);
    expect((await author.get('/content/lantern/_jcr_content.json', { as: ADA })).status).toBe(200);
    expect((await author.get(`${ROOT}.infinity.json`, { as: ADA })).text).not.toContain('rep:');
  });

  it('lets only the person who locked a page change it, until it is unlocked', async () => {
    const page = '/content/orchard';
    expect((await write(ADA, '/bin/wcmcommand', { cmd: 'lockPage', path: page })).status).toBe(200);
    expect(await author.json(`${page}/_jcr_content.json`, { as: CARL })).toMatchObject({ 'jcr:lockOwner': ADA, 'jcr:lockIsDeep': true });
    const refused = await write(CARL, `${page}/_jcr_content`, { './cq:conf': '/conf/else' });
    expect(refused.status).toBe(422);
    expect((await write(CARL, '/bin/wcmcommand', { cmd: 'unlockPage', path: page })).status).toBe(500);
    expect((await write(ADA, `${page}/_jcr_content`, { './jcr:title': 'Mine' })).status).toBe(200);
    await write(ADA, '/bin/wcmcommand', { cmd: 'unlockPage', path: page });
    expect((await write(CARL, `${page}/_jcr_content`, { './jcr:title': 'Ours' })).status).toBe(200);
  });
});
const delivery = (site: string, path: string, org = 'wknd') => `/bin/franklin.delivery/${org}/${site}/main${path}`;

describe('the delivery address', () => {
  const author = startBeforeAll(startAuthor);

  it('returns a page as semantic markup in its language', async () => {
    const page = await author.get(delivery('wknd-ch-de', '/content/wknd/ch/de.html'));
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('<h1>Weiter gehen, weniger tragen</h1>');
    expect(page.text).toContain('<meta name="description" content="Geführte Tage');
    expect(page.text).toMatch(/<div class="cards"><div>/);
    expect(page.text).toContain('<a href="/adventures">Touren</a>');
  });

  it('returns every page of the tree to the site whose configuration is effective', async () => {
    for (const page of ['', '/about', '/adventures', '/adventures/hut-to-hut', '/adventures/fjord-kayak', '/magazine', '/contact'])
      expect((await author.get(delivery('wknd', `/content/wknd/de/en${page}.html`))).status, page).toBe(200);
  });

  it.each([
    ['a locale that inherits, requested by its own name', 'wknd-ch-it', '/content/wknd/ch/it.html', 'wknd'],
    ['an organization in lower case that the author wrote in upper case', 'lantern', '/content/lantern.html', 'wknd'],
    ['the base site for a page of another', 'wknd', '/content/summit.html', 'wknd'],
    ['a page that does not exist', 'summit', '/content/summit/none.html', 'wknd'],
    ['a page whose root selects no configuration', 'willow', '/content/willow.html', 'wknd'],
    ['an ordinary page as a sheet', 'wknd-us-es', '/content/wknd/us/es/configuration.json', 'wknd'],
  ])('returns nothing for %s', async (_what, site, path, org) => {
    expect((await author.get(delivery(site, path, org))).status).toBe(404);
  });

  it('returns a configuration page as a sheet', async () => {
    const answer = await author.get(delivery('wknd', '/content/wknd/configuration.json'));
    const rows = Sheet.parse(JSON.parse(answer.text));
    expect(rows).toMatchObject({ total: 2, offset: 0, limit: 2, ':type': 'sheet' });
    expect(rows.data).toContainEqual({ key: 'booking.opens', value: '08:00' });
  });

  it('names the technical account of its environment', async () => {
    const account = async (site: string, environment: string) =>
      Sheet.parse(JSON.parse((await author.get(delivery(site, '/.helix/config.json'), { environment })).text)).data;
    expect(await account('summit', 'p100-e200')).toEqual([{ key: 'admin.role.publish', value: 'p100-e200@techacct.example.com' }]);
    expect(await account('summit-prod', 'p100-e300')).toEqual([{ key: 'admin.role.publish', value: 'p100-e300@techacct.example.com' }]);
  });

  it('returns a closed site only to the technical account of its environment', async () => {
    const path = delivery('quarry', '/content/quarry.html');
    expect((await author.get(path)).status).toBe(401);
    expect((await author.get(path, { as: 'ada.admin@example.com' })).status).toBe(403);
    expect((await author.get(path, { as: 'p100-e300@techacct.example.com' })).status).toBe(403);
    expect((await author.get(path, { as: 'p100-e200@techacct.example.com' })).status).toBe(200);
  });
});
const PATH = '/content/grown/aa/en/jcr:content.json';

describe('a failing authoring system', () => {
  const author = startBeforeAll(() => startAuthor(growTree({ sites: 3, pagesPerSite: 25 })));
  afterEach(() => author.fault({ mode: 'none' }));

  it.each([
    ['unavailable', 503],
    ['forbidden', 403],
    ['alternatives', 300],
    ['redirect', 302],
  ])('is %s', async (mode, status) => {
    await author.fault({ mode });
    expect((await author.get(PATH, { as: ADA })).status).toBe(status);
  });

  it('drops the connection when it is down', async () => {
    await author.fault({ mode: 'down' });
    await expect(author.get(PATH, { as: ADA })).rejects.toThrow();
  });

  it('answers late when it is slow', async () => {
    await author.fault({ mode: 'slow', delay: 300 });
    const start = performance.now();
    expect((await author.get(PATH, { as: ADA })).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(280);
  });

  it('recovers after the given number of requests', async () => {
    await author.fault({ mode: 'forbidden', times: 1, path: '/content' });
    expect((await author.get('/conf.json', { as: ADA })).status).toBe(404);
    expect((await author.get(PATH, { as: ADA })).status).toBe(403);
    expect((await author.get(PATH, { as: ADA })).status).toBe(200);
  });

  it('reports that no token can be verified if the identity provider does not respond', async () => {
    const lonely = await startAuthor(growTree({ sites: 1, pagesPerSite: 1 }));
    const token = await lonely.issuer.token(ADA);
    await lonely.issuer.stop();
    expect((await lonely.get(PATH, { token })).status).toBe(503);
    await lonely.stop();
  });
});
