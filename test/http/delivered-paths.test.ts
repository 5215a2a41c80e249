import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startReceiver } from '../support/receiver.ts';

const world = startBeforeAll(() => startPathsWorld());
const { call } = callsAs(world, OPERATOR);

async function put({ paths, source: { suffix, query = '' } = {}, missing = [] }: (typeof SHAPES)[number]): Promise<string | undefined> {
  world.missing.clear();
  for (const path of missing) world.missing.add(path);
  return world.put('park', paths, { url: `${world.address}${query}`, ...(suffix === undefined ? {} : { suffix }) });
}

describe('Paths as projects write them', () => {
  it.each(SHAPES)('$title', async (shape) => {
    const warning = await put(shape);
    if (shape.warns === undefined) expect(warning ?? '').not.toContain('more than once');
    else expect(warning).toMatch(shape.warns);
    for (const [path, content] of Object.entries(shape.served)) {
      const { status, requested } = await world.visit('park', path);
      if (content.length === 0) expect([path, status]).toEqual([path, 404]);
      else expect([path, status, requested]).toEqual([path, 200, content]);
    }
  });

  it('to one public path are tried from the last one, up to LIMITS.mappingsTried', async () => {
    const trees = Array.from({ length: LIMITS.mappingsTried + 1 }, (_, index) => `/content/tree${index}`);
    const put = (missing: readonly string[]) => {
      world.missing.clear();
      for (const tree of missing) world.missing.add(`${tree}/plan.html`);
      return world.put('park', { mappings: trees.map((tree) => `${tree}/:/`) });
    };
    await put(trees.slice(2));
    expect((await world.visit('park', '/plan')).status).toBe(200);
    await put(trees.slice(1));
    const { status, requested } = await world.visit('park', '/plan');
    expect([status, requested.length]).toEqual([404, LIMITS.mappingsTried]);
  });

  it('that map twice to one address cause a warning in a dry run, too', async () => {
    const paths = { mappings: ['/content/park/:/', '/content/park/en/:/'] };
    const address = '/config/wknd/sites/park/public.json?dryRun=true';
    const answer = await call('POST', address, { paths });
    expect(answer.json()).toMatchObject({ warnings: [expect.stringContaining('is the last and wins over "/content/park/:/"')] });
  });

  it('that map twice to one address cause no warning in a call for another part', async () => {
    await world.put('park', { mappings: ['/content/park/:/', '/content/park/en/:/'] });
    const answer = await call('POST', '/config/wknd/sites/park/folders.json', { '/a': '/b' });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
  });

  it('that map twice to one address are named only in part if there are many', async () => {
    const mappings = Array.from({ length: 400 }, (_, index) => [
      `/content/${'a'.repeat(300)}${index}/:/${index}/`,
      `/content/b${index}/:/${index}/`,
    ]);
    const warning = await world.put('park', { mappings: mappings.flat() });
    expect(warning).toMatch(/397 further public paths or mappings occur more than once\./);
    expect(warning?.length).toBeLessThan(1800);
  });

  it.each(SHAPES)('are reported by /status as they are served: $title', async (shape) => {
    await put(shape);
    for (const [path, content] of Object.entries(shape.served)) {
      const answer = await call('GET', `/status/wknd/park/main${path}`);
      expect([path, answer.json()]).toMatchObject([path, { live: { status: content.length === 0 ? 404 : 200 } }]);
    }
  });
});

/** How projects write their paths, and what is requested from their content source: the paths in order, none if no page is served. */
interface PathShape {
  readonly title: string;
  readonly paths: object | undefined;
  readonly source?: { readonly suffix?: string; readonly query?: string };
  /** Paths that the source lacks. */
  readonly missing?: readonly string[];
  /** The paths requested for each public path, of which the last is served; [] if none is. */
  readonly served: Readonly<Record<string, readonly string[]>>;
  readonly warns?: RegExp;
}

const park = '/content/park';
const html = (path: string) => [`${park}${path}.html`];
const home = '/content/park/:/';
const sheet = '/content/park/configuration:/.helix/config.json';

/** A row: the mappings, or all paths, what is served, and what else differs. */
function shape(
  title: string,
  paths: readonly string[] | object | undefined,
  served: PathShape['served'],
  more: Pick<PathShape, 'source' | 'missing' | 'warns'> = {},
): PathShape {
  return { title, paths: Array.isArray(paths) ? { mappings: paths } : paths, served, ...more };
}

