import { Site, type SiteInput } from '@repoless/contract/site.ts';
import { withoutServerFields } from '@repoless/core/plan/desired-site.ts';
import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import { removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import { callsScript, resultsCsv } from '@repoless/core/sites/row-results.ts';
import { undoConsequences, undoRows } from '@repoless/core/sites/undo-rows.ts';
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { writes } from './apply.ts';
import { chooseLocales, chooseSites, leaving, openCountries } from './choose-sites.ts';
import { ADA, OTTO, type Person, plant, startSetupWorld } from './setup-world.ts';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const signal = new AbortController().signal;

const treeOf = (person: Person) => openCountries(world, person);
const stateOf = async (person: Person, path: string) => (await treeOf(person)).nodes.get(path)?.state;

describe('The content tree', () => {
  test('shows which pages have a site, which could have one, and the state of each', async () => {
    const { nodes } = await treeOf(await world.person(ADA));
    const kinds = Object.fromEntries(
      [...nodes].map(([path, node]) => [path, `${node.level} ${'state' in node.state ? node.state.state : node.state.kind}`]),
    );
    expect(kinds).toMatchObject({
      '/content/wknd': 'root changed',
      '/content/summit': 'root not-set-up',
      '/content/wknd/language-masters': 'page covered',
      '/content/wknd/ch': 'country not-set-up',
      '/content/wknd/ch/de': 'locale changed',
      '/content/wknd/ch/fr': 'locale not-set-up',
      '/content/wknd/ch/it': 'locale not-set-up',
      '/content/wknd/de/de': 'locale faulty',
      '/content/wknd/de/en': 'locale not-set-up',
      '/content/wknd/it/it': 'locale differs',
      '/content/wknd/us/en': 'locale faulty',
    });
    expect(nodes.get('/content/wknd/ch/it')).toMatchObject({
      language: 'it',
      liveCopyOf: '/content/wknd/language-masters/it',
      cloudConfiguration: { value: '/conf/wknd', source: { kind: 'inherited', from: '/content/wknd' } },
      state: { site: 'wknd-ch-it', drifts: [{ field: 'cloudConfiguration' }] },
      site: { name: 'wknd-ch-it' },
    });
  });

  test('reads a level in one call if the authoring system returns it', async () => {
    const ada = await world.person(ADA);
    const sent = ada.sent.length;
    await ada.ports.authoring.children('/content/wknd/ch');
    expect(ada.sent.slice(sent).filter(({ address }) => address.includes('/authoring/'))).toHaveLength(1);
  });
});

describe('Sites for chosen locales', () => {
  test('are created with one write to the service, with their own configuration, and switched last', async () => {
    const ada = await world.person(ADA);
    const tree = await treeOf(ada);
    const { batch, rows } = await chooseSites(ada.ports, tree, ['/content/wknd/de/en']);
    expect(rows).toMatchObject([
      {
        siteName: 'wknd-de-en',
        mappings: ['/content/wknd/de/en/:/', '/content/wknd/de/en/configuration:/.helix/config.json'],
        cloudConfiguration: '/conf/wknd/de-en',
        technicalAccount: 'p100-e200@techacct.example.com',
      },
    ]);
    expect([...checkRows(batch, rows).values()]).toEqual([[]]);
    expect(await planRows(ada.ports, batch, rows, { signal })).toMatchObject([{ problems: [] }]);
    expect(writes(ada.sent)).toEqual([]);

    const applied = await applyRows(ada.ports, batch, rows, {
      signal,
      ...(tree.context.sites === undefined ? {} : { sites: tree.context.sites }),
    });

    expect(applied).toMatchObject({ outcome: 'complete', results: [{ status: { state: 'done', outcome: 'created' } }] });
    expect(writes(ada.sent)).toEqual([
      'PUT /config/wknd/sites/wknd-de-en.json',
      'POST /bin/wcmcommand',
      'POST /code/wknd/wknd-de-en/main/*',
      'POST /conf/wknd/de-en/settings/cloudconfigs/edge-delivery-service-configuration',
      'POST /content/wknd/de/en/_jcr_content',
    ]);
    expect(await world.edgeConfiguration('/conf/wknd/de-en')).toMatchObject({
      owner: 'wknd',
      repo: 'wknd-de-en',
      projectType: '4',
      open: true,
    });
    expect(await stateOf(ada, '/content/wknd/de/en')).toEqual({ kind: 'site', site: 'wknd-de-en', state: 'changed', drifts: [] });
    for (const tier of ['preview', 'live'] as const) {
      const config = await world.backend.visit(tier, 'main--wknd-de-en--wknd', '/config.json');
      expect(config.text).toContain('/content/wknd/de/en/:/');
    }
    expect(resultsCsv(batch, applied.results)).toContain('wknd-de-en,/content/wknd/de/en,');
    for (const sign of '=+-@＝＋－＠\t\r\n') {
      const named = applied.results.map(({ row, ...result }) => ({ ...result, row: { ...row, technicalAccount: `${sign}1` } }));
      expect(resultsCsv(batch, named)).toMatch(new RegExp(`,"?'[${sign}]1"?\r\n$`));
    }
    const script = callsScript('https://service.example.com', applied.results);
    expect(script).toContain('-H "x-auth-token: $TOKEN"');
    expect(script).not.toMatch(/eyJ/);

    const again = await world.person(ADA);
    expect(await applyRows(again.ports, batch, rows, { signal })).toMatchObject({ results: [{ status: { outcome: 'unchanged' } }] });
    expect(writes(again.sent)).toEqual([]);
    expect(await world.versions('wknd-de-en')).toBe(1);
  });

  test('are removed by an undo with everything created for them, except a configuration page that was filled since', async () => {
    const roots = ['/content/wknd/de/it', '/content/wknd/de/fr'] as const;
    for (const root of roots) {
      plant(world, root, { 'jcr:primaryType': 'cq:Page' });
      plant(world, `${root}/jcr:content`, {
        'jcr:primaryType': 'cq:PageContent',
        'sling:resourceType': 'core/franklin/components/page/v1/page',
      });
    }
    const ada = await world.person(ADA);
    const { batch, rows } = await chooseLocales(world, ada, ...roots);
    const status = async (path: string) => (await world.author.get(`${path}.json`, { as: ADA })).status;
    const found = async ({ siteName, contentRoot, configurationPage = '', cloudConfiguration = '' }: (typeof rows)[number]) => ({
      live: (await world.backend.visit('live', `main--${siteName}--wknd`, '/config.json')).status,
      sheet: await status(configurationPage),
      edge: await status(`${cloudConfiguration}/settings/cloudconfigs/edge-delivery-service-configuration`),
      page: await ada.ports.authoring.content(contentRoot),
    });
    const all = async () => Promise.all(rows.map(found));
    const before = await all();
    expect(before).toMatchObject([{ live: 404, sheet: 404, edge: 404 }, { sheet: 404 }]);
    const { results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(results).toMatchObject(rows.map(() => ({ status: { state: 'done', outcome: 'created' } })));
    expect(await all()).toMatchObject([{ live: 200, sheet: 200, edge: 200 }, { sheet: 200 }]);
    const sheet = `${roots[1]}/configuration`;
    plant(world, `${sheet}/jcr:content/row0`, { 'jcr:primaryType': 'nt:unstructured', key: 'contact', value: 'fr@example.com' });

    const sent = writes(ada.sent);
    expect(await undoConsequences(ada.ports, batch, results, { signal })).toEqual([
      { what: { kind: 'stops' }, grave: true, sites: rows.map(({ siteName }) => siteName) },
    ]);
    expect(writes(ada.sent)).toEqual(sent);
    const undone = await undoRows(ada.ports, batch, results, { signal });

    expect(undone).toEqual([
      { row: rows[0], state: 'undone' },
      { row: rows[1], state: 'undone', stays: sheet },
    ]);
    expect(await all()).toEqual([before[0], { ...before[1], sheet: 200 }]);
    // Nothing is left for a second undo to revert.
    const again = await world.person(ADA);
    expect(await undoRows(again.ports, batch, results, { signal })).toEqual(undone);
    expect(writes(again.sent)).toEqual([]);
  });

  test('keep a configuration page that another person creates during the run, also when they are undone', async () => {
    const root = '/content/wknd/de/nl';
    plant(world, root, { 'jcr:primaryType': 'cq:Page' });
    plant(world, `${root}/jcr:content`, {
      'jcr:primaryType': 'cq:PageContent',
      'sling:resourceType': 'core/franklin/components/page/v1/page',
    });
    const ada = await world.person(ADA);
    const { batch, rows } = await chooseLocales(world, ada, root);
    const sheet = rows[0]?.configurationPage ?? '';
    const { results } = await applyRows(ada.ports, batch, rows, {
      signal,
      onRow(_, status) {
        if (status.state !== 'running' || status.step !== 'configuration-page') return;
        plant(world, sheet, { 'jcr:primaryType': 'cq:Page' });
        plant(world, `${sheet}/jcr:content`, {
          'jcr:primaryType': 'cq:PageContent',
          'sling:resourceType': 'core/franklin/components/spreadsheet/v1/spreadsheet',
        });
      },
    });
    expect(results).toMatchObject([{ status: { state: 'done' } }]);
    expect(await undoRows(ada.ports, batch, results, { signal })).toMatchObject([{ state: 'undone' }]);
    expect((await world.author.get(`${sheet}.json`, { as: ADA })).status).toBe(200);
  });

  test('are undone together, and later changes of another person are preserved', async () => {
    const ada = await world.person(ADA);
    const tree = await treeOf(ada);
    const paths = ['/content/wknd/fr/fr', '/content/wknd/ch/fr', '/content/wknd/it/it', '/content/wknd/gb/en'];
    const { batch, rows } = await chooseSites(ada.ports, tree, paths);
    const read = async (site: string) => world.backend.call('GET', `/config/wknd/sites/${site}.json`, { as: ADA });
    const { outcome, results } = await applyRows(ada.ports, batch, rows, { signal });
    expect({ outcome, states: results.map(({ row, status }) => [row.siteName, status]) }).toMatchObject({ outcome: 'complete' });
    const [, second, , fourth] = results.map(({ row }) => row.siteName);
    const robots = { as: OTTO, body: 'mine', headers: { 'content-type': 'text/plain' } };
    for (const site of [second, fourth])
      expect((await world.backend.call('POST', `/config/wknd/sites/${site}/robots.txt`, robots)).status).toBeLessThan(300);

    expect(await undoRows(ada.ports, batch, results, { signal })).toMatchObject([
      { state: 'undone' },
      { state: 'kept', part: 'site', by: OTTO },
      { state: 'undone' },
      { state: 'undone' },
    ]);
    expect((await read(fourth ?? '')).json()).toMatchObject({ robots: { txt: 'mine' } });
  });

  test('are undone without parts of their profile as their own', async () => {
    const ada = await world.person(ADA);
    const address = '/config/wknd/sites/wknd-it-it.json';
    const call = async (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
      world.backend.call(method, path, { as: OPERATOR, ...(body === undefined ? {} : { body }) });
    const read = async (): Promise<SiteInput> => withoutServerFields(Site.parse((await call('GET', address)).json()));
    const original = await read();
    const before = { ...original, extends: { profile: 'shared' }, public: { paths: { mappings: ['/content/wknd/it/it/:/'] } } };
    expect((await call('PUT', '/config/wknd/profiles/shared.json', { public: { brand: 'shared' } })).status).toBe(201);
    expect((await call('PUT', address, before)).status).toBe(200);

    const { batch, rows } = await chooseLocales(world, ada, '/content/wknd/it/it');
    const { results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(results).toMatchObject([{ status: { state: 'done', outcome: 'changed' } }]);
    expect((await read()).public).not.toEqual(before.public);
    const written = await read();
    const unknown = results.map((result) => ({ ...result, steps: (result.steps ?? []).map(({ restores: _restores, ...step }) => step) }));
    expect(await undoRows(ada.ports, batch, unknown, { signal })).toMatchObject([{ state: 'kept', part: 'site' }]);
    expect(await read(), 'a site whose previous configuration is unknown is left alone').toEqual(written);
    expect(await undoRows(ada.ports, batch, results, { signal })).toMatchObject([{ state: 'undone' }]);
    expect(await read()).toEqual(before);

    expect((await call('PUT', address, original)).status).toBe(200);
    await call('DELETE', '/config/wknd/profiles/shared.json');
  });

  test('have no record of an undone setup', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await chooseLocales(world, ada, '/content/wknd/us/en');
    const conf = rows[0]?.cloudConfiguration ?? '';
    const before = await world.edgeConfiguration(conf);
    const { outcome, results } = await applyRows(ada.ports, batch, rows, { signal });
    expect(outcome).toBe('complete');
    expect(await undoRows(ada.ports, batch, results, { signal })).toMatchObject([{ state: 'undone' }]);
    const after = await world.edgeConfiguration(conf);
    const times = { 'jcr:lastModified': expect.anything(), 'jcr:lastModifiedBy': expect.anything() };
    expect({ ...Object(after), ...times }).toEqual({ ...Object(before), ...times });
    expect(before).toMatchObject({ repo: 'wknd-usa' });
  });

  test('keep their code and their administrators if they exist already', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await chooseLocales(world, ada, '/content/wknd/it/it');
    expect(rows).toMatchObject([{ siteName: 'wknd-it-it', code: { repo: 'wknd' }, access: {} }]);
    const other = { ...batch, code: { owner: 'wknd', repo: 'other' }, access: { role: { admin: ['base.admin@example.com'] } } };
    const [planned] = await planRows(ada.ports, other, rows, { signal });
    const changed = planned?.plan.kind === 'ready' ? planned.plan.steps.find(({ id }) => id === 'register-site')?.call?.body : undefined;
    expect(planned?.plan.kind).toBe('ready');
    expect(JSON.stringify(changed)).toContain('"repo":"wknd"');
    expect(JSON.stringify(changed)).not.toContain('base.admin@example.com');
  });

  test('can be removed and restored', async () => {
    const ada = await world.person(ADA);
    const site = { organization: 'wknd', siteName: 'wknd-de-en', author: world.authorAddress(), page: '/content/wknd/de/en' };
    const moving = { signal, onStep: () => undefined };
    const before = (await world.backend.call('GET', '/config/wknd/sites/wknd-de-en.json', { as: ADA })).json();

    expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), moving)).outcome).toBe('done');
    expect(await stateOf(ada, '/content/wknd/de/en')).toEqual({ kind: 'not-yet', by: 'wknd', state: 'not-set-up' });
    expect(writes(ada.sent)).toEqual(['POST /content/wknd/de/en/_jcr_content', 'DELETE /config/wknd/sites/wknd-de-en.json']);

    const back = await restoreLocaleSite(ada.ports, { ...site, cloudConfiguration: '/conf/wknd/de-en' }, moving);
    expect(back.outcome).toBe('done');
    expect(await stateOf(ada, '/content/wknd/de/en')).toEqual({ kind: 'site', site: 'wknd-de-en', state: 'changed', drifts: [] });
    const after = (await world.backend.call('GET', '/config/wknd/sites/wknd-de-en.json', { as: ADA })).json();
    expect(after).toEqual({ ...(before as object), lastModified: expect.any(String) });
  });

  test('are repaired if they differ', async () => {
    const ada = await world.person(ADA);
    const paths = ['/content/wknd/ch/it', '/content/wknd/it/it', '/content/wknd/de/de', '/content/wknd/us/en', '/content/wknd/ch/fr'];
    const { batch, rows } = await chooseLocales(world, ada, ...paths);
    expect(rows.map(({ siteName }) => siteName)).toEqual(['wknd-ch-it', 'wknd-it-it', 'wknd-de-de', 'wknd-us-en', 'wknd-ch-fr']);
    expect((await applyRows(ada.ports, batch, rows, { signal })).outcome).toBe('complete');
    const { nodes } = await treeOf(ada);
    expect(paths.map((path) => nodes.get(path)?.state)).toMatchObject(paths.map(() => ({ kind: 'site', state: 'changed', drifts: [] })));
    expect(await world.edgeConfiguration('/conf/wknd')).toMatchObject({ repo: 'wknd' });
  });
});
