import { applyRows, planRows, rowsLeft, shownSteps } from '@repoless/core/sites/apply-rows.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import { batchOf, proposeRows } from '@repoless/core/sites/propose-rows.ts';
import { removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { writes } from './apply.ts';
import { chooseLocales, leaving, openCountries, valueOf } from './choose-sites.ts';
import { ADA, CARL, OTTO, type Person, type PersonOptions, startSetupWorld } from './setup-world.ts';

const LOCALE = '/content/wknd/de/en';
const SITE = { organization: 'wknd', siteName: 'wknd-de-en', page: LOCALE };
const signal = new AbortController().signal;
const quiet = { signal, onStep: () => undefined };

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

const treeOf = (person: Person, environment?: string) => openCountries(world, person, environment);
const choose = (person: Person, ...paths: string[]) => chooseLocales(world, person, ...paths);

/** Removes the site with everything created for it, so that the next test has a fresh locale. */
async function remove(): Promise<void> {
  const ada = await world.person(ADA);
  const removal = await removeLocaleSite(ada.ports, await leaving(ada.ports, { ...SITE, author: world.authorAddress() }), quiet);
  expect(removal.outcome).toBe('done');
  await world.remove(`${LOCALE}/configuration`, '/conf/wknd/de-en');
}

/** A network that fails the writes for which `refuses` returns true. */
function failing(refuses: (write: number) => boolean, when: 'before' | 'after' = 'before'): PersonOptions {
  let count = 0;
  const stand = ({ method, address }: { method: string; address: string }) => {
    const isWrite = method !== 'GET' && method !== 'HEAD' && !address.includes('dryRun') && !address.includes('/auth/');
    if (isWrite && refuses(++count)) throw new TypeError('The network is away.');
  };
  return { [when]: stand };
}

describe('A run over sites', () => {
  test.each(['before', 'after'] as const)(
    'continues after an interruption %s any write, and repeats none',
    { timeout: 120_000 },
    async (when) => {
      const versions = await world.versions(SITE.siteName);
      for (const [round, cutAt] of [1, 2, 3, 4].entries()) {
        const cut = await world.person(
          ADA,
          failing((write) => write >= cutAt, when),
        );
        const { batch, rows } = await choose(cut, LOCALE);
        expect((await applyRows(cut.ports, batch, rows, { signal })).outcome).toBe('unreachable');

        const reopened = await world.person(ADA);
        expect(await applyRows(reopened.ports, batch, rows, { signal })).toMatchObject({ outcome: 'complete' });
        expect(await world.edgeConfiguration('/conf/wknd/de-en')).toMatchObject({ repo: 'wknd-de-en' });
        const done = await world.person(ADA);
        await applyRows(done.ports, batch, rows, { signal });
        expect(writes(done.sent)).toEqual([]);
        // Each round creates and removes it once.
        expect(await world.versions(SITE.siteName)).toBe(versions + 2 * round + 1);
        const pages = await world.author.json('/content/wknd/de/en.1.json');
        expect(Object.keys(pages as object).filter((name) => name.startsWith('configuration'))).toEqual(['configuration']);
        await remove();
      }
    },
  );

  test('succeeds if the answer of every third write is lost', async () => {
    let lost = 0;
    const ada = await world.person(
      ADA,
      failing((write) => write % 3 === 0 && (lost += 1) > 0, 'after'),
    );
    const { batch, rows } = await choose(ada, LOCALE);
    expect(await applyRows(ada.ports, batch, rows, { signal })).toMatchObject({ results: [{ status: { outcome: 'created' } }] });
    expect(lost).toBeGreaterThan(0);
    await remove();
  });

  test('by two managers concurrently creates each site once', async () => {
    const [ada, otto] = [await world.person(ADA), await world.person('otto.org@example.com')];
    const { batch, rows } = await choose(ada, LOCALE);
    const versions = await world.versions(SITE.siteName);
    const both = await Promise.all([applyRows(ada.ports, batch, rows, { signal }), applyRows(otto.ports, batch, rows, { signal })]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['complete', 'complete']);
    expect(await world.versions(SITE.siteName)).toBe(versions + 1);
    await remove();
  });

  test('writes nothing to a site that was changed since its review, unless it writes the same', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, LOCALE);
    expect((await applyRows(ada.ports, batch, rows, { signal })).outcome).toBe('complete');
    const path = '/config/wknd/sites/wknd-de-en/public.json';
    const asOtto = (body: unknown) => world.backend.call('POST', path, { as: OTTO, body });
    const { paths } = (await world.backend.call('GET', path, { as: ADA })).json() as { paths: { mappings: string[] } };
    const [mapping = '', ...further] = paths.mappings;
    expect((await asOtto({ paths: { mappings: further } })).status).toBe(200);
    const shown = shownSteps(await planRows(ada.ports, batch, rows, { signal }));

    const versions = await world.versions(SITE.siteName);
    expect((await asOtto({ paths: { mappings: [] } })).status).toBe(200);
    expect(await applyRows(ada.ports, batch, rows, { signal, shown })).toMatchObject({
      outcome: 'failed',
      results: [
        {
          status: { problem: { step: 'register-site', reason: 'unreviewed', data: { what: 'site', by: OTTO }, parts: ['public'] } },
          calls: [],
        },
      ],
    });
    expect(await world.versions(SITE.siteName)).toBe(versions + 1);

    // Another value of the same part: the shown difference is still the same.
    expect((await asOtto({ paths: { mappings: [...further, `${LOCALE}/news:/news`] } })).status).toBe(200);
    expect(await applyRows(ada.ports, batch, rows, { signal, shown })).toMatchObject({ outcome: 'complete' });
    const after = (await world.backend.call('GET', path, { as: ADA })).json() as { paths: { mappings: string[] } };
    expect(after.paths.mappings.toSorted()).toEqual([mapping, ...further, `${LOCALE}/news:/news`].toSorted());
    await remove();
  });

  test('fails only for the row whose page is missing', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, LOCALE, '/content/wknd/ch/fr');
    const [first, ...others] = rows;
    const moved = { ...first, id: 'moved', siteName: 'wknd-moved', contentRoot: '/content/wknd/de/gone' };
    const applied = await applyRows(ada.ports, batch, [{ ...rows[0], ...moved } as (typeof rows)[number], ...others], { signal });
    expect(applied).toMatchObject({
      outcome: 'failed',
      results: [{ status: { state: 'failed', problem: { reason: 'page-missing' } } }, { status: { state: 'done' } }],
    });
    expect((await world.backend.call('GET', '/config/wknd/sites/wknd-moved.json', { as: ADA })).status).toBe(404);
    expect(rowsLeft(applied.results).map(({ id }) => id)).toEqual(['moved']);
  });

  test('completes a removal that was started, even if it is stopped and a request is lost', async () => {
    const creator = await world.person(ADA);
    const { batch, rows } = await choose(creator, LOCALE);
    expect((await applyRows(creator.ports, batch, rows, { signal })).outcome).toBe('complete');
    const stopper = new AbortController();
    let losses = 0;
    const ada = await world.person(ADA, {
      before: ({ method }) => {
        if (method !== 'DELETE' || losses++ > 0) return;
        stopper.abort();
        throw new TypeError('The network is away.');
      },
    });
    const site = { ...SITE, author: world.authorAddress() };
    expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), { ...quiet, signal: stopper.signal })).outcome).toBe('done');
    expect([losses > 1, stopper.signal.aborted]).toEqual([true, true]);
    await remove();
  });

  test('does not take another site with the same name for the restored one', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, LOCALE);
    expect((await applyRows(ada.ports, batch, rows, { signal })).outcome).toBe('complete');
    const path = '/config/wknd/sites/wknd-de-en.json';
    const config = (await world.backend.call('GET', path, { as: ADA })).json() as object;
    const site = { ...SITE, author: world.authorAddress() };
    expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), quiet)).outcome).toBe('done');
    const body = { ...config, public: { paths: { mappings: ['/content/elsewhere/:/'], includes: ['/content/elsewhere/'] } } };
    expect((await world.backend.call('PUT', path, { as: OTTO, body })).status).toBe(201);

    const sent = ada.sent.length;
    const restored = await restoreLocaleSite(ada.ports, { ...site, cloudConfiguration: '/conf/wknd/de-en' }, quiet);
    expect(restored).toMatchObject({ outcome: 'failed', problem: { reason: 'made-anew', data: { site: 'wknd-de-en' } }, calls: [] });
    expect(writes(ada.sent.slice(sent))).toEqual([]);
    expect((await world.backend.call('DELETE', path, { as: OTTO })).status).toBe(204);

    // Whoever restored it, and whatever they changed since.
    expect((await world.backend.call('PUT', path, { as: OTTO, body: config })).status).toBe(201);
    expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), quiet)).outcome).toBe('done');
    expect((await restoreLocaleSite((await world.person(OTTO)).ports, site, quiet)).outcome).toBe('done');
    const headers = { '/**': [{ key: 'x-of-otto', value: 'yes' }] };
    expect((await world.backend.call('POST', path.replace('.json', '/headers.json'), { as: OTTO, body: headers })).status).toBe(200);
    expect(await restoreLocaleSite(ada.ports, site, quiet)).toMatchObject({ outcome: 'done', calls: [] });
    expect((await removeLocaleSite(ada.ports, await leaving(ada.ports, site), quiet)).outcome).toBe('done');
    await world.remove(`${LOCALE}/configuration`, '/conf/wknd/de-en');
  });

  test('names the site that has a content root, at the cell in the dry run, and in the run', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, '/content/wknd/ch/de');
    const renamed = rows.map((row) => ({ ...row, siteName: 'another-name' }));
    expect(await planRows(ada.ports, batch, renamed, { signal })).toMatchObject([
      { problems: [{ cell: 'contentRoot', message: { kind: 'sentence' } }] },
    ]);
    expect(await applyRows(ada.ports, batch, renamed, { signal })).toMatchObject({
      results: [{ status: { problem: { reason: 'content-root-taken', data: { site: 'wknd-ch-de' } } } }],
    });
  });

  test('fails for what the caller may not change, and completes the rest', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, '/content/wknd/it/it', LOCALE);
    const carl = await world.person(CARL);
    const applied = await applyRows(carl.ports, batch, rows, { signal });
    expect(applied.results.map(({ status }) => status)).toMatchObject([
      { state: 'done', outcome: 'changed' },
      { state: 'failed', problem: { reason: 'refused', data: { detail: expect.stringMatching(/you have no role/) } } },
    ]);
  });

  test('does not use the name of a site with another content root', async () => {
    const ada = await world.person(ADA);
    const { batch, rows } = await choose(ada, LOCALE);
    const taken = rows.map((row) => ({ ...row, siteName: 'harbour' }));
    expect(await planRows(ada.ports, batch, taken, { signal })).toMatchObject([
      { problems: [{ cell: 'siteName', message: { kind: 'name-taken', root: '/content/harbour' } }] },
    ]);
    expect(await applyRows(ada.ports, batch, taken, { signal })).toMatchObject({
      results: [{ status: { problem: { reason: 'name-taken' } } }],
    });
  });
});