const SHAPES: readonly PathShape[] = [
  shape('one tree', [home], { '/': html('/index'), '/tours': html('/tours'), '/tours/': html('/tours/index'), '/a.b/c': html('/a.b/c') }),
  shape(
    'one tree and the configuration page',
    { mappings: [home, sheet], includes: ['/content/park/'] },
    { '/.helix/config.json': [`${park}/configuration.json`], '/configuration.json': [`${park}/configuration.json`] },
  ),
  shape('a page and the tree below it', [home, '/content/park/fr:/fr', '/content/park/fr/:/fr/'], {
    '/fr': html('/fr'),
    '/fr/': html('/fr/index'),
    '/fr/plan': html('/fr/plan'),
    '/plan': html('/plan'),
  }),
  shape('a page elsewhere and a tree at its address', [home, '/content/park/languages/fr:/fr', '/content/park/fr/:/fr/'], {
    '/fr': html('/languages/fr'),
    '/fr/plan': html('/fr/plan'),
  }),
  shape('the tree before its page', ['/content/park/fr/:/fr/', '/content/park/fr:/fr'], {
    '/fr': html('/fr'),
    '/fr/plan': html('/fr/plan'),
    '/plan': [],
  }),
  shape('a separate start page before the tree', ['/content/park/home:/', home], {
    '/': html('/home'),
    '/tours': html('/tours'),
    '/home': html('/home'),
  }),
  shape('a separate start page after the tree', [home, '/content/park/home:/'], { '/': html('/home'), '/tours': html('/tours') }),
  shape('only the start page', ['/content/park:/'], { '/': [`${park}.html`], '/tours': [] }),
  shape(
    'two trees at one address, the last of which wins',
    [home, '/content/park/en/:/'],
    { '/': html('/en/index'), '/plan': html('/en/plan') },
    { warns: /"\/" is mapped more than once: "\/content\/park\/en\/:\/" is the last and wins over "\/content\/park\/:\/"/ },
  ),
  shape(
    'two trees at one address, of which only the first has the page',
    [home, '/content/park/en/:/'],
    { '/offices': [...html('/en/offices'), ...html('/offices')] },
    { missing: ['/content/park/en/offices.html'], warns: /wins over/ },
  ),
  shape(
    'two trees at one address, neither of which has the page',
    [home, '/content/park/en/:/'],
    { '/none': [] },
    { missing: ['/content/park/en/none.html', '/content/park/none.html'], warns: /wins over/ },
  ),
  shape(
    'two unrelated trees at one address',
    ['/content/park/de/:/', '/content/shared/:/'],
    { '/legal': ['/content/shared/legal.html'] },
    { warns: /"\/content\/shared\/:\/" is the last/ },
  ),
  shape(
    'several trees below the start page at one address',
    [home, '/content/park/en/:/en/', '/content/park/gb/:/en/'],
    { '/en/x': html('/gb/x'), '/x': html('/x') },
    { warns: /"\/en\/" is mapped more than once/ },
  ),
  shape(
    'two pages at one address',
    [home, '/content/park/old:/new', '/content/park/newest:/new'],
    { '/new': html('/newest') },
    { warns: /"\/new" is mapped more than once/ },
  ),
  shape(
    'several configuration pages',
    [home, sheet, '/content/park/setup:/.helix/config.json'],
    { '/.helix/config.json': [`${park}/setup.json`] },
    { warns: /\/\.helix\/config\.json" is mapped more than once: "\/content\/park\/setup/ },
  ),
  shape(
    'the same line twice',
    [home, sheet, home],
    { '/x': html('/x'), '/': html('/index') },
    { warns: /^The mapping "\/content\/park\/:\/" is written more than once/ },
  ),
  shape('all paths unchanged', ['/:/'], { '/content/park/x': html('/x'), '/': ['/index.html'] }),
  shape(
    'all paths unchanged, some of them included',
    { mappings: ['/:/'], includes: ['/content/forms/af/', '/content/dam/formsanddocuments/'] },
    { '/content/forms/af/survey': ['/content/forms/af/survey.html'], '/content/park/x': [], '/': [] },
  ),
  shape('a tree mapped without a final slash', [home, '/content/park/en:/en/'], {
    '/en/': html('/en'),
    '/en/x': html('/en/x'),
    '/en': html('/en'),
    '/english': html('/english'),
  }),
  shape(
    'a tree mapped without a final slash, and without a page',
    ['/content/park/en:/en/'],
    { '/en/': [...html('/en'), ...html('/en/index')], '/en/x/': html('/en/x/index') },
    { missing: ['/content/park/en.html'] },
  ),
  shape('a page mapped with a final slash', ['/content/park/fr/:/fr'], { '/fr': html('/fr'), '/fr/x': [] }),
  shape('no mappings', { includes: ['/content/park/'] }, { '/content/park/x': html('/x'), '/content/other/x': [], '/x': [] }),
  shape('an empty list of mappings', [], { '/x': ['/x.html'] }),
  shape('no paths', undefined, { '/x': ['/x.html'], '/': ['/index.html'] }),
  shape(
    'languages, the first of which has no prefix',
    ['/content/park/us/en/:/', '/content/park/uk/en/:/en-gb/', '/content/park/de/de/:/de-de/'],
    { '/x': html('/us/en/x'), '/en-gb/x': html('/uk/en/x'), '/de-de/': html('/de/de/index'), '/de-de': html('/us/en/de-de') },
  ),
  shape(
    'a locale with a section hidden from the address',
    ['/content/park/en/:/', '/content/park/en/personal/:/', '/content/park/hi/:/hi/'],
    { '/accounts': html('/en/personal/accounts'), '/premium': [...html('/en/personal/premium'), ...html('/en/premium')] },
    { missing: ['/content/park/en/personal/premium.html'], warns: /wins over/ },
  ),
  shape('nested trees, the nearest of which wins', ['/content/park/en/shop/:/en/shop/', home, '/content/park/en/:/en/'], {
    '/en/shop/x': html('/en/shop/x'),
    '/en/x': html('/en/x'),
    '/shop': html('/shop'),
  }),
  shape(
    'assets at a separate address',
    { mappings: [home, '/content/dam/park/:/assets/'], includes: ['/content/park/', '/content/dam/park/'] },
    {
      '/assets/map.pdf': ['/content/dam/park/map.pdf'],
      '/assets/a/b/logo.SVG': ['/content/dam/park/a/b/logo.SVG'],
      '/assets/film.mp4': ['/content/dam/park/film.mp4'],
      '/assets/data.json': ['/content/dam/park/data.json'],
      '/assets/': ['/content/dam/park/index.html'],
    },
  ),
  shape(
    'assets that are not included',
    { mappings: [home, '/content/dam/park/:/assets/'], includes: ['/content/park/'] },
    { '/assets/map.pdf': [] },
  ),
  shape('files next to pages', [home], {
    '/favicon.ico': [`${park}/favicon.ico`],
    '/feed.xml': [`${park}/feed.xml`],
    '/llms.txt': [`${park}/llms.txt`],
  }),
  shape('a page whose name has dots', [home], {
    '/release-2.0': html('/release-2.0'),
    '/a.b/c.d': html('/a.b/c.d'),
    '/v1.2': html('/v1.2'),
  }),
  shape('sheets by their name', [home, '/content/park/redirects:/redirects.json', '/content/park/metadata:/metadata'], {
    '/redirects.json': [`${park}/redirects.json`],
    '/metadata.json': [`${park}/metadata.json`],
    '/placeholders.json': [`${park}/placeholders.json`],
  }),
  shape('content named .json', [home, '/content/park/list.json:/list.json', '/content/dam/park/data.json:/data'], {
    '/list.json': [`${park}/list.json`],
    '/data': ['/content/dam/park/data.json'],
    '/data.json': ['/content/dam/park/data.json'],
  }),
  shape('one file under another name', [home, '/content/dam/park/terms-2024.pdf:/terms.pdf', '/content/dam/park/map.pdf:/map'], {
    '/terms.pdf': ['/content/dam/park/terms-2024.pdf'],
    '/map': ['/content/dam/park/map.pdf'],
  }),
  shape('a page published as a file', [home, '/content/park/guide:/llms.txt'], { '/llms.txt': [`${park}/guide.txt`] }),
  shape(
    'pages mapped with an extension',
    [home, '/content/park/embed:/embed.html', '/content/park/raw.html:/raw.html', '/content/park/menu:/nav.plain.html'],
    { '/embed.html': html('/embed'), '/raw.html': html('/raw'), '/nav.plain.html': html('/menu'), '/nav': html('/nav') },
  ),
  shape('a mapped fragment that is a fragment at its source', [home, '/content/park/nav.plain.html:/nav.plain.html'], {
    '/nav.plain.html': [`${park}/nav.plain.html`],
    '/footer.plain.html': html('/footer'),
  }),
  shape('included prefixes without a slash', { mappings: [home], includes: ['/content/park'] }, { '/': html('/index'), '/x': html('/x') }),
  shape(
    'an included glob',
    { mappings: [home], includes: ['/content/park/**'] },
    { '/': html('/index'), '/a/b': html('/a/b'), '/data.json': [`${park}/data.json`] },
  ),
  shape('one level included', { mappings: [home], includes: ['/content/park/*'] }, { '/': html('/index'), '/a': html('/a'), '/a/b': [] }),
  shape('nothing included', { mappings: [home], includes: [] }, { '/': [], '/x': [] }),
  shape(
    'drafts excluded anywhere',
    { mappings: [home], includes: ['/content/park/'], excludes: ['/content/park/**/drafts/**'] },
    { '/tours/drafts/x': [], '/drafts/x': [], '/tours/x': html('/tours/x'), '/tours/drafts.json': [] },
  ),
  shape(
    'excluded files by their ending',
    { mappings: [home, '/content/dam/park/:/assets/'], excludes: ['/content/dam/**/*.psd', '/content/park/**/*.json'] },
    { '/assets/a.psd': [], '/assets/a/b.psd': [], '/assets/a.png': ['/content/dam/park/a.png'], '/x.json': [], '/x': html('/x') },
  ),
  shape(
    'an exclusion that wins over an inclusion',
    { mappings: [home], includes: ['/content/park/tours/'], excludes: ['/content/park/'] },
    { '/tours/x': [] },
  ),
  shape(
    'an excluded tree of two at one address',
    { mappings: [home, '/content/park/en/:/'], excludes: ['/content/park/en/'] },
    { '/x': html('/x') },
    { warns: /wins over/ },
  ),
  shape('no suffix', [home], { '/x': [`${park}/x`], '/x.json': [`${park}/x.json`] }, { source: { suffix: '' } }),
  shape('another suffix', [home], { '/x': [`${park}/x.docs.html`] }, { source: { suffix: '.docs.html' } }),
  shape(
    'a suffix with a query',
    [home, '/content/dam/park/:/assets/'],
    { '/x': [`${park}/x.html?mode=plain`], '/x.json': [`${park}/x.json`], '/assets/a.png': ['/content/dam/park/a.png'] },
    { source: { suffix: '.html?mode=plain' } },
  ),
  shape('a suffix that is a query', [home], { '/x': [`${park}/x?wcmmode=disabled`] }, { source: { suffix: '?wcmmode=disabled' } }),
  shape(
    'a query in the source address, sent with every request',
    [home],
    { '/x': [`${park}/x.html?tenant=park&lang=en`], '/x.json': [`${park}/x.json?tenant=park&lang=en`] },
    { source: { query: '?tenant=park&lang=en' } },
  ),
  shape(
    'a query in the source address and the suffix',
    [home],
    { '/x': [`${park}/x.html?a=1%2B2+3&b&mode=plain`] },
    { source: { query: '?mode=full&a=1%2B2+3&b', suffix: '.html?mode=plain' } },
  ),
];

