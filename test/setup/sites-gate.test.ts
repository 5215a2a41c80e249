import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { writes } from './apply.ts';
import { chooseLocales } from './choose-sites.ts';
import { ADA, type Person, startSetupWorld } from './setup-world.ts';
import { editRow } from '@repoless/core/sites/propose-rows.ts';

const signal = new AbortController().signal;

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const requests = (person: Person, text: string) => person.sent.filter(({ address }) => address.includes(text)).length;

describe('A run over sites', () => {
  test('writes nothing for a missing repository, as the review reports', async () => {
    const ada = await world.person(ADA);
    const chosen = await chooseLocales(world, ada, '/content/wknd/de/en', '/content/wknd/ch/fr');
    const batch = { ...chosen.batch, code: { owner: 'wknd', repo: 'absent' } };
    const review = await planRows(ada.ports, batch, chosen.rows, { signal });
    expect(review.map(({ plan }) => plan)).toMatchObject(
      chosen.rows.map(() => ({ kind: 'blocked', problem: { failure: { finding: { reason: 'repository-missing' } } } })),
    );
    const { results } = await applyRows(ada.ports, batch, chosen.rows, { signal });
    expect(results.map(({ status }) => status)).toMatchObject(
      chosen.rows.map(() => ({ state: 'failed', problem: { step: 'repository', reason: 'not-ready', data: { repo: 'absent' } } })),
    );
    expect(writes(ada.sent)).toEqual([]);

    await world.codeHost.copy('absent');
    expect((await applyRows(ada.ports, batch, chosen.rows.slice(1), { signal })).outcome).toBe('complete');
  });

  test('reads a repository a few times and syncs it once, however many sites use it', async () => {
    const ada = await world.person(ADA);
    const paths = ['/content/wknd/ch/it', '/content/wknd/it/it', '/content/wknd/de/de', '/content/wknd/us/en'];
    const { batch, rows } = await chooseLocales(world, ada, ...paths);
    const applied = await applyRows(ada.ports, batch, rows, { signal });
    expect(applied.outcome).toBe('complete');
    expect(writes(ada.sent).filter((write) => write.includes('/code/'))).toHaveLength(1);
    expect(requests(ada, '/code/check.json')).toBeLessThanOrEqual(3);
    expect(requests(ada, '/component-models.json')).toBeLessThanOrEqual(10);
  });

  test('reverts the switch if the content source refuses the service, and finishes once that is fixed', async () => {
    const conf = '/conf/wknd/de-en';
    const open = (value: boolean) =>
      world.edit(`${conf}/${EDGE_CONFIGURATION}/_jcr_content`, { './open': String(value), './open@TypeHint': 'Boolean' });
    await open(false);
    const ada = await world.person(ADA);
    const { batch, rows } = await chooseLocales(world, ada, '/content/wknd/de/en');
    const before = await world.author.json('/content/wknd/de/en/jcr:content.json');
    const { results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(results[0]?.status).toMatchObject({
      state: 'failed',
      problem: { step: 'pages', reason: 'not-ready', failure: { finding: { reason: 'content-refused' } } },
    });
    expect(await world.author.json('/content/wknd/de/en/jcr:content.json')).toEqual(before);
    expect(await world.edgeConfiguration(conf)).not.toHaveProperty('projectType');

    await open(true);
    expect((await applyRows(ada.ports, batch, rows, { signal })).outcome).toBe('complete');
    expect(await world.edgeConfiguration(conf)).toMatchObject({ repo: 'wknd-de-en', projectType: '4' });
  });
});

const PAGE = '/content/wknd/ch/de';

const paths = async () => {
  const site = await world.backend.call('GET', '/config/wknd/sites/wknd-ch-de.json', { as: ADA });
  return (site.json() as { public: { paths: { mappings: string[]; includes?: string[] } } }).public.paths;
};

test('Emptying the included paths of a site in the review of many removes its list, and an unedited list is preserved', async () => {
  const ada = await world.person(ADA);
  const { batch, rows } = await chooseLocales(world, ada, PAGE);
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

  // A site without a list when its row was proposed keeps a list that someone adds in the meantime.
  const again = await chooseLocales(world, ada, PAGE);
  const listed = { paths: { ...(await paths()), includes: [`${PAGE}/`, '/content/dam/'] } };
  expect((await world.backend.call('POST', '/config/wknd/sites/wknd-ch-de/public.json', { as: ADA, body: listed })).status).toBe(200);
  expect(await applyRows(ada.ports, again.batch, again.rows, { signal })).toMatchObject({ outcome: 'complete' });
  expect((await paths()).includes).toEqual([`${PAGE}/`, '/content/dam/']);
});
