import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import { editRow } from '@repoless/core/sites/propose-rows.ts';
import { expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { chooseSites, openTree } from './choose-sites.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

const COUNTRIES = /^\/content\/wknd(\/[a-z]{2})?$/;
const PAGE = '/content/wknd/ch/de';
const { signal } = new AbortController();

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

const paths = async () => {
  const site = await around.backend.call('GET', '/config/wknd/sites/wknd-ch-de.json', { as: ADA });
  return (site.json() as { public: { paths: { mappings: string[]; includes?: string[] } } }).public.paths;
};

test('Emptying the included paths of a site in the review of many gives up its list; one that is left alone stays', async () => {
  const ada = await around.person(ADA);
  const { batch, rows } = await chooseSites(ada.ports, await openTree(ada.ports, around.authorAddress(), (path) => COUNTRIES.test(path)), [
    PAGE,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('No such page.');
  expect((await paths()).includes).toEqual([`${PAGE}/`]);

  const emptied = editRow(row, 'includes', '');
  const [planned] = await planRows(ada.ports, batch, [emptied], { signal });
  expect(planned).toMatchObject({ plan: { kind: 'ready', outcome: 'changed' }, problems: [] });
  expect(await applyRows(ada.ports, batch, [editRow(emptied, 'includes', `${PAGE}/`)], { signal })).toMatchObject({ outcome: 'complete' });
  expect((await paths()).includes).toEqual([`${PAGE}/`]);

  expect(await applyRows(ada.ports, batch, [emptied], { signal })).toMatchObject({ outcome: 'complete' });
  expect(await paths()).not.toHaveProperty('includes');

  // A site without a list when its row was proposed keeps a list that someone adds meanwhile.
  const again = await chooseSites(ada.ports, await openTree(ada.ports, around.authorAddress(), (path) => COUNTRIES.test(path)), [PAGE]);
  const listed = { paths: { ...(await paths()), includes: [`${PAGE}/`, '/content/dam/'] } };
  expect((await around.backend.call('POST', '/config/wknd/sites/wknd-ch-de/public.json', { as: ADA, body: listed })).status).toBe(200);
  expect(await applyRows(ada.ports, again.batch, again.rows, { signal })).toMatchObject({ outcome: 'complete' });
  expect((await paths()).includes).toEqual([`${PAGE}/`, '/content/dam/']);
});
