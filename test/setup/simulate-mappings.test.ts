import { createPathMapper } from '@repoless/contract/content-paths.ts';
import { type AddressedPage, isHarmful, simulateMappings } from '@repoless/core/mappings/simulate-mappings.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PAGES, readSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { ContentPage } from '@repoless/core/situation/ports.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';

const ROOT = '/content/lantern';
const whole = { mappings: [`${ROOT}/:/`], includes: [`${ROOT}/`] };
const sheet = (path: string): AddressedPage => ({ path: `${ROOT}${path}`, kind: 'sheet' });
const pages = (...paths: string[]): AddressedPage[] => paths.map((path) => ({ path: `${ROOT}${path}`, kind: 'page' }));
const fates = (given: readonly AddressedPage[], change: Parameters<typeof simulateMappings>[1]) =>
  simulateMappings(given, change).pages.map(({ path, before, after, effect, other }) => {
    const short = `${path.replace(ROOT, '~')}: ${before ?? '-'} > ${after ?? '-'} ${effect}`;
    return other === undefined ? short : `${short} with ${other.path.replace(ROOT, '~')}${other.isShown ? ', which is shown' : ''}`;
  });

describe('A change of path mappings', () => {
  test('moves the pages below the folder that it maps', () => {
    const after = { ...whole, mappings: [...whole.mappings, `${ROOT}/en/:/english/`] };
    expect(fates(pages('', '/en', '/en/about', '/de'), { before: whole, after })).toEqual([
      '~: / > / unchanged',
      '~/en: /en > /english/ changed',
      '~/en/about: /en/about > /english/about changed',
      '~/de: /de > /de unchanged',
    ]);
  });

  test('gives pages and spreadsheets of a new site their addresses', () => {
    const after = { ...whole, mappings: [...whole.mappings, `${ROOT}/configuration:/.helix/config.json`] };
    expect(fates([...pages('', '/en'), sheet('/configuration'), sheet('/placeholders')], { after })).toEqual([
      '~: - > / appears',
      '~/en: - > /en appears',
      '~/configuration: - > /.helix/config.json appears',
      '~/placeholders: - > /placeholders.json appears',
    ]);
  });

  test('reports colliding pages, and which of them is shown', () => {
    const after = { ...whole, mappings: [...whole.mappings, `${ROOT}/old/team:/team`] };
    expect(fates(pages('', '/team', '/old/team'), { before: whole, after })).toEqual([
      '~: / > / unchanged',
      '~/team: /team > /team collides with ~/old/team, which is shown',
      '~/old/team: /old/team > /team collides with ~/team',
    ]);
  });

  test('hides pages whose folder is not mapped, no longer included, or hidden by another folder', () => {
    const below = pages('', '/en', '/en/about');
    expect(fates(below, { before: whole, after: { mappings: [`${ROOT}:/`] } })).toEqual([
      '~: / > / unchanged',
      '~/en: /en > - vanishes',
      '~/en/about: /en/about > - vanishes',
    ]);
    expect(fates(below, { before: whole, after: { ...whole, includes: [`${ROOT}/en`] } })[0]).toBe('~: / > - vanishes');
    const hidden = { mappings: [`${ROOT}/:/`, '/content/other/:/en/'] };
    expect(fates(below, { before: whole, after: hidden })[2]).toBe('~/en/about: /en/about > - vanishes');
  });

  test('leaves a page unchanged if another mapping leads to it', () => {
    const after = { mappings: [`${ROOT}/:/`, `${ROOT}/en/:/english/`, `${ROOT}/de:/english/a`], includes: whole.includes };
    expect(fates(pages('/en/a', '/de'), { before: whole, after })).toEqual([
      '~/en/a: /en/a > /en/a unchanged',
      '~/de: /de > /english/a changed',
    ]);
  });

  test('reports no collision of pages that shared the address before', () => {
    const both = pages('', '/index', '/en');
    expect(fates(both, { before: whole, after: whole })).toEqual([
      '~: / > / unchanged',
      '~/index: / > / unchanged',
      '~/en: /en > /en unchanged',
    ]);
    expect(fates(both, { after: whole })[0]).toBe('~: - > / collides with ~/index, which is shown');
  });

  test('reports a folder that loses its page', () => {
    const change = { before: whole, after: { ...whole, includes: [`${ROOT}/en`] }, folders: { '/products': '/product', '/en/a': '/en/b' } };
    const simulation = simulateMappings(pages('/product', '/en/b'), change);
    expect(simulation.lostFolders).toEqual([{ folder: '/products', page: '/product' }]);
    expect(isHarmful(simulation)).toBe(true);
    expect(isHarmful(simulateMappings(pages('/en/b'), change))).toBe(false);
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'index');
const path = fc.array(name, { maxLength: 3 }).map((names) => ['', ...names].join('/'));
const mapping = fc.oneof(
  fc.tuple(path, path).map(([content, to]) => `/content${content}/:${to}/`),
  fc.tuple(path, path).map(([content, to]) => `/content${content}:${to === '' ? '/' : to}`),
);
const paths = fc.record({
  mappings: fc.array(mapping, { maxLength: 5 }),
  includes: fc.option(fc.array(path.map((one) => `/content${one}`)), { nil: undefined }),
});
const trees = fc.uniqueArray(
  fc.record({ path: path.map((one) => `/content${one}`), kind: fc.constantFrom('page' as const, 'sheet' as const) }),
  {
    selector: (page) => page.path,
    maxLength: 20,
  },
);

describe('With any mappings', () => {
  test('unchanged mappings change nothing', () => {
    fc.assert(
      fc.property(trees, paths, (tree, same) => {
        const { counts, lostFolders } = simulateMappings(tree, { before: same, after: same, folders: { '/a': '/b' } });
        expect(counts).toEqual({ collides: 0, vanishes: 0, changed: 0, appears: 0, unchanged: tree.length });
        expect(lostFolders).toEqual([]);
      }),
    );
  });

  test('every page is listed once, and the counts match the pages', () => {
    fc.assert(
      fc.property(trees, paths, paths, (tree, before, after) => {
        const { pages: listed, counts } = simulateMappings(tree, { before, after });
        expect(listed.map((page) => page.path)).toEqual(tree.map((page) => page.path));
        for (const [effect, count] of Object.entries(counts)) expect(listed.filter((page) => page.effect === effect)).toHaveLength(count);
      }),
    );
  });

  test('the hosts find each page at its reported address, or the page that it collides with', () => {
    fc.assert(
      fc.property(trees, paths, (tree, after) => {
        const mapper = createPathMapper(after);
        for (const page of simulateMappings(tree, { after }).pages) {
          if (page.after === undefined) continue;
          const [shown] = mapper.contentPaths(page.after).filter((content) => tree.some((one) => one.path === content));
          if (page.effect === 'collides' && page.other?.isShown === true) expect(shown).toBe(page.other.path);
          else expect(shown).toBe(page.path);
        }
      }),
    );
  });

  test('a page that is found at an address of its mappings is reported with such an address', () => {
    fc.assert(
      fc.property(trees, paths, (tree, after) => {
        const mapper = createPathMapper(after);
        for (const page of simulateMappings(tree, { after }).pages) {
          const kind = tree.find((one) => one.path === page.path)?.kind ?? 'page';
          if (!mapper.publicPaths(page.path, kind).some((address) => mapper.contentPaths(address).includes(page.path))) continue;
          expect(mapper.contentPaths(page.after ?? '')).toContain(page.path);
        }
      }),
    );
  });

  test('a page without an address is found at no address of its mappings', () => {
    fc.assert(
      fc.property(trees, paths, (tree, after) => {
        const mapper = createPathMapper(after);
        for (const page of simulateMappings(tree, { after }).pages) {
          if (page.after !== undefined) continue;
          const kind = tree.find((one) => one.path === page.path)?.kind ?? 'page';
          for (const address of mapper.publicPaths(page.path, kind)) expect(mapper.contentPaths(address)).not.toContain(page.path);
        }
      }),
    );
  });
});
const NEVER = new AbortController().signal;
const FAILURE: Failure = { kind: 'unreachable', system: 'authoring' };

/** A content tree generated on demand: `fan` pages below each page, down to `depth` levels. */
function tree(fan: number, depth: number, fails: (path: string) => boolean = () => false) {
  const requests: string[] = [];
  const levelOf = (path: string) => path.split('/').length - ROOT.split('/').length;
  const page = (path: string): ContentPage => ({ path, title: path, kind: 'page', hasChildren: levelOf(path) < depth });
  const answer = <T>(path: string, make: () => T): Known<T> => {
    requests.push(path);
    return fails(path) ? { state: 'failed', failure: FAILURE } : { state: 'known', value: make() };
  };
  return {
    requests,
    content: async (path: string) => answer(path, () => page(path)),
    children: async (path: string, most = Infinity) =>
      answer(path, () => Array.from({ length: Math.min(most, fan) }, (_, index) => page(`${path}/p${index}`))),
  };
}

function simulate(
  authoring: ReturnType<typeof tree>,
  mappings = [`${ROOT}/:/`],
  options: { signal?: AbortSignal; onPages?(count: number): void } = {},
) {
  const service = { effective: async (): Promise<Known<never>> => ({ state: 'missing' }) };
  const intended = { organization: 'wknd', siteName: 'lantern', after: { mappings } };
  return readSimulation({ service, authoring }, intended, { signal: NEVER, ...options });
}

test('Every page below the mapped folder is read once, and so are single pages elsewhere', async () => {
  const authoring = tree(3, 2);
  const counts: number[] = [];
  const read = await simulate(authoring, [`${ROOT}/:/`, `${ROOT}/p1/:/one/`, '/content/elsewhere:/else'], {
    onPages: (count) => counts.push(count),
  });
  expect(read).toMatchObject({ state: 'known', value: { isTruncated: false, counts: { appears: 1 + 3 + 9 + 1 } } });
  expect(counts.at(-1)).toBe(14);
  expect(authoring.requests.filter((path) => path.startsWith('/content/elsewhere'))).toEqual(['/content/elsewhere']);
});

test.each([
  ['wide', tree(50_000, 1)],
  ['deep', tree(1, 50_000)],
  ['large', tree(20, 40)],
])('A tree that is too %s is read up to a limit, and reported as truncated', async (_how, authoring) => {
  const read = await simulate(authoring);
  expect(read).toMatchObject({ state: 'known', value: { isTruncated: true } });
  expect(read.state === 'known' && read.value.pages.length).toBeLessThanOrEqual(MAX_PAGES);
  expect(authoring.requests.length).toBeLessThan(MAX_PAGES);
});

test('Unreadable pages are left out and reported; if no page is readable, the simulation fails', async () => {
  const partly = await simulate(tree(3, 2, (path) => path.endsWith('/p1')));
  expect(partly).toMatchObject({ state: 'known', value: { counts: { appears: 10 } } });
  expect(partly.state === 'known' && [...partly.value.failures]).toEqual([[`${ROOT}/p1`, FAILURE]]);
  expect(await simulate(tree(3, 2, () => true))).toEqual({ state: 'failed', failure: FAILURE });
});

test('Reading stops on request', async () => {
  const authoring = tree(5, 30);
  const stopper = new AbortController();
  await simulate(authoring, undefined, { signal: stopper.signal, onPages: (count) => void (count === 10 && stopper.abort()) });
  expect(authoring.requests.length).toBeLessThan(20);
});