test('A production site uses the other author and its own technical account; the base’s account is refused with the reason', async () => {
  const second = await world.person(ADA, { environment: 'p100-e300' });
  const first = await world.person(ADA);
  const tree = await treeOf(second, 'p100-e300');
  const environments = [
    valueOf(await readEnvironment(first.ports.authoring, '/content/wknd', tree.info)),
    valueOf(await readEnvironment(second.ports.authoring, '/content/wknd', tree.info)),
  ];
  const base = valueOf(await second.ports.service.configuration('wknd', 'wknd')).config;
  const author = world.authorAddress('p100-e300');
  const batch = batchOf({ organization: 'wknd', author, base, info: tree.info, environments, baseConfiguration: '/conf/wknd' });
  const nodes = ['/content/wknd/de/de'].flatMap((path) => tree.nodes.get(path) ?? []);
  const sites = tree.context.sites ?? [];
  const rows = (technicalAccount: string) => proposeRows(nodes, { organization: 'wknd', sites, technicalAccount, nameSuffix: 'prod' });

  const wrong = rows('p100-e200@techacct.example.com');
  expect([...checkRows(batch, wrong).values()]).toMatchObject([
    [{ cell: 'technicalAccount', message: { kind: 'account-mismatch', data: { environment: 'p100-e300', belongsTo: 'p100-e200' } } }],
  ]);
  expect(await applyRows(second.ports, batch, wrong, { signal })).toMatchObject({
    results: [{ status: { problem: { reason: 'account-mismatch' } } }],
  });

  const right = rows('p100-e300@techacct.example.com');
  expect(right).toMatchObject([{ siteName: 'wknd-de-de-prod' }]);
  expect((await applyRows(second.ports, batch, right, { signal })).outcome).toBe('complete');
  const stored = await world.backend.call('GET', '/config/wknd/sites/wknd-de-de-prod.json', { as: ADA });
  expect(stored.text).toContain('author-p100-e300');
  expect(stored.text).not.toContain('p100-e200@techacct');
  expect((await world.backend.call('GET', '/config/wknd/sites/wknd-de-de.json', { as: ADA })).status).toBe(404);
});
