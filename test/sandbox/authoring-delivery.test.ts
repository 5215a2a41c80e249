import { describe, expect, it } from 'vitest';
import { Sheet } from '@repoless/contract/authoring.ts';
import { startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const delivery = (site: string, path: string, org = 'wknd') => `/bin/franklin.delivery/${org}/${site}/main${path}`;

describe('the delivery address', () => {
  const author = startBeforeAll(startAuthor);

  it('answers a page as semantic markup in its language', async () => {
    const page = await author.get(delivery('wknd-ch-de', '/content/wknd/ch/de.html'));
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('<h1>Weiter gehen, weniger tragen</h1>');
    expect(page.text).toContain('<meta name="description" content="Geführte Tage');
    expect(page.text).toMatch(/<div class="cards"><div>/);
    expect(page.text).toContain('<a href="/adventures">Touren</a>');
  });

  it('answers every page of the tree to the site whose configuration is in force', async () => {
    for (const page of ['', '/about', '/adventures', '/adventures/hut-to-hut', '/adventures/fjord-kayak', '/magazine', '/contact'])
      expect((await author.get(delivery('wknd', `/content/wknd/de/en${page}.html`))).status, page).toBe(200);
  });

  it.each([
    ['a locale that inherits, asked for under its own name', 'wknd-ch-it', '/content/wknd/ch/it.html', 'wknd'],
    ['an organization in lower case where the author wrote upper case', 'lantern', '/content/lantern.html', 'wknd'],
    ['the base site for a page of another', 'wknd', '/content/summit.html', 'wknd'],
    ['a page that does not exist', 'summit', '/content/summit/none.html', 'wknd'],
    ['a page whose root selects no configuration', 'willow', '/content/willow.html', 'wknd'],
    ['an ordinary page as a sheet', 'wknd-us-es', '/content/wknd/us/es/configuration.json', 'wknd'],
  ])('has nothing for %s', async (_what, site, path, org) => {
    expect((await author.get(delivery(site, path, org))).status).toBe(404);
  });

  it('answers a configuration page as a sheet', async () => {
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

  it('gives a closed site to the technical account of its environment alone', async () => {
    const path = delivery('quarry', '/content/quarry.html');
    expect((await author.get(path)).status).toBe(401);
    expect((await author.get(path, { as: 'ada.admin@example.com' })).status).toBe(403);
    expect((await author.get(path, { as: 'p100-e300@techacct.example.com' })).status).toBe(403);
    expect((await author.get(path, { as: 'p100-e200@techacct.example.com' })).status).toBe(200);
  });
});