/** A backend whose sites share a content source that records its requests. */
interface PathsWorld {
  readonly backend: TestBackend;
  readonly address: string;
  /** Paths that the source lacks; it has every other. */
  readonly missing: Set<string>;
  /** Registers a site or sets its paths. Returns the warning of the answer. */
  put(site: string, paths: object | undefined, source?: object): Promise<string | undefined>;
  /** The answer, and the paths requested from the source for it. */
  visit(site: string, path: string): Promise<{ status: number; requested: string[]; type: string | undefined; text: string }>;
  stop(): Promise<void>;
}

async function startPathsWorld(): Promise<PathsWorld> {
  const requested: string[] = [];
  const missing = new Set<string>();
  const author = await startReceiver((request, response) => {
    const path = request.url ?? '';
    requested.push(path.replace(/^\/source/, ''));
    if (missing.has(path.replace(/^\/source/, ''))) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': typeOf(path) }).end(`<main>${path}</main>`);
  });
  const address = `http://${author.host}/source`;
  const backend = await startTestBackend({ dryRun: false, settings: { AUTHOR_HOSTS: author.host } });
  return {
    backend,
    address,
    missing,
    async put(site, paths, source = {}) {
      const more = paths === undefined ? {} : { public: { paths } };
      const content = { source: { url: address, type: 'markup', ...source } };
      const answer = await backend.call('PUT', `/config/wknd/sites/${site}.json?replace=true`, {
        as: OPERATOR,
        body: { ...siteBody('wknd', site), content, ...more },
      });
      expect([answer.status, answer.error]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
      return answer.headers['x-warning'];
    },
    async visit(site, path) {
      requested.length = 0;
      const { status, headers, text } = await backend.visit('live', `main--${site}--wknd`, path);
      return { status, requested: [...requested], type: headers['content-type'], text };
    },
    async stop() {
      await backend.stop();
      await author.stop();
    },
  };
}

function typeOf(path: string): string {
  const ending = /\.([a-z0-9]+)(?:\?.*)?$/.exec(path)?.[1] ?? 'html';
  return TYPES[ending] ?? 'application/octet-stream';
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', json: 'application/json', pdf: 'application/pdf' };

const mappings = ['/content/park/:/'];
const part = (paths: object) => call('POST', '/config/wknd/sites/park/public.json', { paths });

describe('excluded content paths', () => {
  it('are stored, shown by config.json, and not served', async () => {
    const paths = { mappings, includes: ['/content/park/'], excludes: ['/content/park/**/drafts/**'] };
    await world.put('park', paths);
    expect(JSON.parse((await world.visit('park', '/config.json')).text)).toEqual({ public: { paths } });
    expect(await world.visit('park', '/tours/drafts/x')).toMatchObject({ status: 404, requested: [] });
    expect(await world.visit('park', '/tours/x')).toMatchObject({ status: 200, requested: ['/content/park/tours/x.html'] });
    const status = await call('GET', '/status/wknd/park/main/tours/drafts/x');
    expect(status.json()).toMatchObject({ live: { status: 404 }, preview: { status: 404 } });
  });

  it.each<[excludes: string[], hidden: string[], shown: string[]]>([
    [['/content/park/hidden'], ['/hidden', '/hidden/x'], ['/hiddenness', '/x']],
    [['/content/park/hidden/'], ['/hidden', '/hidden/x'], ['/hiddenness', '/x']],
    [['/content/park/*/drafts'], ['/tours/drafts'], ['/drafts', '/a/b/drafts', '/tours/drafts/x']],
    [['/content/park/*/drafts/'], ['/tours/drafts', '/tours/drafts/x/y'], ['/drafts', '/a/b/drafts']],
    [['/content/park/**/drafts/**'], ['/drafts', '/drafts/x', '/a/b/drafts/x/y'], ['/draft', '/mydrafts/x', '/drafts2/x']],
    [['/content/park/tmp-*/**'], ['/tmp-1', '/tmp-/x'], ['/tmp', '/a/tmp-1']],
    [['/content/park/**-old'], ['/a-old', '/a/b-old'], ['/a-old/b', '/older']],
    [['/content/**'], ['/', '/a'], []],
    [['/**/secret'], ['/secret', '/a/secret'], ['/secrets', '/secret/a']],
    [[], [], ['/a']],
  ])('%j', async (excludes, hidden, shown) => {
    await world.put('park', { mappings, excludes });
    for (const path of hidden) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 404, requested: [] }]);
    for (const path of shown) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 200 }]);
  });
});

it.each<[includes: string[], shown: string[], hidden: string[]]>([
  [['/content/park/**'], ['/', '/a', '/a/b'], []],
  [['/content/*/**'], ['/', '/a'], []],
  [['/content/park/*'], ['/a'], ['/a/b']],
  [
    ['/content/park/*/open/**', '/content/park/a'],
    ['/a', '/a/c', '/b/open', '/b/open/x'],
    ['/b', '/open'],
  ],
  [['/content/park/{a,b}'], [], ['/a']],
])('included content paths may be globs: %j', async (includes, shown, hidden) => {
  await world.put('park', { mappings, includes });
  for (const path of shown) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 200 }]);
  for (const path of hidden) expect([path, await world.visit('park', path)]).toMatchObject([path, { status: 404, requested: [] }]);
});

it('other properties of paths are stored and returned', async () => {
  const paths = { mappings, excludes: ['/content/park/x'], aliases: { '/a': ['/b'] }, revision: 3 };
  await world.put('park', paths);
  expect((await part({ ...paths, revision: 4 })).status).toBe(200);
  expect((await call('GET', '/config/wknd/sites/park/public.json')).json()).toEqual({ paths: { ...paths, revision: 4 } });
});

it.each([
  [{ excludes: '/content/park/' }, '/paths/excludes'],
  [{ excludes: [7] }, '/paths/excludes/0'],
  [{ excludes: ['content/park'] }, '/paths/excludes/0'],
  [{ excludes: ['/content/<site>/drafts'] }, '/paths/excludes/0'],
  [{ includes: [`/${'*a'.repeat(LIMITS.pathGlobLength / 2)}`] }, '/paths/includes/0'],
  [{ excludes: Array.from({ length: LIMITS.pathGlobs + 1 }, (_, index) => `/content/*/${index}`) }, `/paths/excludes/${LIMITS.pathGlobs}`],
])('an invalid list of content paths is refused: %#', async (paths, pointer) => {
  await world.put('park', { mappings });
  const answer = await part(paths);
  expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ pointer }] }]);
});
